/** A bounded cache for pure functions of short texts: listings repeat their lines, and feeds repeat their words. */

/**
 * Maximum number of cached texts. When it is reached, the whole cache is cleared; common texts are soon cached again.
 */
const entriesMax = 5000
/** Longer texts rarely repeat, so they are not cached. */
const keyLengthMax = 120

/** Caches the results of `compute`, which must be pure. Callers must not modify the returned values. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  return text => {
    if (text.length > keyLengthMax) return compute(text)
    const cached = cache.get(text)
    if (cached !== undefined || cache.has(text)) return cached as T
    // A slice of a page references the whole page and would keep it in memory, so the key is a copy.
    const ownCopy = Buffer.from(text, 'utf16le').toString('utf16le')
    const value = compute(ownCopy)
    if (cache.size >= entriesMax) cache.clear()
    cache.set(ownCopy, value)
    return value
  }
}
