/** What is done to many leads: at once if they are few, else by a job, batch by batch, so that each is dealt with once. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { jsonObject } from '../../kit/db/json.ts'
import { emitMany } from '../../kit/event.ts'
import { lastId, newId } from '../../kit/id.ts'
import { deleteLeads } from './deletion.ts'
import { erasePeople } from './erasure.ts'
import { leadUpdated } from './events.ts'
import { getHome, type Home } from './home.ts'
import { layOver } from './lead-draft.ts'
import { fieldChanges } from './lead-fields.ts'
import { idConditions } from './lead-list.ts'
import { changesBetween, type LeadRow, lockRows, updateRows } from './lead-row.ts'
import { stringify, takeTurn } from './lead-sources.ts'
import type { Author } from './writing.ts'
import type { BulkChange } from './writing-schemas.ts'

/** So many are done in the request itself. */
const atOnceMax = 1000
const batchSize = 500

export interface Selection {
  ids?: string[]
  filter?: Record<string, unknown>
}

interface Operation {
  id: string
  kind: 'update' | 'delete' | 'erase'
  status: string
  selection: Selection
  changes: BulkChange['changes'] | null
  keyId: string | null
  lastLeadId: string
  position: string | null
}

/** Writes down what is to be done. Leads that come later are not meant. */
export async function startOperation(
  tx: Tx,
  asked: Pick<Operation, 'kind' | 'selection' | 'changes' | 'keyId'>,
): Promise<{ id: string; isSmall: boolean }> {
  const id = newId()
  const now = new Date()
  await sql`
    insert into lead_operations (id, kind, selection, changes, key_id, last_lead_id, created_at)
    values (${id}, ${asked.kind}, ${stringify(asked.selection)}::jsonb, ${stringify(asked.changes)}::jsonb,
      ${asked.keyId}, ${lastId()}, ${now})`.execute(tx)
  const conditions = await selectionConditions(tx, asked.selection)
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from leads l where ${conditions} limit ${atOnceMax + 1}) meant`.execute(tx)
  return { id, isSmall: rows[0]!.count <= atOnceMax }
}

/** Does what remains of it, to its end. */
export async function finishOperation(tx: Tx, id: string): Promise<void> {
  while (await runBatch(tx, id)) {
    // The next one.
  }
}

/** Does the next batch in the caller's transaction. Returns whether more may follow. */
export async function runBatch(tx: Tx, id: string): Promise<boolean> {
  await takeTurn(tx)
  const operation = await lockOperation(tx, id)
  if (!operation || (operation.status !== 'QUEUED' && operation.status !== 'RUNNING')) return false
  if (operation.status === 'QUEUED') await countMatched(tx, operation)
  const leadIds = await nextLeads(tx, operation)
  const changed = leadIds.length === 0 ? 0 : await apply(tx, operation, leadIds)
  const isLast = leadIds.length < batchSize
  await sql`
    update lead_operations set processed = processed + ${leadIds.length}, changed = changed + ${changed},
      position = coalesce(${leadIds.at(-1) ?? null}, position),
      status = ${isLast ? 'COMPLETED' : 'RUNNING'}, finished_at = ${isLast ? new Date() : null},
      selection = ${isLast ? forgotten : sql`selection`}
    where id = ${id}`.execute(tx)
  return !isLast
}

/** Of an erasure that has ended: by what the people were searched for may be their names. */
const forgotten = sql`case when kind = 'erase' then '{}'::jsonb else selection end`

async function lockOperation(tx: Tx, id: string): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`
    select id, kind, status, selection, changes, key_id as "keyId", last_lead_id as "lastLeadId", position
    from lead_operations where id = ${id} for update`.execute(tx)
  return rows[0]
}

async function countMatched(tx: Tx, { id, selection, lastLeadId }: Operation): Promise<void> {
  const conditions = await selectionConditions(tx, selection)
  await sql`
    update lead_operations set matched = (select count(*) from leads l where ${conditions} and l.id <= ${lastLeadId}::uuid)
    where id = ${id}`.execute(tx)
}

async function nextLeads(tx: Tx, { selection, lastLeadId, position }: Operation): Promise<string[]> {
  const conditions = await selectionConditions(tx, selection)
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l
    where ${conditions} and l.id <= ${lastLeadId}::uuid ${position ? sql`and l.id > ${position}::uuid` : sql``}
    order by l.tenant_id, l.id limit ${batchSize}`.execute(tx)
  return rows.map(row => row.id)
}

async function selectionConditions(tx: Tx, { ids, filter }: Selection): Promise<RawBuilder<unknown>> {
  if (ids) return sql`l.id = any(${ids}::uuid[])`
  return idConditions(tx, { ...filter, sort: '-createdAt', limit: 1 })
}

async function apply(tx: Tx, operation: Operation, leadIds: string[]): Promise<number> {
  if (operation.kind === 'erase') return erasePeople(tx, leadIds, operation.keyId)
  if (operation.kind === 'delete') return deleteLeads(tx, leadIds)
  const home = await getHome(tx)
  const now = new Date()
  const rows = await lockRows(tx, leadIds)
  const changed = [...rows.values()].flatMap(({ row }) => {
    const after = changeRow(row, operation.changes!, home, now)
    const changes = fieldChanges(changesBetween(row, after))
    return changes.length === 0 ? [] : [{ after, changes }]
  })
  await updateRows(
    tx,
    changed.map(({ after }) => after),
    now,
  )
  const author = await authorOfKey(tx, operation.keyId)
  await emitMany(
    tx,
    leadUpdated,
    changed.map(({ after, changes }) => ({
      leadId: after.id,
      cause: 'edited' as const,
      changes,
      otherLeadId: null,
      ...author,
    })),
  )
  return changed.length
}

function changeRow(
  row: LeadRow,
  { addTags = [], removeTags = [], ...draft }: BulkChange['changes'],
  home: Home,
  now: Date,
): LeadRow {
  const after = layOver(row, draft, home, now)
  const tags = [...(row.tags as string[]), ...addTags].filter(tag => !removeTags.includes(tag))
  return { ...after, tags: [...new Set(tags)] }
}

async function authorOfKey(tx: Tx, keyId: string | null): Promise<Author> {
  const { rows } = await sql<{ userId: string | null }>`
    select created_by as "userId" from api_keys where id = ${keyId}`.execute(tx)
  return { keyId, userId: rows[0]?.userId ?? null }
}

const operationJson =
  jsonObject(`o.id, o.kind, o.status, o.matched, o.processed, o.changed, o.error_message as message,
  aldaba.iso_time(o.created_at) as "createdAt", aldaba.iso_time(o.finished_at) as "finishedAt"`)

/** An operation as the JSON of its schema; null if there is none. */
export async function findOperation(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select ${operationJson}::text as json from lead_operations o where o.id = ${id}`.execute(tx)
  return rows[0]?.json ?? null
}

/** What is done stays done. False: it had ended, or there is none. */
export async function cancelOperation(tx: Tx, id: string): Promise<boolean> {
  return endOperation(tx, id, 'CANCELLED', null)
}

/** False: it had ended, or there is none. */
export async function endOperation(
  tx: Tx,
  id: string,
  status: 'CANCELLED' | 'FAILED',
  message: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    update lead_operations set status = ${status}, error_message = ${message}, finished_at = ${new Date()}, selection = ${forgotten}
    where id = ${id} and status in ('QUEUED', 'RUNNING') returning id`.execute(tx)
  return rows.length > 0
}
