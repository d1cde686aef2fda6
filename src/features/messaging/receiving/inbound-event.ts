/** The person of an event, and its time. */
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { findSuppressions } from '../../privacy/service.ts'
import { toContactIdentifiers } from '../identities.ts'
import { toValidIdentities } from './valid-identities.ts'

export interface ReceivingAccount {
  id: string
  channel: Channel
}

export interface Person {
  identities: ChatIdentity[]
  /** What they wrote until then is not stored, because they were erased; null: they were not. */
  erasedAt: Temporal.Instant | null
}

/** The person with these identities; null: there are none. Call this after `lockLeadWrites`. */
export async function findPerson(tx: Tx, from: readonly ChatIdentity[]): Promise<Person | null> {
  return (await findPeople(tx, [from]))[0]!
}

/** Like `findPerson`, for the senders of several messages, in their order. */
export async function findPeople(tx: Tx, senders: (readonly ChatIdentity[])[]): Promise<(Person | null)[]> {
  const people = senders.map(toValidIdentities)
  const suppressions = await findSuppressions(tx, toContactIdentifiers(people.flat()))
  return people.map(identities => {
    if (identities.length === 0) return null
    const entries = toContactIdentifiers(identities).flatMap(({ value }) => suppressions.get(value) ?? [])
    const erasures = entries.flatMap(({ kind, addedAt }) => (kind === 'erased' ? addedAt : []))
    return { identities, erasedAt: erasures.toSorted(Temporal.Instant.compare).at(-1) ?? null }
  })
}

/** True if the person was erased after this event. */
export const isErased = ({ erasedAt }: Person, { at }: { at: Temporal.Instant }): boolean =>
  erasedAt !== null && Temporal.Instant.compare(at, erasedAt) <= 0

/** The provider's time, which is never later than now. */
export function toReceivedTime(tx: Tx, { at }: { at: Temporal.Instant }): Date {
  return new Date(Math.min(at.epochMilliseconds, getNow(tx).getTime()))
}
