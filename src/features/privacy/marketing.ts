/** People who refuse marketing in the provider's own program. What they write themselves may be answered. */
import { sql } from 'kysely'
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Channel } from '../../domain/contactability/facts.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { hashIdentifiers } from '../../kit/db/hash-identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { suppress } from './suppression-list.ts'

/** Adds normalised identifiers to the suppression list. Unlike an opt-out, the person can take it back. */
export async function refuseMarketing(
  tx: Tx,
  identifiers: readonly Identifier[],
  { channel, note }: { channel: Channel; note: string },
): Promise<void> {
  await suppress(tx, identifiers, { kind: 'marketing', channel, listName: null, note, requester: null })
}

/** Removes the entries of `refuseMarketing`: the person accepts marketing again. */
export async function acceptMarketing(
  tx: Tx,
  identifiers: readonly Identifier[],
  channel: Channel,
): Promise<void> {
  const values = identifiers.map(({ value }) => value)
  await sql`
    delete from suppressions
    where tenant_id = ${getTenantId(tx)} and kind = 'marketing' and channel = ${channel}
      and hash = any(${hashIdentifiers(tx, values)}::bytea[])`.execute(tx)
}
