/** The breadcrumbs of a page: its places from the largest to the smallest. */
import { getTypes, isNode, toList } from '../../json-ld.ts'
import { extractNodeText, type PageNode, type PageTree } from '../page-tree.ts'
import { allLanguages, findWords, type Language, toPhrase } from '../words/words.ts'

const trailsMax = 4
const itemsMax = 12
const itemMax = 100
const nodesMax = 200
const visitsMax = 3000
const depthMax = 6
const nameOfBreadcrumb = /bread-?crumbs?/i
const propertyWords =
  /^(?:property|properties|homes?|immobilien|immobilier|immobili|inmuebles|viviendas|imoveis|nieruchomosci|reality|nemovitosti|residential|free|standing)$/
const functionWords = /^(?:in|en|em|a|à|i|w|v|ve|te|zu|zur|zum|for|to|de|do|da|the|all|per|and|pour)$/

/** The lists of breadcrumbs, each with its items as the places that remain without words such as "Homes for sale in". */
export function collectBreadcrumbs(
  tree: PageTree,
  jsonLd: readonly unknown[],
  languages: readonly Language[] = allLanguages,
): string[][] {
  const trails = [...readSchemaTrails(jsonLd), ...readElements(tree)].slice(0, trailsMax)
  return trails
    .map(items => items.slice(0, itemsMax).flatMap(item => toPlace(item, languages) ?? []))
    .filter(items => items.length > 0)
}

function readSchemaTrails(blocks: readonly unknown[]): string[][] {
  const trails: string[][] = []
  let visits = visitsMax
  const visit = (value: unknown, depth: number) => {
    visits -= 1
    if (visits < 0 || depth > depthMax || trails.length >= trailsMax) return
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1)
    if (!isNode(value)) return
    if (getTypes(value).includes('BreadcrumbList')) trails.push(toNames(value.itemListElement))
    else for (const member of Object.values(value)) if (typeof member === 'object') visit(member, depth + 1)
  }
  visit(blocks, 0)
  return trails
}

function toNames(elements: unknown): string[] {
  return toList(elements)
    .slice(0, itemsMax)
    .flatMap(element => {
      if (!isNode(element)) return []
      const name = element.name ?? (isNode(element.item) ? element.item.name : undefined)
      return typeof name === 'string' ? name.slice(0, itemMax) : []
    })
}

function readElements(tree: PageTree): string[][] {
  const trails: string[][] = []
  for (const node of tree.nodes) {
    if (trails.length >= trailsMax) break
    const { class: classes = '', id = '', itemtype = '' } = node.attributes
    const names = `${classes.slice(0, 200)} ${id.slice(0, 100)} ${node.attributes['aria-label']?.slice(0, 60) ?? ''} ${itemtype}`
    if (nameOfBreadcrumb.test(names)) trails.push(readItems(node))
  }
  return trails.filter(items => items.length > 1)
}

/** The texts of the list's elements. A text with several items is divided at its separators. */
function readItems(list: PageNode): string[] {
  const texts: string[] = []
  let left = nodesMax
  const visit = (node: PageNode) => {
    left -= 1
    if (left < 0 || texts.length > itemsMax) return
    const isItem = node.name === 'a' || node.name === 'li'
    if (isItem && !node.children.some(child => typeof child !== 'string' && child.name === 'a')) {
      texts.push(extractNodeText(node, itemMax))
      return
    }
    for (const child of node.children)
      if (typeof child !== 'string') visit(child)
      else if (/\p{L}/u.test(child)) texts.push(child.slice(0, itemMax * 2))
  }
  visit(list)
  return texts.flatMap(text => text.split(/[>›»→/|]/)).flatMap(text => text.replace(/\s+/g, ' ').trim() || [])
}

/** `Houses for sale in Kent` → `Kent`; null if no name remains. */
function toPlace(item: string, languages: readonly Language[]): string | null {
  const text = item.replace(/\(.*\)|\breal estate\b/gi, '').trim()
  if (text.length > itemMax) return null
  const tokens = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
  const words = tokens.map(([token]) => toPhrase(token))
  const isWord = words.map(word => propertyWords.test(word))
  // Phrases have the same words as the text, unless a sign was one.
  if (toPhrase(text).split(' ').length === words.length)
    // `Dubai Hills Estate` is a name.
    for (const kind of ['operation', 'subtype'] as const)
      for (const { phrase, index } of findWords(kind, text, languages))
        if (phrase !== 'estate') isWord.fill(true, index, index + phrase.split(' ').length)
  const isEdge = (index: number) => isWord[index] || functionWords.test(words[index]!)
  let [start, end] = [0, tokens.length]
  while (start < end && isEdge(start)) start += 1
  while (end > start && isEdge(end - 1)) end -= 1
  if (start === end || isWord.slice(start, end).includes(true)) return null
  const last = tokens[end - 1]!
  const name = text.slice(tokens[start]!.index, last.index + last[0].length)
  return /^\p{L}[\p{L} .,'’-]{1,40}$/u.test(name.replace(/\s\d{4,5}$/, ''))
    ? name.replace(/\s\d{4,5}$/, '')
    : null
}
