/** Lists of any length as async iterators, by item or by page. */

export interface Page<T> {
  data: T[]
  /** Null on the last page. */
  nextCursor: string | null
}

/**
 * `for await (const item of list)`, or `for await (const page of list.pages())`. Each loop starts from the beginning.
 */
export interface PagedList<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>
}

/** Creates a list. A page is requested when the loop reaches it, so leaving the loop stops the requests. */
export function createPagedList<T>(fetchPage: (cursor: string | null) => Promise<Page<T>>): PagedList<T> {
  async function* pages(): AsyncGenerator<Page<T>> {
    let cursor: string | null = null
    do {
      const page = await fetchPage(cursor)
      yield page
      cursor = page.nextCursor
    } while (cursor !== null)
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.data
    },
  }
}
