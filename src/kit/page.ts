/** Lists: limit, and cursors that are opaque, stable under inserts and deletes, and bound to their filters. */
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

/** The reply of every list, and what else a list may tell. */
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

/** Values of the sort columns in the last row of a page, as text: the next one starts after them. */
export type Position = string[]

export interface Pager {
  /** Where to start; null: at the first page. */
  after: Position | null
  reply(page: Page, extra?: object): JsonText
}

/**
 * A page of the list called `name`, as asked for by `query`. Throws 400 INVALID_CURSOR for a cursor that is damaged or
 * was made for another list, tenant or filters.
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
 * The page of a list that is in memory, and the position of its last item if more follow. `getKey` names an item. Throws 400
 * INVALID_CURSOR if the last item of the previous page is gone: where the list goes on is unknown then.
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

/** Names a list and its filters, so that a cursor made for another is told. `limit` and `cursor` don't count. */
function toListName(name: string, tenantId: string, query: Record<string, unknown>): string {
  const { limit: _limit, cursor: _cursor, ...filters } = query
  return JSON.stringify([name, tenantId, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Positions of a list of which `after` is the parameter, in place of `cursor`: the same with every filter. */
export function createPositionCodec(name: string, tenantId: string) {
  const list = toListName(name, tenantId, {})
  return {
    encode: (position: Position) => encodeCursor(list, position),
    /** Throws 400 INVALID_CURSOR for what was made for something else. */
    decode: (after: string) => decodeCursor(after, list, 'after'),
  }
}

/** The checksum ties the position to its list: a position that was altered would reach the database as it is. */
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
    // Damaged: told like one made for another list.
  }
  throw invalidCursor(parameter, 'was not made by this list with these filters')
}

function invalidCursor(parameter: 'cursor' | 'after', message: string): Problem {
  return new Problem('INVALID_CURSOR', `This ${parameter} ${message}. Start again without it.`, {
    errors: [{ path: `/${parameter}`, code: 'INVALID_CURSOR', message }],
  })
}
