/** People who refuse marketing in the provider's own program. What they write themselves may be answered. */
import { sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Channel } from '../../domain/contactability/facts.ts'
import { getNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { hashIdentifiers } from '../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { renewSuppressions, suppress } from './suppression-list.ts'

/** Adds normalised identifiers to the suppression list. Unlike an opt-out, the person can take it back. */
export async function refuseMarketing(
  tx: Tx,
  identifiers: readonly Identifier[],
  {
    channel,
    note,
    requestedAt = getNow(tx),
  }: { channel: Channel | null; note: string | null; requestedAt?: Date },
): Promise<void> {
  const { existing } = await suppress(tx, identifiers, {
    kind: 'marketing',
    channel,
    listName: null,
    note,
    requester: null,
    requestedAt,
  })
  await renewSuppressions(tx, existing, requestedAt)
}

/** Removes the entries of `refuseMarketing` until `requestedAt`, when the person accepted marketing again. */
export async function acceptMarketing(
  tx: Tx,
  identifiers: readonly Identifier[],
  { channel, requestedAt }: { channel: Channel; requestedAt: Date },
): Promise<void> {
  const values = identifiers.map(({ value }) => value)
  await sql`
    delete from suppressions
    where tenant_id = ${getTenantId(tx)} and kind = 'marketing' and channel = ${channel} and requested_at <= ${requestedAt}
      and hash = any(${hashIdentifiers(tx, values)}::bytea[])`.execute(tx)
}
