/** Stores the keyring in the database, sealed once with each valid encryption key of the deployment. */

import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { machineNow } from './clock/clock.ts'
import { connectionConfig } from './db/connection.ts'
import { sqlState } from './db/index.ts'
import type { DB } from './db/tables.generated.ts'
import { computeFingerprint, type Keyring, openKeyring, sealKeyring } from './keyring.ts'

/** The topic of the notification to all processes that the keyring was changed. */
export const keyringTopic = 'keyring'

const prefix = 'keyring '
const toMetadataName = (fingerprint: string) => prefix + fingerprint

/** Returns the keyring sealed with this encryption key; null: none, because the key was never part of a rotation. */
export async function findKeyring(owner: Kysely<DB>, encryptionKey: string): Promise<Keyring | null> {
  const row = await owner
    .selectFrom('deployment_metadata')
    .select('value')
    .where('name', '=', toMetadataName(computeFingerprint(encryptionKey)))
    .executeTakeFirst()
  return row ? openKeyring(row.value, encryptionKey) : null
}

/** Returns the same for a database that is not open yet and may be empty. */
export async function findKeyringAt(databaseUrl: string, encryptionKey: string): Promise<Keyring | null> {
  const client = new pg.Client(connectionConfig(databaseUrl))
  try {
    await client.connect()
    const { rows } = await client.query<{ value: string }>(
      'select value from aldaba.deployment_metadata where name = $1',
      [toMetadataName(computeFingerprint(encryptionKey))],
    )
    return rows[0] ? openKeyring(rows[0].value, encryptionKey) : null
  } catch (error) {
    // The schema or the table is missing: no migration has run yet.
    if (/^(3F000|42P01)$/.test(sqlState(error) ?? '')) return null
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Returns the fingerprints of the keys that seal a keyring: none before the first rotation, two during one. */
export async function listKeyringFingerprints(owner: Kysely<DB>): Promise<string[]> {
  const rows = await owner
    .selectFrom('deployment_metadata')
    .select('name')
    .where(sql<boolean>`starts_with(name, ${prefix})`)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name.slice(prefix.length))
}

/** Stores the keyring, sealed with each of these encryption keys. Removes it for all other keys. */
export async function storeKeyring(
  tx: Kysely<DB>,
  keyring: Keyring,
  encryptionKeys: string[],
): Promise<void> {
  await tx.deleteFrom('deployment_metadata').where(sql<boolean>`starts_with(name, ${prefix})`).execute()
  await tx
    .insertInto('deployment_metadata')
    .values(
      encryptionKeys.map(key => ({
        name: toMetadataName(computeFingerprint(key)),
        value: sealKeyring(keyring, key),
      })),
    )
    .execute()
}

const currentName = 'encryption_key_fingerprint'
const formerPrefix = 'former encryption key '

/** Returns the fingerprint of the deployment's encryption key. If none is stored, stores this one. */
export async function getOrCreateFingerprint(owner: Kysely<DB>, fingerprint: string): Promise<string> {
  await owner
    .insertInto('deployment_metadata')
    .values({ name: currentName, value: fingerprint })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
  return getFingerprint(owner)
}

export async function getFingerprint(owner: Kysely<DB>): Promise<string> {
  const { value } = await owner
    .selectFrom('deployment_metadata')
    .select('value')
    .where('name', '=', currentName)
    .executeTakeFirstOrThrow()
  return value
}

/** Replaces the deployment's encryption key, and records when the old one was rotated out. */
export async function replaceFingerprint(tx: Kysely<DB>, from: string, to: string): Promise<void> {
  await tx.updateTable('deployment_metadata').set({ value: to }).where('name', '=', currentName).execute()
  await tx
    .deleteFrom('deployment_metadata')
    .where('name', '=', formerPrefix + to)
    .execute()
  await tx
    .insertInto('deployment_metadata')
    .values({ name: formerPrefix + from, value: new Date(machineNow()).toISOString() })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
}

/** Returns when this encryption key was rotated out (ISO 8601); null: never. */
export async function findRotatedAt(owner: Kysely<DB>, fingerprint: string): Promise<string | null> {
  const row = await owner
    .selectFrom('deployment_metadata')
    .select('value')
    .where('name', '=', formerPrefix + fingerprint)
    .executeTakeFirst()
  return row?.value ?? null
}
