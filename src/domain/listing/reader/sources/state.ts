/**
 * Reads the embedded data of a page. The object of this page's listing is recognized by the id of the URL; branches
 * about other listings, places nearby and the portal are left out.
 */
import { parseCoordinates } from '../../values.ts'
import type { PageIdentity } from '../page-identity.ts'
import type { Candidate } from '../page-listing.ts'
import type { StateDocument } from './state-documents.ts'
import {
  advertiserKinds,
  findKind,
  isAdvertiserKey,
  isForeignKey,
  isGenericKey,
  normalizeKey,
  type StateKind,
} from './state-keys.ts'
import { decodeDegrees, findImage, findUnit, type Node, toLabel } from './state-parts.ts'
import { readFeatures, readStateValue } from './state-values.ts'

export interface StateContext {
  identity: PageIdentity
  url: string
  /** What an area without a unit means; null if unknown. */
  isMetric: boolean | null
}

/** Where the traversal is. */
interface Branch {
  /** Normalized keys from the listing's object, or from the document. */
  keys: readonly string[]
  path: string
  /** Depth below the object with the page's id; null outside of it. */
  ownDepth: number | null
  isAdvertiser: boolean
  isForeign: boolean
  isAttribute: boolean
  depth: number
}

const depthMax = 40
const visitsMax = 300_000
const candidatesMax = 3000
const embeddedJsonMax = 2_000_000
const weights = { own: 0.88, alone: 0.6, beside: 0.4, attribute: 0.45, perLevel: 0.03 }

/** Keys that many objects have: they count only beside keys that are typical of a listing. */
const commonKeys = new Set(
  `type tipo name title titulo titel number nr state status area level location zone zona body text amount mode category section channel contract
  position center centre region created h1 subject image media assets contact period frequency land condition size
  description desc country code user professional level town point address comments photo images photos published address1 features highlights
  currency m2 street route via calle ref reference epc land plot room bed bath floor phone bullets extras`.split(
    /\s+/,
  ),
)
const strongKinds = new Set<StateKind>([
  'price',
  'area',
  'areaFeet',
  'rooms',
  'bedrooms',
  'bathrooms',
  'postcode',
  'municipality',
  'latitude',
  'year',
  'plotArea',
  'usableArea',
  'description',
  'operation',
  'neighbourhood',
  'province',
  'publishedAt',
])

/** Candidates from all documents of the page. Never throws. */
export function readState(documents: readonly StateDocument[], context: StateContext): Candidate[] {
  const reader = new StateReader(context)
  for (const { where, value, isAttribute } of documents)
    reader.visit(value, {
      keys: [normalizeKey(where)],
      path: where,
      ownDepth: null,
      isAdvertiser: false,
      isForeign: false,
      isAttribute,
      depth: 0,
    })
  return reader.finish()
}

class StateReader {
  #found: { candidate: Candidate; isOwn: boolean }[] = []
  #visits = visitsMax
  #embedded = embeddedJsonMax
  readonly context: StateContext

  constructor(context: StateContext) {
    this.context = context
  }

