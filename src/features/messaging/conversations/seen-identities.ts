/** When people used their identities: messages go to the last one, and the reply window is that of one with which they wrote. */
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'

export interface SeenIdentity extends ChatIdentity {
  /** When the person wrote with it; null: they did not write. */
  wroteAt: Date | null
}

/** Notes that people used these identities. */
export async function touchIdentities(
  tx: Tx,
  accountId: string,
  identities: readonly SeenIdentity[],
): Promise<void> {
  await sql`
    update conversation_identities i set last_seen_at = greatest(i.last_seen_at, ${getNow(tx)}::timestamptz),
      last_inbound_at = greatest(i.last_inbound_at, g.wrote_at)
    from (
      select kind, value, max(wrote_at) as wrote_at
      from unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[], ${identities.map(({ wroteAt }) => wroteAt)}::timestamptz[])
        as t (kind, value, wrote_at)
      group by kind, value) g
    where i.tenant_id = ${getTenantId(tx)} and i.account_id = ${accountId} and i.kind = g.kind and i.value = g.value`.execute(
    tx,
  )
}

/** The current identities of a person get the reply window of those that they replace. */
export async function inheritInboundTime(
  tx: Tx,
  conversationId: string,
  current: readonly ChatIdentity[],
): Promise<void> {
  await sql`
    update conversation_identities i set last_inbound_at = (
      select max(f.last_inbound_at) from conversation_identities f
      where f.tenant_id = ${getTenantId(tx)} and f.conversation_id = ${conversationId})
    from unnest(${current.map(({ kind }) => kind)}::text[], ${current.map(({ value }) => value)}::text[]) as g (kind, value)
    where i.tenant_id = ${getTenantId(tx)} and i.conversation_id = ${conversationId} and i.kind = g.kind and i.value = g.value`.execute(
    tx,
  )
}
