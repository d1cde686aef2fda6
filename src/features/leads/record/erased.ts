/** Every way in asks here: who was erased is not stored again. Exclusion lists and opt-outs forbid contact, not storing. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { takeTurn } from '../../../kit/writer.ts'
import { findErased, hasErased } from '../../privacy/service.ts'
import { personErased } from '../problems.ts'
import { identifiersIn, type LeadDraft } from './lead-draft.ts'

/**
 * Takes the turn, and finds which of these written leads are of erased people, `home` being the workspace's. Their writers' ids
 * tell nothing: 1 is somebody else in the next file.
 */
export function findErasedDrafts<D extends LeadDraft>(
  tx: Tx,
  drafts: D[],
  home: Promise<{ country: string }>,
): Promise<Set<D>> {
  return findErasedOnes(tx, drafts, async () => {
    const { country } = await home
    return draft => identifiersIn(draft, country).map(({ value }) => value)
  })
}

/** Throws 409 PERSON_ERASED if any of these identifiers, normalised, is of somebody who was erased. */
export async function refuseErased(tx: Tx, identifiers: string[]): Promise<void> {
  const erased = await findErased(tx, identifiers)
  if (erased.size > 0) throw personErasedProblem()
}

export function personErasedProblem(): Problem {
  return new Problem(personErased, personErased.example)
}

/** Takes the turn, and finds which of these are of erased people, by their normalised values. */
export async function findErasedOnes<T>(
  tx: Tx,
  all: T[],
  openValues: () => Promise<(one: T) => string[]>,
): Promise<Set<T>> {
  // Sent at once, and done one after the other: nobody is stored while they are being erased.
  const [, isAny] = await Promise.all([takeTurn(tx), hasErased(tx)])
  if (!isAny) return new Set()
  const valuesOf = await openValues()
  const known = all.map(one => ({ one, values: valuesOf(one) }))
  const erased = await findErased(
    tx,
    known.flatMap(({ values }) => values),
  )
  return new Set(known.filter(({ values }) => values.some(value => erased.has(value))).map(({ one }) => one))
}
