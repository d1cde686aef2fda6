// A reading that is done once for each text: feeds repeat the same few words in every advert.

/** `read`, remembered for as many texts as `limit`; then it starts afresh. `read` must depend on the text alone. */
export function remembered<Value>(limit: number, read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, { value: Value }>()
  return text => {
    const kept = known.get(text)
    if (kept !== undefined) return kept.value
    if (known.size >= limit) known.clear()
    // A copy: a piece cut out of a large text keeps all of it in memory.
    const key = Buffer.from(text, 'utf16le').toString('utf16le')
    const value = read(key)
    known.set(key, { value })
    return value
  }
}
