/** Two leads made one, and parted again as they were. */
import { sql } from 'kysely'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/event.ts'
import { newId } from '../../kit/id.ts'
import { invalidInput, notFound, Problem } from '../../kit/problem.ts'
import { leadCreated, leadDeleted, leadUpdated } from './events.ts'
import { fieldChanges } from './lead-fields.ts'
import {
  changesBetween,
  type LeadRow,
  lockRows,
  type RowChanges,
  revertChanges,
  updateRows,
  type WritableColumn,
  writableColumns,
} from './lead-row.ts'
import { takeTurn } from './lead-sources.ts'
import type { Author } from './writing.ts'

interface Merge {
  id: string
  leadId: string
  absorbedId: string
  absorbed: Record<string, unknown>
  changes: RowChanges
  sources: { platform: string; listing_id: string; is_primary: boolean }[]
  noteIds: string[]
  undoneAt: Date | null
}

const basisColumns: WritableColumn[] = [
  'lawful_basis',
  'lawful_basis_at',
  'lawful_basis_proof',
  'lawful_basis_channels',
  'lawful_basis_expires_at',
  'lawful_basis_by',
  'consent_at',
]

/** Lists that both have a part in. */
const united = ['tags', 'features', 'images'] as const

/**
 * Makes `otherId` one with `leadId`: what the lead does not say it takes from the other, lists are united, the other's
 * telephones and addresses become further identifiers; its sources, notes and extractions' results move. Throws 404.
 */
export async function mergeLeads(tx: Tx, leadId: string, otherId: string, author: Author): Promise<string> {
  if (leadId === otherId) throw invalidInput('/leadId', 'SAME_LEAD', 'A lead can not be merged with itself.')
  await takeTurn(tx)
  const rows = await lockRows(tx, [leadId, otherId])
  const row = rows.get(leadId)?.row
  const other = rows.get(otherId)?.row
  if (!row) throw notFound('lead')
  if (!other) throw invalidInput('/leadId', 'UNKNOWN_LEAD', 'There is no lead with this id.')
  const merged = unite(row, other)
  const changes = changesBetween(row, merged)
  const now = new Date()
  const id = newId()
  await sql`
    insert into lead_merges (id, lead_id, absorbed_id, absorbed, changes, sources, note_ids, created_at, created_by)
    select ${id}, ${leadId}, l.id, to_jsonb(l), ${JSON.stringify(changes)}::jsonb,
      coalesce((select jsonb_agg(jsonb_build_object('platform', platform, 'listing_id', listing_id, 'is_primary', is_primary)) from lead_sources s where s.lead_id = l.id), '[]'),
      array(select n.id from notes n where n.lead_id = l.id), ${now}, ${author.userId}
    from leads l where l.id = ${otherId}`.execute(tx)
  await moveTo(tx, leadId, otherId)
  await sql`delete from leads where id = ${otherId}`.execute(tx)
  await updateRows(tx, [merged], now)
  await emit(tx, leadUpdated, {
    leadId,
    cause: 'merged',
    changes: fieldChanges(changes),
    otherLeadId: otherId,
    ...author,
  })
  await emit(tx, leadDeleted, { leadId: otherId, mergedIntoLeadId: leadId })
  return id
}

function unite(row: LeadRow, other: LeadRow): LeadRow {
  const merged = { ...row }
  for (const name of Object.keys(writableColumns) as WritableColumn[]) merged[name] = row[name] ?? other[name]
  // A price without its currency, or half a position, would be of neither.
  const take = (names: WritableColumn[], from: LeadRow) => {
    for (const name of names) merged[name] = from[name]
  }
  for (const group of [
    ['price', 'currency'],
    ['latitude', 'longitude'],
    ['phone', 'phone_raw'],
    basisColumns,
  ] as WritableColumn[][])
    take(group, row[group[0]!] === null ? other : row)
  for (const name of ['notice_sent_at', 'last_contacted_at', 'last_reply_at'] as const)
    merged[name] =
      [row[name], other[name]]
        .filter(time => time !== null)
        .sort()
        .at(-1) ?? null
  for (const name of united)
    merged[name] = [...new Set([...(row[name] as string[]), ...(other[name] as string[])])]
  merged.custom_fields = { ...(other.custom_fields as object), ...(row.custom_fields as object) }
  merged.identifiers = [
    ...new Set([row.identifiers, other.phone, other.email, other.identifiers].flat() as string[]),
  ].filter(value => value !== null && value !== merged.phone && value !== merged.email)
  merged.price_history = mergeHistories(row.price_history as Priced[], other.price_history as Priced[])
  return merged
}

interface Priced {
  price: number
  at: string
}

