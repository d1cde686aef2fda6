/**
 * Reads the embedded data of a page. The object of this page's listing is recognized by the id of the URL; branches
 * about other listings, places nearby and the portal are left out.
 */
import type { JsonNode } from '../../json-ld.ts'
import { parseCoordinates } from '../../values.ts'
import type { PageIdentity } from '../page-identity.ts'
import type { Candidate } from '../page-listing.ts'
import { type Branch, StateCandidates } from './state-candidates.ts'
import type { StateDocument } from './state-documents.ts'
import {
  advertiserKinds,
  commonKeys,
  findAdvertiserKind,
  findKind,
  isAdvertiserKey,
  isForeignKey,
  isGenericKey,
  isMetaKey,
  isRoomKey,
  isTrackingKey,
  normalizeKey,
  type StateKind,
  strongKinds,
} from './state-keys.ts'
import { decodeDegrees, findImage, findUnit, isApproximatePlace, type Node, toLabel } from './state-parts.ts'
import { readFeatureKey, readFeatures, readStateValue } from './state-values.ts'

export interface StateContext {
  identity: PageIdentity
  url: string
  /** What an area without a unit means; null if unknown. */
  isMetric: boolean | null
  /** True if the provinces of the country are called counties. */
  hasCounties: boolean
}

const depthMax = 40
const visitsMax = 300_000
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
  for (const { where, value, isAttribute } of documents)
    reader.visit(value, {
      keys: [normalizeKey(where)],
      path: where,
      ownDepth: null,
      isAdvertiser: false,
      isForeign: false,
      isTracking: isTrackingKey(normalizeKey(where)),
      isWeak: false,
      isAttribute,
      isInList: false,
      depth: 0,
    })
  return { candidates: reader.finish(), schemaNodes: reader.schemaNodes }
}

class StateReader {
  #found = new StateCandidates()
  #visits = visitsMax
  #embedded = embeddedJsonMax
  readonly schemaNodes: JsonNode[] = []
  readonly context: StateContext

  constructor(context: StateContext) {
    this.context = context
  }

  finish(): Candidate[] {
    return this.#found.finish()
  }

