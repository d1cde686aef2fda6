/** Every way in asks here: who was erased is not stored again. Exclusion lists and opt-outs forbid contact, not storing. */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { findErased, hasErased } from '../../privacy/service.ts'
import { personErased } from '../problems.ts'
import { type LeadInput, parseInputIdentifiers } from './lead-input.ts'

/**
 * Takes the turn, and finds which of these written leads are of erased people, `locale` being the workspace's. Their writers' ids
 * tell nothing: 1 is somebody else in the next file.
 */
export function findErasedInputs<D extends LeadInput>(
  tx: Tx,
  inputs: D[],
  locale: Promise<{ country: string }>,
): Promise<Set<D>> {
  return findErasedAmong(tx, inputs, async () => {
    const { country } = await locale
    return input => parseInputIdentifiers(input, country).map(({ value }) => value)
  })
}

/** Throws 409 PERSON_ERASED if any of these identifiers, normalised, is of somebody who was erased. */
export async function assertNotErased(tx: Tx, identifiers: string[]): Promise<void> {
  const erased = await findErased(tx, identifiers)
  if (erased.size > 0) throw createPersonErased()
}

export function createPersonErased(): Problem {
  return new Problem(personErased, personErased.example)
}

/** Takes the turn, and finds which of these are of erased people, by their normalised values. */
export async function findErasedAmong<T>(
  tx: Tx,
  all: T[],
  openValues: () => Promise<(item: T) => string[]>,
): Promise<Set<T>> {
  // Sent at once, and done one after the other: nobody is stored while they are being erased.
  const [, hasAny] = await Promise.all([lockLeadWrites(tx), hasErased(tx)])
  if (!hasAny) return new Set()
  const toValues = await openValues()
  const entries = all.map(item => ({ item, values: toValues(item) }))
  const erased = await findErased(
    tx,
    entries.flatMap(({ values }) => values),
  )
  return new Set(
    entries.filter(({ values }) => values.some(value => erased.has(value))).map(({ item }) => item),
  )
}
