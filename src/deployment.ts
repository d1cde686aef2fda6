/** Opens what every process needs: secrets, a migrated database, and the encryption key that fits it. */
import type { Config } from './config.ts'
import { ensureDemoWorkspace } from './features/identity/service.ts'
import { type Cipher, createCipher, openSecrets } from './kit/crypto.ts'
import { type Database, openDatabase } from './kit/db/index.ts'
import { listPendingMigrations, migrate } from './kit/db/migrate.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './kit/embedded-postgres.ts'
import { toIdentifierKey } from './kit/identifier-hash.ts'
import { computeFingerprint, deriveKeyring } from './kit/keyring.ts'
import {
  findKeyring,
  findKeyringAt,
  findRotatedAt,
  getOrCreateFingerprint,
  keyringTopic,
} from './kit/keyring-store.ts'
import type { Log } from './kit/log.ts'
import { nameConnections } from './kit/processes.ts'

export interface Deployment {
  database: Database
  cipher: Cipher
  /** Identifies the encryption key without revealing it. */
  fingerprint: string
  /** Names of the migrations that opening applied. */
  migrated: string[]
  /** Names of migrations that are not applied, if it was opened with `migrates: false`. */
  pending: string[]
  /** Null with DATABASE_URL. */
  embedded: EmbeddedPostgres | null
  close(): Promise<void>
}

/**
 * Opens the deployment that the configuration describes. `own` is for the server (an embedded database can
 * have only one); `join` is for commands beside it. Throws an Error whose message is written for people.
 */
export async function openDeployment(
  config: Config,
  options: { mode: 'own' | 'join'; log: Log; migrates?: boolean },
): Promise<Deployment> {
  const { log } = options
  const secrets = await openSecrets(config.dataDir)
  const encryptionKey = config.encryptionKey ?? secrets.encryptionKey
  const embedded = config.databaseUrl
    ? null
    : await openEmbeddedPostgres({
        dataDir: config.dataDir,
        passwords: { superuser: secrets.databaseSuperuserPassword, owner: secrets.databaseOwnerPassword },
        mode: options.mode,
        log: message => log.info(message),
      })
  const fingerprint = computeFingerprint(encryptionKey)
  const databaseUrl = config.databaseUrl ?? embedded!.databaseUrl
  const addresses = nameConnections(databaseUrl, config.databaseDirectUrl, fingerprint)
  const stored = await findKeyringAt(addresses.directUrl, encryptionKey).catch(async error => {
    await embedded?.stop()
    return throwDatabaseError(error)
  })
  const keyring = stored ?? deriveKeyring(encryptionKey)
  const database = openDatabase(addresses.databaseUrl, {
    directUrl: addresses.directUrl,
    identifierKey: toIdentifierKey(keyring),
    onError: error => log.warn({ err: error }, 'a database connection was lost'),
  })
  const cipher = createCipher(keyring, () => findKeyring(database.owner, encryptionKey))
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  try {
    if (options.migrates === false) {
      const pending = await listPendingMigrations(database.ownerPool).catch(throwDatabaseError)
      if (pending.length > 0) return { database, cipher, fingerprint, migrated: [], pending, embedded, close }
    }
    const migrated = options.migrates === false ? [] : await migrateAndLog(database, log)
    if (!stored) await checkFingerprint(database, fingerprint)
    // Uses a key as soon as another process adds it.
    if (options.mode === 'own')
      database.notifications.on(
        keyringTopic,
        () => void cipher.refresh().catch(err => log.warn({ err }, 'the keyring could not be read')),
      )
    if (embedded) await ensureDemoWorkspace(database.owner)
    return { database, cipher, fingerprint, migrated, pending: [], embedded, close }
  } catch (error) {
    await close()
    throw error
  }
}

function migrateAndLog({ withSessionPool }: Database, log: Log): Promise<string[]> {
  const onPending = (migrations: string[]) => log.info({ migrations }, 'applying migrations')
  return withSessionPool(pool => migrate(pool, onPending)).catch(throwDatabaseError)
}

function throwDatabaseError(error: NodeJS.ErrnoException): never {
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'no server answers at its host and port',
    ENOTFOUND: 'its host is unknown',
    '28P01': 'the password is wrong',
    '28000': 'this user may not connect',
    '3D000': 'the database does not exist',
    '42501': `${error.message}; docs/guides/go-to-production.md lists the rights the database user needs`,
  }
  const reason = reasons[error.code ?? '']
  throw reason ? new Error(`The database of DATABASE_URL can't be used: ${reason}.`, { cause: error }) : error
}

/** Throws if this is not the key with which the secrets in the database were encrypted. */
async function checkFingerprint({ owner }: Database, fingerprint: string): Promise<void> {
  const current = await getOrCreateFingerprint(owner, fingerprint)
  if (current === fingerprint) return
  const rotatedAt = await findRotatedAt(owner, fingerprint)
  throw new Error(
    rotatedAt
      ? `The encryption key ${fingerprint} was rotated out on ${rotatedAt.slice(0, 10)}. Set ENCRYPTION_KEY to the key that replaced it (${current}), or copy secrets.json from the machine on which it was rotated.`
      : `The encryption key does not fit this database (it was set up with key ${current}, this one is ${fingerprint}). ` +
          'Restore DATA_DIR/secrets.json, or set ENCRYPTION_KEY to the key that the other processes use.',
  )
}
