/** Reads the members of objects in embedded data: values by their keys, pairs of label and value, points, photos. */
import { parseCoordinates } from '../../values.ts'
import { type Branch, StateCandidates } from './state-candidates.ts'
import { findInChain, getKeyFacts, type KeyFacts, toLabelFacts } from './state-key-facts.ts'
import type { StateKind } from './state-key-words.ts'
import { advertiserKinds, findKind, normalizeKey, strongKinds } from './state-keys.ts'
import {
  decodeDegrees,
  findImage,
  findUnit,
  isApproximatePlace,
  listLabels,
  type Node,
} from './state-parts.ts'
import { readFeatureKey, readFeatures, readStateValue } from './state-values.ts'

const imagesMax = 300
const areaKinds = new Set<StateKind>(['area', 'usableArea', 'plotArea'])

/** People who sell their own home have none. */
const companyKey = /compan|agenc|branch|broker|office|legalname|tradingname/

interface MemberContext {
  url: string
  /** What an area without a unit means; null if unknown. */
  isMetric: boolean | null
  /** True if the provinces of the country are called counties. */
  hasCounties: boolean
}

/** Collects candidates from members. */
export class MemberReader {
  readonly found = new StateCandidates()
  readonly context: MemberContext

  constructor(context: MemberContext) {
    this.context = context
  }

  /** False if no member with this key can be a candidate. */
  mayRead(facts: KeyFacts, value: unknown, outer: Branch): boolean {
    return (
      !this.found.isFull &&
      (facts.kind !== null ||
        facts.isGeneric ||
        facts.isAdvertiser ||
        facts.advertiserKind !== null ||
        outer.isAdvertiser ||
        value === true)
    )
  }

  /** `strong`: the kinds of the node's keys that are typical of a listing. */
  readMember(key: string, value: unknown, strong: ReadonlySet<StateKind>, node: Node, branch: Branch): void {
    const { facts } = branch.keys
    const { normalized } = facts
    if (value === true) this.found.add(readFeatureKey(key), branch)
    // `{ agency: 'Fincas' }`
    if (typeof value === 'string' && facts.isAdvertiser && (branch.ownDepth !== null || strong.size > 1))
      this.#emit('advertiserName', value, node, branch)
    const advertiserKind = branch.isAdvertiser
      ? (advertiserKinds[normalized] ??
        // `phones: [{ number: '…' }]`
        (facts.kind === 'number' && branch.keys.above?.facts.kind === 'phone' ? 'phone' : facts.kind))
      : facts.advertiserKind
    if (branch.isAdvertiser || advertiserKind !== null) {
      if (
        advertiserKind === 'advertiserName' ||
        advertiserKind === 'phone' ||
        advertiserKind === 'advertiserType'
      )
        this.#emit(advertiserKind, value, node, branch)
      if (advertiserKind === 'advertiserName' && typeof value === 'string' && companyKey.test(normalized))
        this.found.add({ advertiserType: 'agency' }, branch)
      return
    }
    const own = facts.kind
    const above = facts.isGeneric ? findInChain(branch.keys, part => !part.isGeneric) : undefined
    const isSupported =
      !facts.isCommon ||
      branch.ownDepth === 0 ||
      (own === 'images' && branch.ownDepth !== null) ||
      strong.size >= (own !== null && strongKinds.has(own) ? 3 : 2)
    const kind = above?.kind ?? (own !== null && isSupported ? own : null)
    const parent = branch.keys.above?.facts
    if (
      kind === null ||
      (normalized === 'amount' && !/pri|rent|cost|precio|preis/.test(parent?.normalized ?? ''))
    )
      return
    if (kind === 'area' && parent?.isRoom) return
    // Elsewhere a county is no province.
    if (normalized === 'county' && !this.context.hasCounties) return
    this.#emit(kind === 'area' && parent?.kind === 'plotArea' ? 'plotArea' : kind, value, node, branch)
  }

  #emit(kind: StateKind, value: unknown, node: Node, branch: Branch): void {
    if (kind === 'images') {
      this.#emitImages(value, branch)
      return
    }
    if (Array.isArray(value)) {
      if (kind === 'features') this.found.add(readFeatures(listLabels(value)), branch)
      else if ((value.length === 1 || kind === 'phone') && typeof value[0] !== 'object')
        this.#emit(kind, value[0], node, branch)
      return
    }
    if (kind === 'features' && typeof value === 'object' && value !== null) {
      this.found.add(readFeatures(listLabels(value)), branch)
      return
    }
    if (typeof value === 'object' && value !== null) {
      this.#emitRange(kind, value as Node, branch)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    const unit = areaKinds.has(kind) ? findUnit(node, branch.keys.facts.normalized) : null
    this.found.add(readStateValue(kind, value, { unit, isMetric: this.context.isMetric }), branch)
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
    for (const item of value.slice(0, imagesMax)) {
      const image = findImage(item, this.context.url)
      if (image !== null) images.add(image)
    }
    if (images.size > 0) this.found.add({ images: [...images] }, branch)
  }

  readPoint(node: Node, strong: ReadonlySet<StateKind>, branch: Branch): void {
    const isGeoJson = node.type === 'Point' && Array.isArray(node.coordinates)
    if (branch.isForeign || branch.isAdvertiser || !(isGeoJson || strong.has('latitude'))) return
    if (isApproximatePlace(node)) return
    const byKind = (kind: StateKind) => {
      const key = Object.keys(node).find(name => getKeyFacts(name).kind === kind)
      return key === undefined ? undefined : decodeDegrees(node[key])
    }
    const [longitude, latitude] = isGeoJson
      ? (node.coordinates as unknown[])
      : [byKind('longitude'), byKind('latitude')]
    const point = parseCoordinates(latitude, longitude)
    if (point !== null) this.found.add(point, { ...branch, path: { text: ' point', above: branch.path } })
  }

  /** `{ name: 'Bathrooms', value: '2' }`. True if the node is such a pair. */
  readPair(node: Node, branch: Branch): boolean {
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
      this.#emit(kind, node[valueKey], node, {
        ...branch,
        keys: { facts: toLabelFacts(normalized), above: branch.keys },
        path: { text: ` ${label}`, above: branch.path },
      })
      return true
    }
    return false
  }
}

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
