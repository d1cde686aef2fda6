/** Parses a page into a light tree, once for all sources of the listing reader. */
import { type Handler, Parser } from 'htmlparser2'

export interface PageNode {
  /** Lower case. */
  name: string
  attributes: Record<string, string>
  /** Elements and texts in page order. Comments, styles and the content of scripts are omitted. */
  children: (PageNode | string)[]
  parent: PageNode | null
  /** Position among all elements of the page. */
  index: number
  /** Position among the children of its parent. */
  place: number
  /** The words of its class, ids and test ids, once `toElementNames` has joined them. */
  names: string | null
  /** True if the names are those of an advertiser, once it was asked. */
  isAdvertiser: boolean | null
}

export interface PageScript {
  attributes: Record<string, string>
  text: string
}

export interface PageTree {
  root: PageNode
  /** All elements in page order, the root excluded. */
  nodes: readonly PageNode[]
  /** Scripts with content, in page order. */
  scripts: readonly PageScript[]
}

/** Typical pages have 500 to 5,000 elements, the largest known one 6,600. The elements after these are omitted. */
const nodesMax = 10_000
/** Characters of HTML outside scripts and styles, with tags. */
const markupMax = 1_500_000
const scriptsMax = 2000
/** Texts and attributes. Typical pages have 2,000 to 20,000. */
const partsMax = 100_000
/** Least characters that the parser receives at once, and most. */
const chunkLength = 2048
const chunkMax = 32_768
/** Elements that may be open in the parser. Typical pages have 40. */
const openMax = 200
const skippedElements = new Set(['style', 'noscript', 'template', 'svg'])

/** The tree of a page. Never throws; a page that is too large is cut. */
export function parsePageTree(html: string): PageTree {
  const root: PageNode = {
    name: '#root',
    attributes: {},
    children: [],
    parent: null,
    index: -1,
    place: 0,
    names: null,
    isAdvertiser: null,
  }
  const nodes: PageNode[] = []
  const scripts: PageScript[] = []
  const open: PageNode[] = [root]
  let openCount = 0
  let skipped: { name: string; depth: number } | null = null
  let script: PageScript | null = null
  let position = 0
  let hiddenLength = 0
  let partsCount = 0
  const handler: Partial<Handler> = {
    onattribute() {
      partsCount += 1
    },
    onopentag(name, attributes) {
      openCount += 1
      if (script !== null) return
      if (name === 'script') {
        script = { attributes, text: '' }
        return
      }
      if (skipped !== null) {
        if (skipped.name === name) skipped.depth += 1
        return
      }
      if (skippedElements.has(name)) {
        skipped = { name, depth: 1 }
        return
      }
      if (nodes.length >= nodesMax) return
      const parent = open.at(-1)!
      const node: PageNode = {
        name,
        attributes,
        children: [],
        parent,
        index: nodes.length,
        place: parent.children.length,
        names: null,
        isAdvertiser: null,
      }
      parent.children.push(node)
      nodes.push(node)
      open.push(node)
    },
    ontext(text) {
      if (script !== null || skipped !== null) hiddenLength += text.length
      if (script !== null) script.text += text
      else if (skipped === null) {
        partsCount += 1
        if (partsCount <= partsMax) open.at(-1)!.children.push(text)
      }
    },
    onclosetag(name) {
      openCount -= 1
      if (name === 'script') {
        if (script !== null && script.text !== '' && scripts.length < scriptsMax) scripts.push(script)
        script = null
      } else if (skipped !== null) {
        if (skipped.name === name) skipped.depth -= 1
        if (skipped.depth === 0) skipped = null
      } else if (open.length > 1 && open.at(-1)!.name === name) open.pop()
    },
  }
  let parser = new Parser(handler)
  const isFull = () =>
    nodes.length >= nodesMax || partsCount > partsMax || position - hiddenLength > markupMax
  while (position < html.length && !isFull()) {
    const tag = html.indexOf('<', position + chunkLength)
    const end = Math.min(tag === -1 ? html.length : tag, position + chunkMax)
    parser.write(html.slice(position, end))
    position = end
    // The parser's time grows with the number of open elements, so it begins anew, before a tag: none is cut.
    if (openCount > openMax && script === null && end === tag) {
      parser = new Parser(handler)
      skipped = null
      openCount = 0
      open.length = 1
    }
  }
  parser.end()
  if (position < html.length) scripts.push(...findScripts(html, position))
  return { root, nodes, scripts: scripts.slice(0, scriptsMax) }
}

/** The scripts after the part of a page that was parsed. */
function findScripts(html: string, from: number): PageScript[] {
  const scripts: PageScript[] = []
  const pattern = /<script\b([^<>]{0,500})>/gi
  pattern.lastIndex = from
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const start = pattern.lastIndex
    const close = html.indexOf('</script', start)
    const end = close === -1 ? html.length : close
    const attributes = Object.fromEntries(
      [...match[1]!.matchAll(/([\w-]{1,50})=["']?([^"'\s>]{0,200})/g)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    )
    scripts.push({ attributes, text: html.slice(start, end) })
    if (scripts.length === scriptsMax) return scripts
    pattern.lastIndex = end
  }
  return scripts
}

const blockElements = new Set(
  'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p section table tbody td th thead tr ul'.split(
    ' ',
  ),
)

/** The visible text of a node in one line, at most `lengthMax` characters. */
export function extractNodeText(node: PageNode, lengthMax = 2000): string {
  return collectText(node, lengthMax, ' ').replace(/\s+/g, ' ').trim().slice(0, lengthMax)
}

/** The visible text of a node, with a line break where a block begins or ends. */
export function extractNodeLines(node: PageNode, lengthMax = 20_000): string {
  return collectText(node, lengthMax, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, lengthMax)
}

function collectText(node: PageNode, lengthMax: number, blockBreak: string): string {
  const parts: string[] = []
  // White space counts too, so that the time is bounded.
  let left = lengthMax * 4
  const visit = (current: PageNode) => {
    for (const child of current.children) {
      if (left <= 0) return
      if (typeof child === 'string') {
        const text = blockBreak === '\n' ? child.replace(/\s+/g, ' ') : child
        parts.push(text)
        left -= child.length + 1
      } else {
        left -= 1
        const isBlock = blockElements.has(child.name)
        if (isBlock) parts.push(blockBreak)
        visit(child)
        if (isBlock && child.name !== 'br') parts.push(blockBreak)
      }
    }
  }
  visit(node)
  return parts.join('')
}

/** The first element with this name in page order, or null. */
export function findFirst(tree: PageTree, name: string): PageNode | null {
  return tree.nodes.find(node => node.name === name) ?? null
}

const metaByTree = new WeakMap<PageTree, ReadonlyMap<string, string[]>>()

/** The contents of `<meta>` elements by `property` or `name`, in lower case and in page order. */
export function collectMeta(tree: PageTree): ReadonlyMap<string, string[]> {
  let meta = metaByTree.get(tree)
  if (meta === undefined) {
    meta = readMeta(tree)
    metaByTree.set(tree, meta)
  }
  return meta
}

function readMeta(tree: PageTree): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name, attributes } of tree.nodes) {
    if (name !== 'meta') continue
    const key = (attributes.property ?? attributes.name)?.toLowerCase()
    const content = attributes.content
    if (key === undefined || content === undefined || content === '') continue
    const values = found.get(key)
    if (values === undefined) found.set(key, [content])
    else values.push(content)
  }
  return found
}
