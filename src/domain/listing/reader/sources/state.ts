/**
 * Reads the embedded data of a page. The object of this page's listing is recognized by the id of the URL; branches
 * about other listings, places nearby and the portal are left out.
 */
import type { JsonNode } from '../../json-ld.ts'
import type { PageIdentity } from '../page-identity.ts'
import type { Candidate } from '../page-listing.ts'
import type { Branch } from './state-candidates.ts'
import type { StateDocument } from './state-documents.ts'
import { findInChain, getKeyFacts } from './state-key-facts.ts'
import type { StateKind } from './state-key-words.ts'
import { strongKinds } from './state-keys.ts'
import { MemberReader } from './state-members.ts'
import type { Node } from './state-parts.ts'

export interface StateContext {
  identity: PageIdentity
  url: string
  /** What an area without a unit means; null if unknown. */
  isMetric: boolean | null
  /** True if the provinces of the country are called counties. */
  hasCounties: boolean
}

const depthMax = 40
/** Objects and their keys. Typical pages have 1,000 to 15,000. */
const visitsMax = 50_000
/** Members of one object. Listings have 200, and a list of listings by id has as many as it has listings. */
const entriesMax = 5000
const schemaNodesMax = 100
const embeddedJsonMax = 2_000_000
export interface StateReading {
  candidates: Candidate[]
  /** JSON-LD inside the data. */
  schemaNodes: JsonNode[]
}

/** Candidates from all documents of the page. Never throws. */
export function readState(documents: readonly StateDocument[], context: StateContext): StateReading {
  const reader = new StateReader(context)
  for (const { where, value, isAttribute } of documents) {
    const facts = getKeyFacts(where)
    reader.visit(value, {
      keys: { facts, above: null },
      path: { text: where, above: null },
      ownDepth: null,
      isAdvertiser: false,
      isForeign: false,
      isTracking: facts.isTracking,
      isWeak: false,
      isAttribute,
      isInList: false,
      depth: 0,
    })
  }
  return { candidates: reader.members.found.finish(), schemaNodes: reader.schemaNodes }
}

class StateReader {
  #visits = visitsMax
  #embedded = embeddedJsonMax
  readonly schemaNodes: JsonNode[] = []
  readonly context: StateContext
  readonly members: MemberReader

  constructor(context: StateContext) {
    this.context = context
    this.members = new MemberReader(context)
  }

  visit(value: unknown, branch: Branch): void {
    this.#visits -= 1
    if (this.#visits < 0 || branch.depth > depthMax) return
    if (Array.isArray(value)) this.#visitList(value, branch)
    else if (typeof value === 'string') this.#visitText(value, branch)
    else if (typeof value === 'object' && value !== null) this.#visitNode(value as Node, branch)
  }

  #visitList(list: readonly unknown[], branch: Branch): void {
    let objectsCount = 0
    for (const item of list) if (typeof item === 'object' && item !== null) objectsCount += 1
    for (let index = 0; index < list.length && this.#visits > 0; index += 1) {
      const item = list[index]
      if (typeof item === 'string') this.#visitText(item, branch)
      else if (typeof item === 'object' && item !== null)
        this.visit(item, {
          ...branch,
          path: { text: `[${index}]`, above: branch.path },
          depth: branch.depth + 1,
          isInList: objectsCount > 1,
        })
    }
  }

  /** JSON inside a string. */
  #visitText(text: string, branch: Branch): void {
    if (!mayBeJson(text) || text.length > this.#embedded) return
    this.#embedded -= text.length
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object') this.visit(value, { ...branch, depth: branch.depth + 1 })
    } catch {
      // An ordinary text.
    }
  }

  #visitNode(node: Node, outer: Branch): void {
    const strong = new Set<StateKind>()
    const entries = listEntries(node)
    this.#visits -= entries.length
    if (this.#visits < 0) return
    for (const [key, value] of entries) {
      const { kind } = getKeyFacts(key)
      if (kind !== null && strongKinds.has(kind) && !isEmpty(value)) strong.add(kind)
    }
    // JSON-LD is read by its own rules.
    if (typeof node['@type'] === 'string') {
      if (this.schemaNodes.length < schemaNodesMax) this.schemaNodes.push(node)
      return
    }
    const ownId = this.#findOwnId(node, strong.size)
    const isOwn = ownId !== null
    // Inside of the listing's object, other things may have its id: services for it, the search for similar ones.
    const staysForeign = outer.isForeign && outer.ownDepth !== null && !outer.isWeak
    const branch: Branch = {
      ...outer,
      ...(isOwn
        ? {
            ownDepth: 0,
            isForeign: staysForeign || findInChain(outer.keys, ({ isMeta }) => isMeta) !== undefined,
            isAdvertiser: false,
            isWeak: strong.size < 3,
          }
        : { ownDepth: outer.ownDepth === null ? null : outer.ownDepth + 1 }),
      isInList: false,
    }
    // Several objects of this kind in a list are other listings.
    if (outer.isInList && !isOwn && strong.size >= 3) branch.isForeign = true
    if (isOwn && !branch.isForeign && /^[^/]*\d[^/]*$/.test(ownId))
      this.members.found.add(
        { reference: ownId },
        {
          ...branch,
          keys: { facts: getKeyFacts('externalId'), above: null },
          path: { text: ' id', above: branch.path },
        },
      )
    this.members.readPoint(node, strong, branch)
    const isPair = this.members.readPair(node, branch)
    for (const [key, value] of entries) {
      if (isEmpty(value)) continue
      const facts = getKeyFacts(key)
      const isNested = typeof value === 'object' || (typeof value === 'string' && mayBeJson(value))
      const isOwnKey = typeof value === 'object' && this.context.identity.isOwnKey(key)
      // `properties: [{ … }]` inside of a listing's own object is that listing.
      const isWhole = branch.ownDepth !== null && isOnlyItem(key, value)
      const isForeign = !isOwnKey && (branch.isForeign || (facts.isForeign && !isWhole) || facts.isMeta)
      const isRead = !branch.isForeign && !isForeign && !isPair && this.members.mayRead(facts, value, branch)
      if (!isNested && !isRead) continue
      const next: Branch = {
        ...branch,
        keys: { facts, above: branch.keys },
        path: { text: `.${key}`, above: branch.path },
        isAdvertiser: branch.isAdvertiser || facts.isAdvertiser,
        isForeign,
        isTracking: branch.isTracking || facts.isTracking,
        depth: branch.depth + 1,
        ...(isOwnKey && { ownDepth: 0, isWeak: false }),
      }
      if (isRead) this.members.readMember(key, value, strong, node, next)
      if (isNested) this.visit(value, next)
    }
  }

  /** The value of the node that is the id or the address of the page. */
  #findOwnId(node: Node, strongCount: number): string | null {
    if (strongCount < 1) return null
    for (const key in node) {
      const value = node[key]
      if (typeof value !== 'string' && typeof value !== 'number') continue
      if (getKeyFacts(key).isId && this.context.identity.isOwn(value)) return String(value)
    }
    return null
  }
}

function isOnlyItem(key: string, value: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && /^(?:properties|listings|units)$/i.test(key)
}

function listEntries(node: Node): [key: string, value: unknown][] {
  const entries: [string, unknown][] = []
  for (const key in node) {
    if (entries.length === entriesMax) break
    entries.push([key, node[key]])
  }
  return entries
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/** True for texts that begin like an object or a list. */
function mayBeJson(text: string): boolean {
  return text.length >= 20 && /^\s*[[{]/.test(text)
}
