/**
 * Erased people are not stored again: every path that stores leads checks here. Exclusion lists and opt-outs forbid
 * contact, not storage.
 */
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { findErased, hasErased } from '../../privacy/service.ts'
import { personErased } from '../problems.ts'
import { type LeadInput, parseInputIdentifiers } from './lead-input.ts'

/**
 * Takes the write lock and finds the inputs that are about erased people. `locale`: of the workspace. Only
 * identifiers of the person count, not the writer's own ids: id 1 is somebody else in the next file.
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

/** Throws 409 PERSON_ERASED if one of these normalised identifiers belongs to an erased person. */
export async function assertNotErased(tx: Tx, identifiers: string[]): Promise<void> {
  const erased = await findErased(tx, identifiers)
  if (erased.size > 0) throw createPersonErased()
}

export function createPersonErased(): Problem {
  return new Problem(personErased, personErased.example)
}

/**
 * Takes the write lock and finds the items that are about erased people. `loadToValues`: returns a function from an
 * item to its normalised identifiers; called only if the workspace has erased anybody.
 */
export async function findErasedAmong<T>(
  tx: Tx,
  items: T[],
  loadToValues: () => Promise<(item: T) => string[]>,
): Promise<Set<T>> {
  // Both are sent at once and run in this order, so that nobody is stored while they are being erased.
  const [, hasAny] = await Promise.all([lockLeadWrites(tx), hasErased(tx)])
  if (!hasAny) return new Set()
  const toValues = await loadToValues()
  const entries = items.map(item => ({ item, values: toValues(item) }))
  const erased = await findErased(
    tx,
    entries.flatMap(({ values }) => values),
  )
  return new Set(
    entries.filter(({ values }) => values.some(value => erased.has(value))).map(({ item }) => item),
  )
}
