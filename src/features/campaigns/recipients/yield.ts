/** A draft may never start: who waits in it yields to a campaign that was started. */
import { type RawBuilder, sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { inAnotherCampaign } from './reasons.ts'

/** Drafts yield to it. One that is paused keeps its people. */
export const isStarted = ({ status }: Pick<CampaignRow, 'status'>): boolean => status !== 'draft'

/** SQL: whether the recipient with this alias waits in a draft. */
export const waitsInDraft = (tx: Tx, alias: string): RawBuilder<unknown> => sql`(
  ${sql.ref(`${alias}.status`)} = 'waiting' and exists (
    select from campaigns d
    where d.tenant_id = ${getTenantId(tx)} and d.id = ${sql.ref(`${alias}.campaign_id`)} and d.status = 'draft'))`

/** Those of these recipients that wait in drafts. */
export async function findWaitingInDrafts(
  tx: Tx,
  recipients: readonly { id: string }[],
): Promise<Set<string>> {
  if (recipients.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select r.id from campaign_recipients r
    where r.tenant_id = ${getTenantId(tx)} and r.id = any(${recipients.map(({ id }) => id)}::uuid[]) and ${waitsInDraft(tx, 'r')}`.execute(
    tx,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * They are skipped: they go on when the started campaign has ended for them. The transaction holds the lock of leads. Returns those that
 * yield. It does not wait for others, which the plan of a draft that has just started may have locked: let a job try them again
 * (`requestHeldUp`).
 */
export async function yieldRecipients(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const tenantId = getTenantId(tx)
  const { rows } = await sql<{ id: string }>`
    update campaign_recipients r set status = 'skipped', reason = ${JSON.stringify(inAnotherCampaign)}::jsonb, due_at = null,
      ended_at = ${getNow(tx)}, updated_at = ${getNow(tx)}
    where r.tenant_id = ${tenantId} and r.id = any(array(
      select w.id from campaign_recipients w
      where w.tenant_id = ${tenantId} and w.id = any(${ids}::uuid[]) and ${waitsInDraft(tx, 'w')}
      order by w.id for no key update of w skip locked))
    returning r.id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
