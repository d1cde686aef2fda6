/** What the keys of embedded data mean, determined once for each key: data repeats its keys hundreds of times. */
import type { StateKind } from './state-key-words.ts'
import {
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
} from './state-keys.ts'

export interface KeyFacts {
  /** Letters and digits in lower case. */
  normalized: string
  kind: StateKind | null
  /** The kind of a key that names the advertiser itself (`agencyPhone`). */
  advertiserKind: StateKind | 'other' | null
  isAdvertiser: boolean
  isForeign: boolean
  isMeta: boolean
  isTracking: boolean
  isGeneric: boolean
  isCommon: boolean
  isRoom: boolean
  /** True if the value may be the id or the address of a listing. */
  isId: boolean
}

/** A key with those above it, up to the document. */
export interface KeyChain {
  facts: KeyFacts
  above: KeyChain | null
}

/** Longer keys are no words. */
const keyMax = 100
const cacheMax = 20_000
const factsByKey = new Map<string, KeyFacts>()
const idKey = /id$|^id|ref|code|url|slug|path|permalink|link|uri|number|key|sku/i
const notIdKey = /post|zip|plz|cap$|phone|search/i
/** Keys of a chain that are considered. */
const chainMax = 7

export function getKeyFacts(key: string): KeyFacts {
  const known = factsByKey.get(key)
  if (known !== undefined) return known
  const facts = createFacts(key)
  if (key.length > keyMax) return facts
  if (factsByKey.size >= cacheMax) factsByKey.clear()
  factsByKey.set(key, facts)
  return facts
}

function createFacts(key: string): KeyFacts {
  const normalized = normalizeKey(key)
  return {
    normalized,
    kind: findKind(normalized),
    advertiserKind: findAdvertiserKind(normalized),
    isAdvertiser: isAdvertiserKey(normalized),
    isForeign: isForeignKey(normalized),
    isMeta: isMetaKey(normalized),
    isTracking: isTrackingKey(normalized),
    isGeneric: isGenericKey(normalized),
    isCommon: commonKeys.has(normalized),
    isRoom: isRoomKey(normalized),
    isId: idKey.test(key) && !notIdKey.test(key),
  }
}

const labelFacts = createFacts('')

/** The facts of a label that stands in a value. Values are not kept, as they may hold on to their page. */
export function toLabelFacts(normalized: string): KeyFacts {
  return { ...labelFacts, normalized, kind: findKind(normalized) }
}

/** The nearest key of a chain for which the condition holds, or undefined. */
export function findInChain(
  chain: KeyChain | null,
  isFound: (facts: KeyFacts) => boolean,
): KeyFacts | undefined {
  let current = chain
  for (let count = 0; current !== null && count < chainMax; count += 1) {
    if (isFound(current.facts)) return current.facts
    current = current.above
  }
  return undefined
}