  /** Values outside the listing's own object are trusted less if there is such an object. */
  finish(): Candidate[] {
    const hasOwn = this.#found.some(({ isOwn }) => isOwn)
    return this.#found.map(({ candidate, isOwn }) =>
      isOwn || !hasOwn
        ? candidate
        : { ...candidate, weight: candidate.weight - weights.alone + weights.beside },
    )
  }

  visit(value: unknown, branch: Branch): void {
    this.#visits -= 1
    if (this.#visits < 0 || branch.depth > depthMax) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        if (typeof item === 'object' && item !== null)
          this.visit(item, { ...branch, path: `${branch.path}[${index}]`, depth: branch.depth + 1 })
        else if (typeof item === 'string') this.#visitText(item, branch)
      return
    }
    if (typeof value === 'string') this.#visitText(value, branch)
    else if (typeof value === 'object' && value !== null) this.#visitNode(value as Node, branch)
  }

  /** JSON inside a string. */
  #visitText(text: string, branch: Branch): void {
    if (text.length < 20 || !/^\s*[[{]/.test(text) || text.length > this.#embedded) return
    this.#embedded -= text.length
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object') this.visit(value, { ...branch, depth: branch.depth + 1 })
    } catch {
      // An ordinary text.
    }
  }

  #visitNode(node: Node, outer: Branch): void {
    const kinds = new Map<string, StateKind>()
    const strong = new Set<StateKind>()
    const entries = Object.entries(node)
    for (const [key, value] of entries) {
      const normalized = normalizeKey(key)
      const kind = findKind(normalized)
      if (kind === null || value === null || value === '' || value === undefined) continue
      kinds.set(key, kind)
      if (strongKinds.has(kind)) strong.add(kind)
    }
    const isOwn = this.#isOwnNode(node, strong.size)
    const branch: Branch = isOwn
      ? { ...outer, ownDepth: 0, isForeign: false, isAdvertiser: false }
      : outer.ownDepth === null
        ? outer
        : { ...outer, ownDepth: outer.ownDepth + 1 }
    this.#readPoint(node, branch)
    const pair = this.#readPair(node, branch)
    for (const [key, value] of entries) {
      if (value === null || value === undefined || value === '') continue
      const normalized = normalizeKey(key)
      const path = `${branch.path}.${key}`
      const isOwnKey = typeof value === 'object' && this.context.identity.isOwnKey(key)
      const next: Branch = {
        ...branch,
        keys: [...branch.keys.slice(-6), normalized],
        path: path.slice(-200),
        isAdvertiser: branch.isAdvertiser || isAdvertiserKey(normalized),
        isForeign: branch.isForeign || isForeignKey(normalized),
        depth: branch.depth + 1,
        ...(isOwnKey && { ownDepth: 0, isForeign: false }),
      }
      if (!branch.isForeign && !next.isForeign && !pair)
        this.#readMember(key, value, kinds, strong, node, next)
      if (typeof value === 'object' || typeof value === 'string') this.visit(value, next)
    }
  }

  #isOwnNode(node: Node, strongCount: number): boolean {
    if (strongCount < 1) return false
    for (const key in node) {
      const value = node[key]
      if (
        (typeof value === 'string' || typeof value === 'number') &&
        idKey.test(key) &&
        this.context.identity.isOwn(value)
      )
        return true
    }
    return false
  }

  #readMember(
    key: string,
    value: unknown,
    kinds: ReadonlyMap<string, StateKind>,
    strong: ReadonlySet<StateKind>,
    node: Node,
    branch: Branch,
  ): void {
    const normalized = branch.keys.at(-1)!
    if (branch.isAdvertiser) {
      const kind = advertiserKinds[normalized] ?? kinds.get(key)
      if (kind === 'advertiserName' || kind === 'phone' || kind === 'advertiserType')
        this.#emit(kind, value, node, branch)
      return
    }
    const generic = isGenericKey(normalized)
      ? findKind(branch.keys.findLast(part => !isGenericKey(part)) ?? '')
      : null
    const own = kinds.get(key) ?? null
    const parent = branch.keys.at(-2) ?? ''
    const isSupported =
      !commonKeys.has(normalized) ||
      strong.size >= (own !== null && strongKinds.has(own) ? 3 : 2) ||
      branch.ownDepth === 1 ||
      branch.ownDepth === 0
    const kind = generic ?? (own !== null && isSupported ? own : null)
    if (kind === null || (normalized === 'amount' && !/pri|rent|cost|precio|preis/.test(parent))) return
    this.#emit(kind, value, node, branch)
  }

  #emit(kind: StateKind, value: unknown, node: Node, branch: Branch): void {
    if (kind === 'images') {
      this.#emitImages(value, branch)
      return
    }
    if (Array.isArray(value)) {
      if (kind === 'features') this.#add(readFeatures(value.slice(0, 200).map(toLabel)), branch)
      else if (value.length === 1 && typeof value[0] !== 'object') this.#emit(kind, value[0], node, branch)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    const unit = findUnit(node, branch.keys.at(-1)!)
    this.#add(readStateValue(kind, value, { unit, isMetric: this.context.isMetric }), branch)
  }

  #emitImages(value: unknown, branch: Branch): void {
    if (!Array.isArray(value) || value.length === 0) return
    const images = new Set<string>()
    for (const item of value.slice(0, 300)) {
      const image = findImage(item, this.context.url)
      if (image !== null) images.add(image)
    }
    if (images.size > 0) this.#add({ images: [...images] }, branch)
  }

  #readPoint(node: Node, branch: Branch): void {
    if (branch.isForeign || branch.isAdvertiser) return
    const byKind = (kind: StateKind) => {
      const key = Object.keys(node).find(name => findKind(normalizeKey(name)) === kind)
      return key === undefined ? undefined : decodeDegrees(node[key])
    }
    const isGeoJson = node.type === 'Point' && Array.isArray(node.coordinates)
    const [longitude, latitude] = isGeoJson
      ? (node.coordinates as unknown[])
      : [byKind('longitude'), byKind('latitude')]
    const point = parseCoordinates(latitude, longitude)
    if (point !== null) this.#add(point, { ...branch, path: `${branch.path} point` })
  }

  /** `{ name: 'Bathrooms', value: '2' }`. True if the node is such a pair. */
  #readPair(node: Node, branch: Branch): boolean {
    const label = pairLabels.map(key => node[key]).find(value => typeof value === 'string')
    const valueKey = pairValues.find(key => node[key] !== undefined && node[key] !== null)
    if (typeof label !== 'string' || valueKey === undefined || label.length > 60) return false
    const value = node[valueKey]
    const kind = findKind(normalizeKey(label))
    if (branch.isForeign || branch.isAdvertiser || typeof value === 'object' || kind === null) return false
    this.#emit(kind, value, node, {
      ...branch,
      keys: [...branch.keys, normalizeKey(label)],
      path: `${branch.path} ${label}`,
    })
    return true
  }

  #add(found: object, branch: Branch): void {
    const isOwn = branch.ownDepth !== null
    const base = branch.isAttribute
      ? isOwn
        ? weights.own - 0.2
        : weights.attribute
      : isOwn
        ? weights.own
        : weights.alone
    const weight = Math.max(0.2, base - Math.min(branch.ownDepth ?? 0, 6) * weights.perLevel)
    for (const [field, value] of Object.entries(found)) {
      if (this.#found.length >= candidatesMax) return
      this.#found.push({
        candidate: { field, value, source: 'state', where: branch.path, weight } as Candidate,
        isOwn,
      })
    }
  }
}

const idKey = /id$|^id|ref|code|url|slug|path|permalink|link|uri|number|key|sku/i
const pairLabels = ['name', 'label', 'key', 'attr_name', 'title', 'code', 'slug', 'id', 'type']
const pairValues = ['value', 'displayValue', 'values', 'text', 'content', 'val']
