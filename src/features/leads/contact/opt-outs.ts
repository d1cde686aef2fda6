/** People who ask not to be contacted: it holds for all that they are known by, and no change of a lead takes it away. */
import { sql } from 'kysely'
import type { Identifier } from '../../../domain/contact/identifiers.ts'
import type { Channel } from '../../../domain/contactability/facts.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/event.ts'
import type { Static } from '../../../kit/schema.ts'
import { suppress } from '../../suppressions/service.ts'
import { leadOptedOut } from '../events.ts'
import { asIdentifier, findIdentifiers, findLeadsOfPeople, isProfessional } from '../person/person.ts'
import type { LeadRow } from '../record/lead-row.ts'
import { takeTurn } from '../record/writer.ts'

type Author = Pick<Static<typeof leadOptedOut.data>, 'keyId' | 'userId'>

interface OptOut {
  /** Null: every channel. */
  channel: Channel | null
  note: string | null
}

/**
 * Puts these identifiers, normalised, on the suppression list as opt-outs, and whatever else their people's leads are known by:
 * who opts out by telephone is not written to by e-mail. By what is a professional's nobody is followed, and of such an
 * identifier only that which was given is put there. Tells `lead.opted_out` of each lead that was not opted out before. Returns
 * the ids of the entries, those that are new and those that stood there.
 */
export async function optOut(
  tx: Tx,
  identifiers: readonly Identifier[],
  { channel, note }: OptOut,
  author: Author,
): Promise<{ added: string[]; known: string[] }> {
  await takeTurn(tx)
  const people = await findLeadsOfPeople(tx, await findLeadsKnownBy(tx, identifiers))
  const others = (await findIdentifiers(tx, people)).filter(known => !known.isProfessional)
  const all = [...identifiers, ...others.map(({ value }) => asIdentifier(value))]
  const leadIds = await findLeadsIn(tx, all, channel)
  const entries = await suppress(tx, all, {
    ...{ kind: 'opt_out', channel, listName: null, note, keyId: author.keyId },
  })
  await emitMany(
    tx,
    leadOptedOut,
    leadIds.map(leadId => ({ leadId, channel, ...author })),
  )
  return entries
}

/** Those with one of these, if that is their person's own. */
async function findLeadsKnownBy(tx: Tx, identifiers: readonly Identifier[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct i.lead_id as id
    from (
      select given.value from unnest(${identifiers.map(({ value }) => value)}::text[]) given (value)
      where not ${isProfessional(sql`given.value`)} offset 0) own
    join lead_identifiers i on i.value = own.value`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Leads with one of these that have not opted out of the channel, or of all. */
async function findLeadsIn(
  tx: Tx,
  identifiers: readonly Identifier[],
  channel: Channel | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select touched.id
    from (
      select distinct lead_id as id from lead_identifiers
      where value = any(${identifiers.map(({ value }) => value)}::text[]) offset 0) touched
    where not exists (
      select
      from (
        select aldaba.identifier_hash(own.value) as hash from lead_identifiers own where own.lead_id = touched.id offset 0) own
      join suppressions s on s.hash = own.hash
      where s.kind = 'opt_out' and (s.channel is null or s.channel = ${channel}))
    order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A lead whose row is about to be changed. */
export interface RowChange {
  before: LeadRow
  after: LeadRow
}

/**
 * To be asked before people's leads are given other identifiers. If one goes, or went before, by which they had opted out by
 * then, what the lead is known by from now on is opted out as well: a telephone that is taken away would take the opt-out along.
 * Not if it had come by a merge or an import that was undone: it was somebody else's.
 */
export async function keepOptedOut(tx: Tx, changes: RowChange[], author: Author): Promise<void> {
  const moved = changes.flatMap(({ before, after }) => {
    const [had, has] = [valuesOf(before), valuesOf(after)]
    const lost = had.filter(value => !has.includes(value))
    return lost.length === 0 && has.every(value => had.includes(value)) ? [] : [{ id: before.id, lost, has }]
  })
  if (moved.length === 0) return
  const lost = moved.flatMap(({ id, lost }) => lost.map(value => ({ lead_id: id, value })))
  // What goes now was the lead's own, even if it had once come by mistake.
  if (lost.length > 0)
    await sql`
      update former_identifiers f set given_back = false
      from jsonb_to_recordset(${JSON.stringify(lost)}::jsonb) as i (lead_id uuid, value text)
      where f.value = i.value and f.lead_id = i.lead_id and f.given_back`.execute(tx)
  const { rows } = await sql<{ leadId: string; channel: Channel | null }>`
    select distinct gone.lead_id as "leadId", s.channel
    from (
      select lead_id, aldaba.identifier_hash(value) as hash, 'infinity'::timestamptz as until
      from jsonb_to_recordset(${JSON.stringify(lost)}::jsonb) as i (lead_id uuid, value text)
      union all
      select lead_id, aldaba.identifier_hash(value), until from former_identifiers
      where lead_id = any(${moved.map(({ id }) => id)}::uuid[]) and not given_back offset 0) gone
    join suppressions s on s.hash = gone.hash and s.kind = 'opt_out' and s.created_at <= gone.until`.execute(
    tx,
  )
  const byId = new Map(moved.map(one => [one.id, one.has]))
  for (const { leadId, channel } of rows) {
    const { rows: own } = await sql<{ value: string }>`
      select given.value from unnest(${byId.get(leadId)!}::text[]) given (value)
      where not ${isProfessional(sql`given.value`)}`.execute(tx)
    const identifiers = own.map(({ value }) => asIdentifier(value))
    await optOut(tx, identifiers, { channel, note: null }, author)
  }
}

function valuesOf({ phone, email, identifiers }: LeadRow): string[] {
  return [phone, email, ...(identifiers as string[])].filter(value => value !== null) as string[]
}
