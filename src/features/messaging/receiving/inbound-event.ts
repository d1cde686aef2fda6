/** Who an event is about, and when it happened. */
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { findSuppressions } from '../../privacy/service.ts'
import { toContactIdentifiers } from '../identities.ts'
import { toValidIdentities } from './identities.ts'

export interface ReceivingAccount {
  id: string
  channel: Channel
}

/**
 * The person of an event; null: it names nobody, or the person was erased after they wrote it. Call this after
 * `lockLeadWrites`.
 */
export async function findPerson(
  tx: Tx,
  { from, at }: { from: readonly ChatIdentity[]; at: Temporal.Instant },
): Promise<{ identities: ChatIdentity[] } | null> {
  const identities = toValidIdentities(from)
  if (identities.length === 0) return null
  const entries = [...(await findSuppressions(tx, toContactIdentifiers(identities))).values()].flat()
  const isErased = entries.some(
    ({ kind, addedAt }) => kind === 'erased' && Temporal.Instant.compare(at, addedAt) <= 0,
  )
  return isErased ? null : { identities }
}

/** The provider's time, which is never later than now. */
export function toReceivedTime(tx: Tx, { at }: { at: Temporal.Instant }): Date {
  return new Date(Math.min(at.epochMilliseconds, getNow(tx).getTime()))
}
