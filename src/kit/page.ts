/** Lists: limit, and cursors that are opaque, stable under inserts and deletes, and bound to their filters. */
import { createHash } from 'node:crypto'
import { Problem } from './problem.ts'
import { nullable, type TSchema, Type } from './schema.ts'

/** The query parameters of every list. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many to return at most.' }),
  cursor: Type.Optional(
    Type.String({ maxLength: 1000, description: 'The `nextCursor` of the page before.' }),
  ),
}

/** The reply of every list. */
export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({
    data: Type.Array(item),
    nextCursor: nullable(
      Type.String({ description: 'Pass it as `cursor` for the next page; null: this was the last.' }),
    ),
  })
}

/** Values of the sort columns in the last row of a page: the next one starts after them. */
export type Position = (string | number | null)[]

/** Names a list and its filters, so that a cursor made for another is told. `limit` and `cursor` don't count. */
export function listFingerprint(route: string, tenantId: string, query: Record<string, unknown>): string {
  const { limit: _limit, cursor: _cursor, ...filters } = query
  const canonical = JSON.stringify([
    route,
    tenantId,
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
  return createHash('sha256').update(canonical).digest('base64url').slice(0, 12)
}

export function encodeCursor(fingerprint: string, position: Position): string {
  return Buffer.from(JSON.stringify([fingerprint, ...position])).toString('base64url')
}

/** Throws 400 INVALID_CURSOR for one that is damaged or was made with other filters. */
export function decodeCursor(cursor: string, fingerprint: string): Position {
  try {
    const [madeFor, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (madeFor === fingerprint && position.length > 0) return position
  } catch {
    // Damaged: told like one made for another list.
  }
  throw new Problem(
    'INVALID_CURSOR',
    'This cursor was not made by this list with these filters. Start again without a cursor.',
    {
      errors: [
        { path: '/cursor', code: 'INVALID_CURSOR', message: 'was not made by this list with these filters' },
      ],
    },
  )
}
