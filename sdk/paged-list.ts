/** Lists of any length as async iterators: item by item, or page by page. */

export interface Page<T> {
  data: T[]
  /** Null: this was the last. */
  nextCursor: string | null
}

/** `for await (const item of listing)`, or `for await (const page of listing.pages())`. Each loop starts from the front. */
export interface PagedList<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>
}

/** Makes a listing. A page is asked for when the loop gets there, so that leaving the loop asks for no more. */
export function createPagedList<T>(getPage: (cursor: string | null) => Promise<Page<T>>): PagedList<T> {
  async function* pages(): AsyncGenerator<Page<T>> {
    let cursor: string | null = null
    do {
      const page = await getPage(cursor)
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
