/** What was read of a short text is kept for the next advert that says the same: adverts repeat their lines, feeds their words. */

/** Distinct texts that are kept; past it all are forgotten, and the common ones are soon back. */
const entriesMax = 5000
// Longer ones hardly come twice.
const keyLengthMax = 120

/** The same function, which must be pure and whose answers nobody may change, quicker for short texts that come again. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  return text => {
    if (text.length > keyLengthMax) return compute(text)
    const cached = cache.get(text)
    if (cached !== undefined || cache.has(text)) return cached as T
    // A piece of a page is a view of all of it, and would keep all of it in memory: a copy is not.
    const ownCopy = Buffer.from(text, 'utf16le').toString('utf16le')
    const value = compute(ownCopy)
    if (cache.size >= entriesMax) cache.clear()
    cache.set(ownCopy, value)
    return value
  }
}