function mergeHistories(one: Priced[], other: Priced[]): Priced[] {
  return other.length === 0
    ? one
    : [...one, ...other].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

async function moveTo(tx: Tx, leadId: string, otherId: string): Promise<void> {
  // The lead goes on following what it followed; if that is nothing, it follows what the other did.
  await sql`
    update lead_sources set lead_id = ${leadId},
      is_primary = is_primary and not exists (select from lead_sources o where o.lead_id = ${leadId})
    where lead_id = ${otherId}`.execute(tx)
  await sql`update extraction_listings set lead_id = ${leadId} where lead_id = ${otherId}`.execute(tx)
  const { rows } =
    await sql`update notes set lead_id = ${leadId} where lead_id = ${otherId} returning id`.execute(tx)
  await sql`update leads set notes_count = notes_count + ${rows.length}::int where id = ${leadId}`.execute(tx)
}

/** Parts them again. Throws 404; 409 INVALID_TRANSITION if it was undone, or another merge of the lead came after it. */
export async function undoMerge(tx: Tx, leadId: string, mergeId: string, author: Author): Promise<void> {
  await takeTurn(tx)
  const merge = await lockMerge(tx, leadId, mergeId)
  if (!merge) throw notFound('merge')
  if (merge.undoneAt) throw new Problem('INVALID_TRANSITION', 'This merge was undone already.')
  const later = await sql`
    select from lead_merges where lead_id = ${leadId} and id > ${mergeId} and undone_at is null`.execute(tx)
  if (later.rows.length > 0)
    throw new Problem('INVALID_TRANSITION', 'The lead was merged again since. Undo the later merges first.')
  const { absorbedId } = merge
  await restore(tx, merge)
  const known = (await lockRows(tx, [leadId])).get(leadId)!.row
  const { row } = revertChanges(known, merge.changes)
  const changes = fieldChanges(changesBetween(known, row))
  const now = new Date()
  await updateRows(tx, [row], now)
  await sql`update lead_merges set undone_at = ${now} where id = ${mergeId}`.execute(tx)
  await emit(tx, leadUpdated, { leadId, cause: 'parted', changes, otherLeadId: absorbedId, ...author })
  await emit(tx, leadCreated, { leadId: absorbedId, platform: 'merge', ...author })
}

async function lockMerge(tx: Tx, leadId: string, mergeId: string): Promise<Merge | undefined> {
  const { rows } = await sql<Merge>`
    select id, lead_id as "leadId", absorbed_id as "absorbedId", absorbed, changes, sources, note_ids as "noteIds",
      undone_at as "undoneAt"
    from lead_merges where id = ${mergeId} and lead_id = ${leadId} for update`.execute(tx)
  return rows[0]
}

/** The lead that went, with its sources, its notes and what extractions made of it. */
async function restore(tx: Tx, { leadId, absorbedId, absorbed, sources, noteIds }: Merge): Promise<void> {
  const columns = await storedColumns(tx)
  const names = sql.join(columns.map(name => sql.id(name)))
  await sql`
    insert into leads (${names}) select ${names} from jsonb_populate_record(null::leads, ${JSON.stringify({ ...absorbed, notes_count: 0 })}::jsonb)`.execute(
    tx,
  )
  const moved = sql`jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as i (platform text, listing_id text, is_primary boolean)`
  await sql`
    update extraction_listings e set lead_id = ${absorbedId} from ${moved}, extractions x
    where e.lead_id = ${leadId} and x.id = e.extraction_id and x.platform = i.platform and e.listing_id = i.listing_id`.execute(
    tx,
  )
  await sql`
    update lead_sources s set lead_id = ${absorbedId}, is_primary = i.is_primary from ${moved}
    where s.lead_id = ${leadId} and s.platform = i.platform and s.listing_id = i.listing_id`.execute(tx)
  const { rows } = await sql`
    update notes set lead_id = ${absorbedId} where lead_id = ${leadId} and id = any(${noteIds}::uuid[]) returning id`.execute(
    tx,
  )
  await sql`
    update leads set notes_count = notes_count + case when id = ${absorbedId} then ${rows.length}::int else ${-rows.length}::int end
    where id in (${leadId}, ${absorbedId})`.execute(tx)
}

/** Those of a lead that are not computed from others. */
async function storedColumns(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'aldaba.leads'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    tx,
  )
  return rows.map(row => row.name)
}

/** The leads that a lead has absorbed, and those that these had, as a table `family (id)` with itself. */
export const familyOf = (leadIds: string[]) => sql`
  with recursive family (id) as (
    select unnest(${leadIds}::uuid[])
    union select m.absorbed_id from lead_merges m join family f on m.lead_id = f.id where m.undone_at is null)`

/** Of a lead that is there no more: the one that it was merged into, whatever became of that. */
export async function findMergedInto(tx: Tx, leadId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with recursive path (id, step) as (
      select ${leadId}::uuid, 0
      union all select m.lead_id, p.step + 1 from lead_merges m join path p on m.absorbed_id = p.id
      where m.undone_at is null and p.step < 100)
    select id from path where step > 0 order by step desc limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** Forgets what these leads have absorbed; for leads that are deleted. */
export async function forgetMerges(tx: Tx, leadIds: string[]): Promise<void> {
  await sql`${familyOf(leadIds)} delete from lead_merges where lead_id in (select id from family)`.execute(tx)
}
