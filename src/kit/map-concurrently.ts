/**
 * Maps items with at most `limit` of them at work at once. The results are in the order of the items. After an error no
 * further item is begun, and the error is thrown.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next++
      try {
        results[index] = await map(items[index]!, index)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
