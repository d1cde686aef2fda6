/** Collects the data that a page embeds as text: scripts, attributes and hidden inputs. Nothing is executed. */
import { findClosingBracket, type LiteralBudget, parseLiteral } from '../../js-literal.ts'
import { parseFlightRows } from '../../state.ts'
import { isInAdvertiserPart } from '../node-names.ts'
import type { PageNode, PageScript, PageTree } from '../page-tree.ts'
import { isFlatPayload, unflatten } from './flat-payload.ts'

export interface StateDocument {
  /** The name of the variable, script or attribute. */
  where: string
  value: unknown
  /** True for attributes of elements: many belong to cards of other listings. */
  isAttribute: boolean
}

const documentsMax = 1000
/** Limits the characters parsed in a script to this multiple of its length. */
const readFactorMax = 1.5
/** Characters of all literals of a page that are not JSON, which take a hundred times as long. */
const codeMax = 400_000
const longMax = 1_000_000
const attributeMax = 500_000
const constantsMax = 500
/** What precedes a literal, and the beginning of the literal. */
const literalStart = /[=(,]\s*(?=\{|\[\s*[{"'[]|JSON\.parse\(|decodeURIComponent\()/g
const constantPattern =
  /=\s*(?:"([^"\\\n]{0,200})"|'([^'\\\n]{0,200})'|(-?\d{1,12}(?:\.\d{1,16})?))\s*(?=[;,}\n]|$)/g
const constantName = /([A-Za-z_$][\w$]{1,40})["'\]]*\s*$/
const literalName = /([\w$]+)["'\]]*\s*$/
/** Characters before an equals sign that are searched for the name. */
const nameMax = 60

/** The documents of a page in page order. Never throws. */
export function collectStateDocuments(tree: PageTree, html: string): StateDocument[] {
  const documents: StateDocument[] = []
  const budget: LiteralBudget = { left: codeMax }
  for (const script of tree.scripts) {
    if (documents.length >= documentsMax) break
    const type = script.attributes.type?.toLowerCase() ?? ''
    if (type.includes('ld+json')) continue
    if (type.includes('json')) documents.push(...parseJsonScript(script, budget))
    else if (!script.text.includes('__next_f.push(')) documents.push(...parseCode(script.text, budget))
  }
  if (html.includes('__next_f.push(')) documents.push(...parseFlight(html))
  documents.push(...parseAttributes(tree))
  return documents
}

function parseJsonScript({ text, attributes }: PageScript, budget: LiteralBudget): StateDocument[] {
  const where = attributes.id ?? attributes['data-hypernova-key'] ?? 'script[type=json]'
  // Data that is cut or nested without end is only found to be broken after it has been read.
  if (text.length > longMax && findClosingBracket(text, text.search(/\S/)) === -1) return []
  const parsed = tryParseJson(text) ?? parseLiteral(removeMarks(text), 0, budget).value
  const value = isFlatPayload(parsed) ? unflatten(parsed) : parsed
  return isData(value) ? [{ where, value, isAttribute: false }] : []
}

/** Old frameworks escape quotes as `&q;`, and hide the script in a comment. */
function removeMarks(text: string): string {
  const trimmed = text.trim().replace(/^<!--|-->$/g, '')
  if (!trimmed.includes('&q;')) return trimmed
  return trimmed
    .replaceAll('&q;', '"')
    .replaceAll('&s;', "'")
    .replaceAll('&l;', '<')
    .replaceAll('&g;', '>')
    .replaceAll('&a;', '&')
}

/** Object and list literals that are assigned or passed to a function, and constants (`var price = 100;`). */
function parseCode(text: string, budget: LiteralBudget): StateDocument[] {
  const documents: StateDocument[] = []
  let left = text.length * readFactorMax
  const pattern = new RegExp(literalStart)
  for (
    let match = pattern.exec(text);
    match !== null && left > 0 && documents.length < documentsMax;
    match = pattern.exec(text)
  ) {
    const start = match.index + match[0].length
    const { value, end } = parseLiteral(text, start, budget)
    left -= end - start
    if (isData(value)) {
      const name = match[0].startsWith('=') ? findNameBefore(text, match.index, literalName) : undefined
      documents.push({ where: name ?? 'script', value, isAttribute: false })
      pattern.lastIndex = Math.max(end, start + 1)
    } else pattern.lastIndex = start + 1
  }
  const constants: Record<string, unknown> = {}
  let count = 0
  for (const { 1: double, 2: single, 3: number, index } of text.matchAll(constantPattern)) {
    count += 1
    if (count > constantsMax) break
    const name = findNameBefore(text, index, constantName)
    if (name !== undefined && !Object.hasOwn(constants, name))
      constants[name] = number === undefined ? (double ?? single) : Number(number)
  }
  if (count > 0) documents.push({ where: 'script constants', value: constants, isAttribute: true })
  return documents
}

function findNameBefore(text: string, position: number, pattern: RegExp): string | undefined {
  return pattern.exec(text.slice(Math.max(0, position - nameMax), position))?.[1]
}

function parseFlight(html: string): StateDocument[] {
  const rows = parseFlightRows(html)
  const documents: StateDocument[] = []
  for (const [id, row] of rows) {
    if (documents.length >= documentsMax) break
    if (isData(row))
      documents.push({ where: `flight row ${id}`, value: resolveTexts(row, rows), isAttribute: false })
  }
  return documents
}

/** Long texts are rows of their own, which other rows refer to as `$id`. */
function resolveTexts(value: unknown, rows: ReadonlyMap<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => {
    if (typeof member !== 'string' || !/^\$[\da-f]{1,6}$/.test(member)) return member
    const row = rows.get(member.slice(1))
    return typeof row === 'string' ? row : member
  })
}

function parseAttributes(tree: PageTree): StateDocument[] {
  const documents: StateDocument[] = []
  const hidden: Record<string, unknown> = {}
  for (const node of tree.nodes) {
    const { name, attributes } = node
    if (documents.length >= documentsMax) break
    if (name === 'input' && attributes.type === 'hidden') {
      const key = attributes.name ?? attributes.id
      const value = attributes.value
      if (key !== undefined && value && !Object.hasOwn(hidden, key) && !isInSearchForm(node))
        hidden[key] = value
      continue
    }
    const data: Record<string, unknown> = {}
    for (const key in attributes) {
      const value = attributes[key]!
      if (/^[\s]*[[{]/.test(value) && value.length > 10 && value.length < attributeMax) {
        const parsed = tryParseJson(value)
        if (isData(parsed)) documents.push({ where: `${name}[${key}]`, value: parsed, isAttribute: true })
      } else if (key.startsWith('data-')) data[key.slice(5)] = value
    }
    if (Object.keys(data).length >= 2 && !isInOtherPart(node))
      documents.push({ where: `${name}[data-*]`, value: data, isAttribute: true })
  }
  if (Object.keys(hidden).length > 0)
    documents.push({ where: 'hidden inputs', value: hidden, isAttribute: true })
  return documents
}

const searchWords =
  /search|filter|suche|buscar|busca|busqueda|pesquisa|recherche|ricerca|zoek|wyszuk|hledat|alert/i
const climbsMax = 12

/** The values of a form that finds listings are those of a search. */
function isInSearchForm(node: PageNode): boolean {
  const form = findAncestor(node, ({ name }) => name === 'form')
  if (form === null) return false
  const { class: classes = '', id = '', action = '', role = '', name = '' } = form.attributes
  return searchWords.test(`${classes} ${id} ${role} ${name} ${action.slice(0, 200)}`)
}

/** Data of the footer, and places of the advertiser. */
function isInOtherPart(node: PageNode): boolean {
  const isPlace = Object.keys(node.attributes).some(key => /lat|lng|lon|coord/i.test(key))
  return (
    findAncestor(node, ({ name }) => name === 'footer' || name === 'nav') !== null ||
    (isPlace && isInAdvertiserPart(node))
  )
}

function findAncestor(node: PageNode, isWanted: (ancestor: PageNode) => boolean): PageNode | null {
  let current = node.parent
  for (let climbs = 0; current !== null && climbs < climbsMax; climbs += 1) {
    if (isWanted(current)) return current
    current = current.parent
  }
  return null
}

function isData(value: unknown): boolean {
  for (const _ in Object(value)) return typeof value === 'object'
  return false
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
