/** Collects the candidates of embedded data, weighted by where they are. */
import type { Candidate } from '../page-listing.ts'
import type { KeyChain } from './state-key-facts.ts'

/** A step of the path to a value. The text of the path is only made for values that are found. */
export interface PathStep {
  text: string
  above: PathStep | null
}

/** Where the traversal is. */
export interface Branch {
  keys: KeyChain
  path: PathStep
  /** Depth below the object with the page's id; null outside of it. */
  ownDepth: number | null
  isAdvertiser: boolean
  isForeign: boolean
  isTracking: boolean
  /** True if the object with the page's id has little of a listing. */
  isWeak: boolean
  isAttribute: boolean
  /** True for an item of a list with several objects. */
  isInList: boolean
  depth: number
}

const candidatesMax = 3000
const pathMax = 200
const weights = {
  own: 0.88,
  weak: 0.74,
  alone: 0.6,
  beside: 0.4,
  attribute: 0.45,
  tracking: 0.2,
  perLevel: 0.04,
  attributeDoubt: 0.2,
  doubt: 0.15,
  min: 0.15,
}

export class StateCandidates {
  #found: { candidate: Candidate; isOwn: boolean }[] = []

  get isFull(): boolean {
    return this.#found.length >= candidatesMax
  }

  /** Adds the fields of `found`. */
  add(found: object, branch: Branch): void {
    const entries = Object.entries(found)
    if (entries.length === 0) return
    const isOwn = branch.ownDepth !== null
    const where = toPath(branch.path)
    for (const [field, value] of entries) {
      if (this.isFull) return
      const weight = computeWeight(value, branch)
      const candidate = { field, value, source: 'state', where, weight } as Candidate
      this.#found.push({ candidate, isOwn })
    }
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
}

/** The end of a path. */
function toPath(last: PathStep): string {
  let path = ''
  for (let step: PathStep | null = last; step !== null && path.length < pathMax; step = step.above)
    path = step.text + path
  return path.slice(-pathMax)
}

function computeWeight(value: unknown, branch: Branch): number {
  const own = (branch.isWeak ? weights.weak : weights.own) - (branch.isAttribute ? weights.attributeDoubt : 0)
  const alone = branch.isAttribute ? weights.attribute : weights.alone
  const level = Math.min(branch.ownDepth ?? 0, 5) * weights.perLevel
  const doubts = countDoubts(value, branch.keys.facts.normalized) * weights.doubt
  const base = branch.ownDepth === null ? alone : own
  return Math.max(weights.min, base - level - doubts - (branch.isTracking ? weights.tracking : 0))
}

/** Slugs (`nura_r-n`, `astana`), and values that another key of the same object may state more exactly. */
function countDoubts(value: unknown, key: string): number {
  const isVague = /^(?:county|region|district|zone|area|total|gross|external)/.test(key)
  return (typeof value === 'string' && isSlug(value) ? 1 : 0) + (isVague ? 0.6 : 0)
}

function isSlug(value: string): boolean {
  if (value.length >= 60) return false
  return /\p{L}_\p{L}/u.test(value) || (value === value.toLowerCase() && /^\p{L}/u.test(value))
}
