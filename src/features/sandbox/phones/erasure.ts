/** Erases people from phones. */
import type { Tx } from '../../../kit/db/index.ts'
import { toIdentities } from '../../messaging/service.ts'
import type { ErasedPeople, Traces } from '../../privacy/service.ts'
import { revokeShares } from '../../shares/service.ts'
import { phoneKind } from './links.ts'
import { deletePhonesOf } from './queries.ts'

/** Handles `erasePersonData`. */
export async function erasePhones(tx: Tx, { identifiers }: ErasedPeople): Promise<Traces> {
  const deleted = await deletePhonesOf(tx, toIdentities(identifiers))
  await revokeShares(tx, phoneKind, deleted)
  return { deleted }
}