  visit(value: unknown, branch: Branch): void {
    this.#visits -= 1
    if (this.#visits < 0 || branch.depth > depthMax) return
    if (Array.isArray(value)) {
      const objectsCount = value.filter(item => typeof item === 'object' && item !== null).length
      for (const [index, item] of value.entries())
        if (typeof item === 'object' && item !== null)
          this.visit(item, {
            ...branch,
            path: `${branch.path}[${index}]`,
            depth: branch.depth + 1,
            isInList: objectsCount > 1,
          })
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
            isForeign: staysForeign || outer.keys.some(isMetaKey),
            isAdvertiser: false,
            isWeak: strong.size < 3,
          }
        : { ownDepth: outer.ownDepth === null ? null : outer.ownDepth + 1 }),
      isInList: false,
    }
    // Several objects of this kind in a list are other listings.
    if (outer.isInList && !isOwn && strong.size >= 3) branch.isForeign = true
    if (isOwn && !branch.isForeign && /^[^/]*\d[^/]*$/.test(ownId))
      this.#found.add({ reference: ownId }, { ...branch, keys: ['externalid'], path: `${branch.path} id` })
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
        isForeign: branch.isForeign || isForeignKey(normalized) || isMetaKey(normalized),
        isTracking: branch.isTracking || isTrackingKey(normalized),
        depth: branch.depth + 1,
        ...(isOwnKey && { ownDepth: 0, isForeign: false, isWeak: false }),
      }
      if (!branch.isForeign && !next.isForeign && !pair)
        this.#readMember(key, value, kinds, strong, node, next)
      if (typeof value === 'object' || typeof value === 'string') this.visit(value, next)
    }
  }

  /** The value of the node that is the id or the address of the page. */
  #findOwnId(node: Node, strongCount: number): string | null {
    if (strongCount < 1) return null
    for (const key in node) {
      const value = node[key]
      if (typeof value !== 'string' && typeof value !== 'number') continue
      if (idKey.test(key) && !notIdKey.test(key) && this.context.identity.isOwn(value)) return String(value)
    }
    return null
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
    if (value === true) this.#found.add(readFeatureKey(key), branch)
    // `{ agency: 'Fincas' }`
    if (
      typeof value === 'string' &&
      isAdvertiserKey(normalized) &&
      (branch.ownDepth !== null || strong.size > 1)
    )
      this.#emit('advertiserName', value, node, branch)
    const advertiserKind = branch.isAdvertiser
      ? (advertiserKinds[normalized] ?? kinds.get(key) ?? null)
      : findAdvertiserKind(normalized)
    if (branch.isAdvertiser || advertiserKind !== null) {
      if (
        advertiserKind === 'advertiserName' ||
        advertiserKind === 'phone' ||
        advertiserKind === 'advertiserType'
      )
        this.#emit(advertiserKind, value, node, branch)
      return
    }
    const own = kinds.get(key) ?? null
    const above = isGenericKey(normalized) ? branch.keys.findLast(part => !isGenericKey(part)) : undefined
    const isSupported =
      !commonKeys.has(normalized) ||
      branch.ownDepth === 0 ||
      (own === 'images' && branch.ownDepth !== null) ||
      strong.size >= (own !== null && strongKinds.has(own) ? 3 : 2)
    const kind = (above === undefined ? null : findKind(above)) ?? (own !== null && isSupported ? own : null)
    const parent = branch.keys.at(-2) ?? ''
    if (kind === null || (normalized === 'amount' && !/pri|rent|cost|precio|preis/.test(parent))) return
    if (kind === 'area' && isRoomKey(parent)) return
    // Elsewhere a county is no province.
    if (normalized === 'county' && !this.context.hasCounties) return
    this.#emit(kind === 'area' && findKind(parent) === 'plotArea' ? 'plotArea' : kind, value, node, branch)
  }

  #emit(kind: StateKind, value: unknown, node: Node, branch: Branch): void {
    if (kind === 'images') {
      this.#emitImages(value, branch)
      return
    }
    if (Array.isArray(value)) {
      if (kind === 'features') this.#found.add(readFeatures(value.slice(0, 200).map(toLabel)), branch)
      else if ((value.length === 1 || kind === 'phone') && typeof value[0] !== 'object')
        this.#emit(kind, value[0], node, branch)
      return
    }
    if (typeof value === 'object' && value !== null) {
      this.#emitRange(kind, value as Node, branch)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    const unit = findUnit(node, branch.keys.at(-1)!)
    this.#found.add(readStateValue(kind, value, { unit, isMetric: this.context.isMetric }), branch)
  }

  /** `{ min: 3, max: 3 }` is one value. */
  #emitRange(kind: StateKind, range: Node, branch: Branch): void {
    const low = range.min ?? range.minimum ?? range.from
    const high = range.max ?? range.maximum ?? range.to
    if (
      (typeof low !== 'number' && typeof low !== 'string') ||
      (typeof high !== 'number' && typeof high !== 'string')
    )
      return
    if (low === high) this.#emit(kind, low, range, branch)
    else if (kind === 'price') {
      this.#emit('priceMin', low, range, branch)
      this.#emit('priceMax', high, range, branch)
    }
  }

  #emitImages(value: unknown, branch: Branch): void {
    if (!Array.isArray(value) || value.length === 0) return
    const images = new Set<string>()
    for (const item of value.slice(0, 300)) {
      const image = findImage(item, this.context.url)
      if (image !== null) images.add(image)
    }
    if (images.size > 0) this.#found.add({ images: [...images] }, branch)
  }

  #readPoint(node: Node, branch: Branch): void {
    if (branch.isForeign || branch.isAdvertiser || isApproximatePlace(node)) return
    const byKind = (kind: StateKind) => {
      const key = Object.keys(node).find(name => findKind(normalizeKey(name)) === kind)
      return key === undefined ? undefined : decodeDegrees(node[key])
    }
    const isGeoJson = node.type === 'Point' && Array.isArray(node.coordinates)
    const [longitude, latitude] = isGeoJson
      ? (node.coordinates as unknown[])
      : [byKind('longitude'), byKind('latitude')]
    const point = parseCoordinates(latitude, longitude)
    if (point !== null) this.#found.add(point, { ...branch, path: `${branch.path} point` })
  }

  /** `{ name: 'Bathrooms', value: '2' }`. True if the node is such a pair. */
  #readPair(node: Node, branch: Branch): boolean {
    if (branch.isForeign || branch.isAdvertiser) return false
    const valueKey = pairValues.find(key => {
      const value = node[key]
      return value !== undefined && value !== null && typeof value !== 'object'
    })
    if (valueKey === undefined) return false
    for (const labelKey of pairLabels) {
      const label = node[labelKey]
      if (typeof label !== 'string' || label.length > 60 || labelKey === valueKey) continue
      const normalized = normalizeKey(label)
      const kind = findKind(normalized)
      if (kind === null || notPairKinds.has(kind)) continue
      const keys = [...branch.keys, normalized]
      this.#emit(kind, node[valueKey], node, { ...branch, keys, path: `${branch.path} ${label}` })
      return true
    }
    return false
  }
}

const idKey = /id$|^id|ref|code|url|slug|path|permalink|link|uri|number|key|sku/i
const notIdKey = /post|zip|plz|cap$|phone|search/i
/** Words that are values as often as labels. */
const notPairKinds = new Set<StateKind>([
  'title',
  'type',
  'images',
  'features',
  'number',
  'operation',
  'advertiserName',
])
const pairLabels = [
  'name',
  'label',
  'key',
  'attr_name',
  'title',
  'type',
  'placeType',
  'code',
  'slug',
  'id',
  'fieldName',
  'attribute',
]
const pairValues = ['value', 'displayValue', 'text', 'content', 'val', 'Content', 'long_name', 'longText']
