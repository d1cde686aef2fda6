/** Users of the workspace as agents. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'

export interface Agent {
  name: string
  email: string
}

/** By id, the users that exist. */
export async function findAgents(tx: Tx, userIds: string[]): Promise<Map<string, Agent>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<Agent & { id: string }>`
    select id, name, email from users
    where id = any(${userIds}::uuid[]) and workspace_id = aldaba.current_workspace()`.execute(tx)
  return new Map(rows.map(({ id, name, email }) => [id, { name, email }]))
}
