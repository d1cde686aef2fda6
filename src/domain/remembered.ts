// What was read of a short text is kept for the next advert that says the same: adverts repeat their lines, feeds their words.

/** Distinct texts that are kept; past it all are forgotten, and the common ones are soon back. */
const MAX_KEPT = 5000
// Longer ones hardly come twice.
const MAX_LENGTH = 120

/** The same function, which must be pure and whose answers nobody may change, quicker for short texts that come again. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>()
  return text => {
    if (text.length > MAX_LENGTH) return read(text)
    const known = kept.get(text)
    if (known !== undefined || kept.has(text)) return known as T
    // A piece of a page is a view of all of it, and would keep all of it in memory: a copy is not.
    const own = Buffer.from(text, 'utf16le').toString('utf16le')
    const value = read(own)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(own, value)
    return value
  }
}
