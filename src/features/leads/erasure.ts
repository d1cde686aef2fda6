/** People who are erased (art. 17 GDPR): gone from every table, and kept from coming back by a keyed hash alone. */
import { sql } from 'kysely'
import type { Identifier } from '../../domain/dedupe/identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { forgetReplies } from '../../kit/idempotency.ts'
import { advertIdentifier, suppress } from '../suppressions/service.ts'
import { deleteLeads } from './deletion.ts'
import { takeTurn } from './lead-sources.ts'
import { familyOf } from './merge.ts'
import { findLeadsOfPeople, findOwnIdentifiers } from './person.ts'

/**
 * Erases the people of these leads: all their leads go, with sources, notes, merges, events, deliveries and stored replies.
 * What they alone are known by is kept from being stored again as a keyed hash, and so are their adverts: one may show
 * another telephone by the next extraction. Of an agency one lead goes, its advert stays away, and the agency's telephone
 * may bring others: it is on their leads as well (decision 12). `keyId`: who asks for it; null: nobody in particular.
 * Tells `lead.deleted` of each lead, which names no more than its id. Returns how many leads there were.
 *
 * A table that tells of a person refers to their lead with `on delete cascade`; an event about them names it as `leadId`;
 * a job's payload holds ids alone. What can not is to be emptied in `removeTraces`, which test/erasure.test.ts proves.
 */
export async function erasePeople(tx: Tx, leadIds: string[], keyId: string | null): Promise<number> {
  await takeTurn(tx)
  const meant = await findLeadsOfPeople(tx, leadIds)
  const own = await findOwnIdentifiers(tx, meant)
  const { rows: adverts } = await sql<{ platform: string; listingId: string }>`
    select platform, listing_id as "listingId" from lead_sources where lead_id = any(${meant}::uuid[])`.execute(
    tx,
  )
  await suppress(
    tx,
    [
      ...own.map((value): Identifier => ({ kind: kindOf(value), value })),
      ...adverts.map(({ platform, listingId }) => advertIdentifier(platform, listingId)),
    ],
    { kind: 'erased', channel: null, listName: null, note: null, keyId },
  )
  return removeLeads(tx, meant, own)
}

/**
 * Erases leads whose retention has ended, those alone, and keeps nobody from coming back: they have not objected, and an
 * advert of theirs in another year is a new occasion. Returns how many there were.
 */
export async function eraseExpired(tx: Tx, leadIds: string[]): Promise<number> {
  await takeTurn(tx)
  return removeLeads(tx, leadIds, await findOwnIdentifiers(tx, leadIds))
}

/** `own`: what is known of these leads' people alone. */
async function removeLeads(tx: Tx, leadIds: string[], own: string[]): Promise<number> {
  if (leadIds.length === 0) return 0
  await removeTraces(tx, leadIds, own)
  return deleteLeads(tx, leadIds)
}

interface Traces {
  /** Of the leads and of what was made one with them. */
  ids: string[]
  noteIds: string[]
  /** Telephones as they are written in adverts, and names. */
  words: string[]
}

/** Shorter texts stand in what tells of others, too. */
const mentionLengthMin = 6

async function removeTraces(tx: Tx, leadIds: string[], own: string[]): Promise<void> {
  const { rows } = await sql<Traces>`
    ${familyOf(leadIds)}
    select array(select id::text from family) as ids,
      array(select id::text from notes where lead_id = any(${leadIds}::uuid[])) as "noteIds",
      array(
        select word from leads l, unnest(array[
          case when l.phone is null or l.phone = any(${own}::text[]) then l.phone_raw end,
          case when l.advertiser_type is distinct from 'agency' then l.contact_name end]) word
        where l.id = any(${leadIds}::uuid[]) and length(word) >= ${mentionLengthMin}) as words`.execute(tx)
  const { ids, noteIds, words } = rows[0]!
  const identifiers = own.filter(value => value.length >= mentionLengthMin)
  await sql`
    delete from events where lead_id = any(${ids}::uuid[]) or data ->> 'otherLeadId' = any(${ids}::text[])
      or exists (select from unnest(${identifiers}::text[]) mention where strpos(data::text, mention) > 0)`.execute(
    tx,
  )
  await forgetReplies(tx, [...ids, ...noteIds], [...ids, ...identifiers, ...words])
  await sql`select aldaba.forget_jobs(${[...ids, ...identifiers]}::text[])`.execute(tx)
  await sql`delete from lead_merges where absorbed_id = any(${ids}::uuid[])`.execute(tx)
  // Which adverts it met; an extraction counts them without looking at these.
  await sql`delete from extraction_listings where lead_id = any(${leadIds}::uuid[])`.execute(tx)
  // What was done to many leads is told by what was searched for: a name, a telephone.
  await sql`
    delete from lead_operations where finished_at is not null and exists (
      select from unnest(${[...identifiers, ...words]}::text[]) mention
      where strpos(selection::text, mention) > 0 or strpos(changes::text, mention) > 0)`.execute(tx)
}

function kindOf(value: string): Identifier['kind'] {
  if (value.startsWith('+')) return 'phone'
  return value.includes(':') ? 'chat' : 'email'
}
