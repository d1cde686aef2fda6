/** Users of the workspace as agents. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'

export async function findUser(tx: Tx, userId: string): Promise<{ name: string; email: string } | null> {
  const { rows } = await sql<{ name: string; email: string }>`
    select name, email from users where id = ${userId} and workspace_id = aldaba.current_workspace()`.execute(
    tx,
  )
  return rows[0] ?? null
}
