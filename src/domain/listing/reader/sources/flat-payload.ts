/** Restores flattened payloads (Nuxt, devalue): a list of values that refer to each other by index. */

const depthMax = 40
/** The same value may be referred to many times, so the restored data can be larger than the payload. */
const valuesMax = 200_000
const wrappers = new Set([
  'ShallowReactive',
  'Reactive',
  'Ref',
  'ShallowRef',
  'EmptyRef',
  'EmptyShallowRef',
  'Island',
])

export function isFlatPayload(value: unknown): value is unknown[] {
  if (!Array.isArray(value) || value.length < 3) return false
  const [first] = value
  const isWrapped = Array.isArray(first) && wrappers.has(String(first[0]))
  return isWrapped && typeof first[1] === 'number'
}

export function unflatten(payload: readonly unknown[]): unknown {
  let left = valuesMax
  const restore = (index: unknown, depth: number): unknown => {
    left -= 1
    if (typeof index !== 'number' || index < 0 || index >= payload.length || depth > depthMax || left < 0)
      return null
    const value = payload[index]
    if (Array.isArray(value)) {
      const [kind] = value
      if (typeof kind !== 'string') return value.map(item => restore(item, depth + 1))
      if (kind === 'Set') return value.slice(1).map(item => restore(item, depth + 1))
      return kind === 'Date' ? value[1] : restore(value[1], depth + 1)
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restore(item, depth + 1)]))
  }
  return restore(0, 0)
}
