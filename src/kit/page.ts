/** Pagination: a limit, and cursors that are opaque, stable under inserts and deletes, and bound to their filters. */
import { createHash } from 'node:crypto'
import type { Page } from './db/json.ts'
import { type JsonText, toJsonText } from './json-text.ts'
import { Problem } from './problem.ts'
import { nullable, type TSchema, Type } from './schema.ts'

/** The query parameters of every list. */
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'The largest number of items to return.',
  }),
  cursor: Type.Optional(
    Type.String({ maxLength: 1000, description: 'The `nextCursor` of the previous page.' }),
  ),
}

/** Builds the schema of a list's reply. `extra`: more fields of this list. */
export function pageSchema<T extends TSchema, M extends Record<string, TSchema> = Record<never, never>>(
  item: T,
  extra: M = {} as M,
) {
  return Type.Object({
    data: Type.Array(item, { description: 'The items of this page, in the order of the list.' }),
    nextCursor: nullable(
      Type.String({ description: 'Send it as `cursor` to get the next page; null: this is the last page.' }),
    ),
    ...extra,
  })
}

/** The sort column values of the last row of a page, as text. The next page starts after them. */
export type Position = string[]

export interface Pager {
  /** The position after which the page starts; null: the first page. */
  after: Position | null
  /** Builds the reply, with `nextCursor` if `page.last` is set. `extra`: more fields of the reply. */
  reply(page: Page, extra?: object): JsonText
}

/**
 * Creates the pager of one request to the list `name`. Throws 400 INVALID_CURSOR for a cursor that is damaged or was
 * made for another list, tenant or filters.
 */
export function createPager(
  name: string,
  tenantId: string,
  query: { limit: number; cursor?: string | undefined },
): Pager {
  const list = toListName(name, tenantId, query)
  return {
    after: query.cursor === undefined ? null : decodeCursor(query.cursor, list, 'cursor'),
    reply({ json, last }, extra = {}) {
      const next = last && encodeCursor(list, last)
      const rest = Object.entries(extra).map(
        ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
      )
      return toJsonText(`{"data":${json},"nextCursor":${JSON.stringify(next)}${rest.join('')}}`)
    },
  }
}

/**
 * Returns the page of a list in memory, and the position of its last item if more follow. `getKey` returns the unique
 * key of an item. Throws 400 INVALID_CURSOR if the last item of the previous page is gone, because the position is
 * then unknown.
 */
export function slicePage<T>(
  items: readonly T[],
  { after }: Pager,
  limit: number,
  getKey: (item: T) => string,
): { page: T[]; last: Position | null } {
  const start = after ? items.findIndex(item => getKey(item) === after[0]) + 1 : 0
  if (after && start === 0)
    throw invalidCursor('cursor', 'has expired: the last item of its page has left the list')
  const page = items.slice(start, start + limit)
  return { page, last: items.length > start + limit ? [getKey(page.at(-1)!)] : null }
}

/** Returns the identity of a list with its filters, without `limit` and `cursor`. Cursors are bound to it. */
function toListName(name: string, tenantId: string, query: Record<string, unknown>): string {
  const { limit: _limit, cursor: _cursor, ...filters } = query
  return JSON.stringify([name, tenantId, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Creates the codec for a list that takes `after` instead of `cursor`. Such a position is valid under any filter. */
export function createPositionCodec(name: string, tenantId: string) {
  const list = toListName(name, tenantId, {})
  return {
    encode: (position: Position) => encodeCursor(list, position),
    /** Throws 400 INVALID_CURSOR for a damaged position or one of another list or tenant. */
    decode: (after: string) => decodeCursor(after, list, 'after'),
  }
}

/** The checksum binds the position to its list. Without it, an altered position would reach the database unchecked. */
function encodeCursor(list: string, position: Position): string {
  const checksum = createHash('sha256')
    .update(JSON.stringify([list, position]))
    .digest('base64url')
    .slice(0, 12)
  return Buffer.from(JSON.stringify([checksum, ...position])).toString('base64url')
}

function decodeCursor(cursor: string, list: string, parameter: 'cursor' | 'after'): Position {
  try {
    const [, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as string[]
    if (encodeCursor(list, position) === cursor) return position
  } catch {
    // A damaged cursor gets the same error as one of another list.
  }
  throw invalidCursor(parameter, 'was not made by this list with these filters')
}

function invalidCursor(parameter: 'cursor' | 'after', message: string): Problem {
  return new Problem('INVALID_CURSOR', `This ${parameter} ${message}. Start again without it.`, {
    errors: [{ path: `/${parameter}`, code: 'INVALID_CURSOR', message }],
  })
}
