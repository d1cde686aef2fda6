/** The users of the workspace that requests name. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import type { InputError } from '../../kit/problem.ts'

/** Row level security shows only the users of this workspace; the foreign keys would accept any user. */
export async function findUsers(tx: Tx, userIds: string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from users where id = any(${userIds}::uuid[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** An error if the user is not among these. */
export function validateUser(
  userId: string | null | undefined,
  userIds: ReadonlySet<string>,
  path: string,
): InputError[] {
  if (!userId || userIds.has(userId.toLowerCase())) return []
  return [{ path, code: 'UNKNOWN_USER', message: 'There is no user with this id in the workspace.' }]
}

/** An error if the workspace does not have this user. */
export async function findUserErrors(
  tx: Tx,
  userId: string | null | undefined,
  path: string,
): Promise<InputError[]> {
  return validateUser(userId, await findUsers(tx, userId ? [userId] : []), path)
}
