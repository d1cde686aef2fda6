/** Erases people (art. 17 GDPR) from every table. Only keyed hashes are kept, so that they are not stored again. */
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
  /**
   * Identifiers that belonged to a professional when the operation began. After many leads of a professional are
   * erased, the identifiers of the last ones would look like those of a private person.
   */
  professional?: string[]
}

/**
 * Erases the people of these leads: deletes all their leads with sources, notes, merges, events, deliveries and
 * stored replies. The keyed hashes of their exclusive identifiers and of their listings are kept, so that they are
 * not stored again; a listing may show another phone at the next extraction. For an agency, only the one lead is
 * deleted and its listing is not stored again; the phone of the agency may still bring other leads, unless it is put
 * on the suppression list (decision 12). Emits `lead.deleted` with ids only. Returns the number of deleted leads and
 * the identifiers that belong to professionals.
 *
 * Tables with personal data refer to a lead with `on delete cascade`; events about a person name their lead as
 * `leadId`; payloads of jobs contain only ids. All other data is erased by handlers of `erasePersonData`;
 * test/erasure.test.ts proves it.
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
 * Erases these leads, whose retention has ended, but no other leads of their people. The people may be stored again:
 * they have not objected, and a later listing is a new reason. Returns the number of deleted leads.
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

/**
 * The listings of the leads on portals. Ids from files and API clients are left out: the next file may use them for
 * somebody else.
 */
async function findListingIdentifiers(tx: Tx, leadIds: string[]) {
  const { rows } = await sql<{ platform: string; listingId: string }>`
    select platform, listing_id as "listingId" from lead_sources
    where tenant_id = ${getTenantId(tx)} and lead_id = any(${leadIds}::uuid[]) and extraction_id is not null`.execute(
    tx,
  )
  return rows.map(({ platform, listingId }) => listingIdentifier(platform, listingId))
}
