/** People who are erased (art. 17 GDPR): gone from every table, and kept from coming back by a keyed hash alone. */
import { sql } from 'kysely'
import { tenantIdOf } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { type Requester, takeTurn } from '../../kit/writer.ts'
import { removeTraces } from './erasure-traces.ts'
import { deletePeople } from './hooks.ts'
import { asIdentifier, findIdentifiers, findLeadsOfPeople } from './person.ts'
import { advertIdentifier, suppress } from './suppression-list.ts'

interface Asked extends Requester {
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
 * a job's payload holds ids alone. What can not is forgotten by a handler of `forgetPeople`, which test/erasure.test.ts proves.
 */
export async function erasePeople(
  tx: Tx,
  leadIds: string[],
  { professional = [], ...requester }: Asked,
): Promise<{ removed: number; professional: string[] }> {
  await takeTurn(tx)
  const meant = await findLeadsOfPeople(tx, leadIds, professional)
  const known = (await findIdentifiers(tx, meant)).map(identifier => ({
    ...identifier,
    isProfessional: identifier.isProfessional || professional.includes(identifier.value),
  }))
  const own = known.filter(({ isAlone, isProfessional }) => isAlone && !isProfessional)
  await suppress(tx, [...own.map(({ value }) => asIdentifier(value)), ...(await findAdverts(tx, meant))], {
    kind: 'erased',
    channel: null,
    listName: null,
    note: null,
    requester,
  })
  await removeTraces(tx, meant, valuesOf(known, 'isAlone'))
  return {
    removed: await deleteTheirLeads(tx, meant, known),
    professional: valuesOf(known, 'isProfessional'),
  }
}

/**
 * Erases leads whose retention has ended, those alone, and keeps nobody from coming back: they have not objected, and an
 * advert of theirs in another year is a new occasion. Returns how many there were.
 */
export async function eraseExpired(tx: Tx, leadIds: string[]): Promise<number> {
  if (leadIds.length === 0) return 0
  await takeTurn(tx)
  const known = await findIdentifiers(tx, leadIds)
  await removeTraces(tx, leadIds, valuesOf(known, 'isAlone'))
  return deleteTheirLeads(tx, leadIds, known)
}

async function deleteTheirLeads(tx: Tx, leadIds: string[], known: Known): Promise<number> {
  const [removed] = await callHook(tx, deletePeople, {
    leadIds,
    identifiers: known.map(({ value }) => value),
  })
  return removed!
}

type Known = Awaited<ReturnType<typeof findIdentifiers>>

function valuesOf(known: Known, which: 'isAlone' | 'isProfessional'): string[] {
  return known.filter(identifier => identifier[which]).map(({ value }) => value)
}

/** What portals show. An id of a file or of another program is no advert: in the next file it may be anybody's. */
async function findAdverts(tx: Tx, leadIds: string[]) {
  const { rows } = await sql<{ platform: string; listingId: string }>`
    select platform, listing_id as "listingId" from lead_sources
    where tenant_id = ${tenantIdOf(tx)} and lead_id = any(${leadIds}::uuid[]) and extraction_id is not null`.execute(
    tx,
  )
  return rows.map(({ platform, listingId }) => advertIdentifier(platform, listingId))
}
