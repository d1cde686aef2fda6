/** What rows of a dry run would have left behind, for the rows after them: until it ends. */
import { sql } from 'kysely'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { storableJson } from '../../kit/storable.ts'
import type { FreshLead, LeadDraft } from '../leads/service.ts'

/** A row as it would be saved. */
export interface Trial {
  number: number
  draft: LeadDraft
  externalId: string | null
  fresh?: FreshLead
}

/** Of one mark, and of all of a batch: what is on more rows than this is told by the narrower marks beside it. */
const perMarkMax = 100
const trialsMax = 2000

/** Earlier rows with any of these marks, in the order of the file. */
export async function findTrials(tx: Tx, importId: string, marks: string[]): Promise<Trial[]> {
  if (marks.length === 0) return []
  const { rows } = await sql<{ number: number; kept: Omit<Trial, 'number'> }>`
    select t.number, t.draft as kept from import_trials t
    where t.tenant_id = ${tenantIdOf(tx)} and t.import_id = ${importId} and t.number = any(array(
      select distinct m.number from unnest(${marks}::text[]) v (mark)
      cross join lateral (
        select number from import_marks i
        where i.tenant_id = ${tenantIdOf(tx)} and i.import_id = ${importId} and i.mark = v.mark order by number limit ${perMarkMax}) m
      order by 1 limit ${trialsMax}))
    order by t.number`.execute(tx)
  return rows.map(({ number, kept }) => ({ number, ...kept }))
}

/** Keeps rows for later ones. */
export async function insertTrials(
  tx: Tx,
  importId: string,
  trials: (Trial & { marks: string[] })[],
): Promise<void> {
  if (trials.length === 0) return
  const kept = trials.map(({ number, draft, externalId }) => ({ number, draft: { draft, externalId } }))
  await sql`
    insert into import_trials (tenant_id, import_id, number, draft)
    select ${tenantIdOf(tx)}::uuid, ${importId}::uuid, number, draft
    from jsonb_to_recordset(${storableJson(kept)}::jsonb) as t (number integer, draft jsonb)
    returning true`.execute(tx)
  const marks = trials.flatMap(({ number, marks }) => marks.map(mark => ({ mark, number })))
  await sql`
    insert into import_marks (tenant_id, import_id, mark, number)
    select ${tenantIdOf(tx)}::uuid, ${importId}::uuid, mark, number
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as m (mark text, number integer)
    on conflict do nothing`.execute(tx)
}

/** They are not needed any more. */
export async function forgetTrials(tx: Tx, importId: string): Promise<void> {
  await sql`delete from import_trials where tenant_id = ${tenantIdOf(tx)} and import_id = ${importId}`.execute(
    tx,
  )
  await sql`delete from import_marks where tenant_id = ${tenantIdOf(tx)} and import_id = ${importId}`.execute(
    tx,
  )
}
