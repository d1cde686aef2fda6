/** People who are erased (art. 17 GDPR): gone from every table, and kept from coming back by a keyed hash alone. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { lockLeadWrites, type Requester } from '../../kit/writer.ts'
import { eraseTraces } from './erase-traces.ts'
import { deleteLeadsOfPeople } from './hooks.ts'
import { findIdentifiers, findLeadsOfPeople, toIdentifier } from './person.ts'
import { listingIdentifier, suppress } from './suppression-list.ts'

interface ErasureRequest extends Requester {
  /** Identifiers that were a professional's when this began: of many that are erased, the last ones look like a person's own. */
  professional?: string[]
}

/**
 * Erases the people of these leads: all their leads go, with sources, notes, merges, events, deliveries and stored replies.
 * What they alone are known by is kept from being stored again as a keyed hash, and so are their adverts: one may show
 * another telephone by the next extraction. Of an agency one lead goes and its advert stays away, while its telephone may
 * bring others: who does not want those puts it on the suppression list (decision 12). Tells `lead.deleted` of each lead,
 * which names no more than its ids. Returns how many leads there were, and which identifiers turned out a professional's.
 *
 * A table that tells of a person refers to their lead with `on delete cascade`; an event about them names it as `leadId`;
 * a job's payload holds ids alone. What can not is forgotten by a handler of `erasePersonData`, which test/erasure.test.ts proves.
 */
export async function erasePeople(
  tx: Tx,
  leadIds: string[],
  { professional = [], ...requester }: ErasureRequest,
): Promise<{ removed: number; professional: string[] }> {
  await lockLeadWrites(tx)
  const toErase = await findLeadsOfPeople(tx, leadIds, professional)
  const identifiers = (await findIdentifiers(tx, toErase)).map(identifier => ({
    ...identifier,
    isProfessional: identifier.isProfessional || professional.includes(identifier.value),
  }))
  const exclusive = identifiers.filter(({ isExclusive, isProfessional }) => isExclusive && !isProfessional)
  await suppress(
    tx,
    [...exclusive.map(({ value }) => toIdentifier(value)), ...(await findListingIdentifiers(tx, toErase))],
    {
      kind: 'erased',
      channel: null,
      listName: null,
      note: null,
      requester,
    },
  )
  await eraseTraces(tx, toErase, pickValues(identifiers, 'isExclusive'))
  return {
    removed: await deleteErasedLeads(tx, toErase, identifiers),
    professional: pickValues(identifiers, 'isProfessional'),
  }
}

/**
 * Erases leads whose retention has ended, those alone, and keeps nobody from coming back: they have not objected, and an
 * advert of theirs in another year is a new occasion. Returns how many there were.
 */
export async function eraseExpired(tx: Tx, leadIds: string[]): Promise<number> {
  if (leadIds.length === 0) return 0
  await lockLeadWrites(tx)
  const identifiers = await findIdentifiers(tx, leadIds)
  await eraseTraces(tx, leadIds, pickValues(identifiers, 'isExclusive'))
  return deleteErasedLeads(tx, leadIds, identifiers)
}

async function deleteErasedLeads(tx: Tx, leadIds: string[], identifiers: KnownIdentifiers): Promise<number> {
  const [removed] = await callHook(tx, deleteLeadsOfPeople, {
    leadIds,
    identifiers: identifiers.map(({ value }) => value),
  })
  return removed!
}

type KnownIdentifiers = Awaited<ReturnType<typeof findIdentifiers>>

function pickValues(identifiers: KnownIdentifiers, flag: 'isExclusive' | 'isProfessional'): string[] {
  return identifiers.filter(identifier => identifier[flag]).map(({ value }) => value)
}

/** What portals show. An id of a file or of another program is no advert: in the next file it may be anybody's. */
async function findListingIdentifiers(tx: Tx, leadIds: string[]) {
  const { rows } = await sql<{ platform: string; listingId: string }>`
    select platform, listing_id as "listingId" from lead_sources
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) and extraction_id is not null`.execute(
    tx,
  )
  return rows.map(({ platform, listingId }) => listingIdentifier(platform, listingId))
}
