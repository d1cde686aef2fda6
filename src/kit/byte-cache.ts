/** A cache in memory, bounded in bytes and in time. */

export interface ByteCache<T> {
  /** Undefined if there is none, or if it is too old. */
  find(key: string): T | undefined
  store(key: string, value: T): void
}

/** When the cache is full, the values that were stored first are evicted. */
export function createByteCache<T>(options: {
  maxBytes: number
  /** How long a value is kept. */
  ttlMs: number
  sizeOf: (value: T) => number
}): ByteCache<T> {
  const entries = new Map<string, { value: T; endsMs: number }>()
  let storedBytes = 0
  const remove = (key: string) => {
    const entry = entries.get(key)
    if (entry) storedBytes -= options.sizeOf(entry.value)
    entries.delete(key)
  }
  return {
    find(key) {
      const entry = entries.get(key)
      if (entry && performance.now() < entry.endsMs) return entry.value
      remove(key)
      return undefined
    },
    store(key, value) {
      remove(key)
      entries.set(key, { value, endsMs: performance.now() + options.ttlMs })
      storedBytes += options.sizeOf(value)
      for (const oldest of entries.keys()) {
        if (storedBytes <= options.maxBytes) break
        remove(oldest)
      }
    },
  }
}
