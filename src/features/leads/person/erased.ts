/** Every way in asks here: who was erased is not stored again. Exclusion lists and opt-outs forbid contact, not storing. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { advertIdentifier, findErased, hasErased } from '../../suppressions/service.ts'
import type { IdentifiedListing } from '../adverts/lead-sources.ts'
import { identifiersIn, type LeadDraft } from '../record/lead-draft.ts'
import { takeTurn } from '../record/writer.ts'

/** Takes the turn, and finds which of these adverts are of erased people, by their ids on the portal. */
export async function findErasedAdverts(
  tx: Tx,
  platform: string,
  listings: IdentifiedListing[],
): Promise<Set<string>> {
  const erased = await findErasedOnes(tx, listings, ({ listingId, listing: { contact } }) => [
    advertIdentifier(platform, listingId).value,
    ...[contact.phone, contact.email].flatMap(value => value ?? []),
  ])
  return new Set([...erased].map(({ listingId }) => listingId))
}

/**
 * Takes the turn, and finds which of these written leads are of erased people, `country` being that of the workspace. Their
 * writers' ids tell nothing: 1 is somebody else in the next file.
 */
export function findErasedDrafts<D extends LeadDraft>(tx: Tx, drafts: D[], country: string): Promise<Set<D>> {
  return findErasedOnes(tx, drafts, draft => identifiersIn(draft, country).map(({ value }) => value))
}

/** Throws 409 PERSON_ERASED if any of these identifiers, normalised, is of somebody who was erased. */
export async function refuseErased(tx: Tx, identifiers: string[]): Promise<void> {
  const erased = await findErased(tx, identifiers)
  if (erased.size > 0) throw personErased()
}

export function personErased(): Problem {
  return new Problem('PERSON_ERASED', 'This person was erased, and is not stored again.')
}

async function findErasedOnes<T>(tx: Tx, all: T[], valuesOf: (one: T) => string[]): Promise<Set<T>> {
  // Sent at once, and done one after the other: nobody is stored while they are being erased.
  const [, isAny] = await Promise.all([takeTurn(tx), hasErased(tx)])
  if (!isAny) return new Set()
  const known = all.map(one => ({ one, values: valuesOf(one) }))
  const erased = await findErased(
    tx,
    known.flatMap(({ values }) => values),
  )
  return new Set(known.filter(({ values }) => values.some(value => erased.has(value))).map(({ one }) => one))
}
