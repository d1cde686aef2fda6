/**
 * Rotates the encryption key while processes run. `beginRotation` adds a key to the keyring and lets a second
 * encryption key open it. `finishRotation` encrypts everything with the added key and removes the former encryption
 * key. Both may be interrupted at any point and run again.
 */
import { type Kysely, sql } from 'kysely'
import { describeFeatures } from './app.ts'
import type { Cipher } from './kit/crypto.ts'
import type { Database, Tx } from './kit/db/index.ts'
import { notifyOnCommit } from './kit/db/notifications.ts'
import type { DB } from './kit/db/tables.generated.ts'
import type { EncryptedColumn } from './kit/feature.ts'
import { addKey, computeFingerprint, deriveKeyring } from './kit/keyring.ts'
import {
  findKeyring,
  getFingerprint,
  keyringTopic,
  listKeyringFingerprints,
  replaceFingerprint,
  storeKeyring,
} from './kit/keyring-store.ts'
import { listProcesses, type RunningProcess } from './kit/processes.ts'

/** Every encrypted column: those of the features, and the stored replies of idempotency keys. */
export const encryptedColumns: EncryptedColumn[] = [
  { table: 'idempotency_keys', column: 'body', key: ['route', 'key'] },
  ...describeFeatures().flatMap(({ encryptedColumns = [] }) => encryptedColumns),
]

const batchRows = 200
/**
 * Maximum number of passes over all tenants. Each pass finds values that were written with the former key during the
 * previous one.
 */
const passesMax = 5

/**
 * Lets `newKey` open the deployment beside `currentKey`. From then on every process encrypts with an added keyring key,
 * which cannot be derived from either of them. Throws an Error written for people if the rotation cannot begin.
 */
export async function beginRotation(
  { owner }: Database,
  { currentKey, newKey }: { currentKey: string; newKey: string },
): Promise<void> {
  const [current, next] = [computeFingerprint(currentKey), computeFingerprint(newKey)]
  if (current === next) throw new Error('The new encryption key is the current one. Generate another.')
  await owner.transaction().execute(async tx => {
    await lockKeyring(tx)
    const others = (await listKeyringFingerprints(tx)).filter(one => one !== current)
    const isOutdated = (await getFingerprint(tx)) !== current
    const processesWithOtherKeys = (await listProcesses(tx)).filter(
      ({ fingerprint }) => fingerprint !== next && others.includes(fingerprint),
    )
    if (isOutdated || processesWithOtherKeys.length > 0)
      throw new Error(
        'A rotation to another key is in progress. Finish it first: npx aldaba encryption finish.',
      )
    const stored = (await findKeyring(tx, currentKey)) ?? deriveKeyring(currentKey)
    // Other fingerprints belong to an earlier rotation, to a key that no process uses. Its added key is kept.
    await storeKeyring(tx, others.length > 0 ? stored : addKey(stored), [currentKey, newKey])
    await notifyOnCommit(tx, keyringTopic)
  })
}

export interface RotationResult {
  /** Values that were encrypted again. */
  rewritten: number
  /** Values that no key can decrypt. They are not changed. */
  unreadable: number
}

/**
 * Encrypts every value with the keyring's primary key, then lets only `newKey` open the deployment. Throws an Error
 * written for people, which lists the processes that still run with another key.
 */
export async function finishRotation(
  database: Database,
  { cipher, newKey }: { cipher: Cipher; newKey: string },
): Promise<RotationResult> {
  const { owner } = database
  const newFingerprint = computeFingerprint(newKey)
  const current = await getFingerprint(owner)
  const [other] = (await listKeyringFingerprints(owner)).filter(one => one !== newFingerprint)
  if (current === newFingerprint && other)
    throw new Error(
      `This is the former encryption key (${newFingerprint}). Run this with the new one (${other}).`,
    )
  if (!other) throw new Error('No rotation is in progress. Begin one: npx aldaba encryption rotate.')
  checkNoOtherProcesses(
    (await listProcesses(owner)).filter(({ fingerprint }) => fingerprint !== newFingerprint),
  )
  await cipher.refresh()
  const rotated = await rewriteEverything(database, cipher)
  await owner.transaction().execute(async tx => {
    await lockKeyring(tx)
    await storeKeyring(tx, (await findKeyring(tx, newKey))!, [newKey])
    await replaceFingerprint(tx, current, newFingerprint)
  })
  return rotated
}

/**
 * Prevents other commands from beginning a rotation at the same time. Otherwise one could write a key to the secrets
 * file that the other has just removed.
 */
export async function withRotationLock(
  { withSessionPool }: Pick<Database, 'withSessionPool'>,
  begin: () => Promise<void>,
): Promise<void> {
  await withSessionPool(async pool => {
    const session = await pool.connect()
    try {
      const { rows } = await session.query<{ isFree: boolean }>(
        `select pg_try_advisory_lock(hashtextextended('aldaba rotation', 0)) as "isFree"`,
      )
      if (!rows[0]!.isFree)
        throw new Error('Another command is beginning a rotation. Wait until it has ended.')
      await begin()
    } finally {
      // Closing the connection releases the lock.
      session.release(true)
    }
  })
}

/** Serializes concurrent commands. */
async function lockKeyring(tx: Kysely<DB>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('aldaba keyring', 0))`.execute(tx)
}

function checkNoOtherProcesses(processes: RunningProcess[]): void {
  if (processes.length === 0) return
  const names = processes.map(({ pid, address }) => (address ? `${pid} at ${address}` : String(pid)))
  throw new Error(
    `Processes still run with the former encryption key: ${names.join(', ')}. Restart them with the new one, then run this again.`,
  )
}

async function rewriteEverything(database: Database, cipher: Cipher): Promise<RotationResult> {
  let rewritten = 0
  for (let pass = 1; pass <= passesMax; pass++) {
    let [found, unreadable] = [0, 0]
    const tenants = await database.owner.selectFrom('tenants').select('id').execute()
    for (const { id } of tenants)
      for (const column of encryptedColumns) {
        const result = await rewriteColumn(database, cipher, id, column)
        found += result.rewritten
        unreadable += result.unreadable
      }
    if (found === 0) return { rewritten, unreadable }
    rewritten += found
  }
  throw new Error(
    'Values are still written with the former key. Check for processes without a direct database connection, then run this again.',
  )
}

async function rewriteColumn(
  database: Database,
  cipher: Cipher,
  tenantId: string,
  column: EncryptedColumn,
): Promise<RotationResult> {
  const total = { rewritten: 0, unreadable: 0 }
  let after: unknown[] | null = null
  do {
    const batch: Batch = await database.withTenant({ tenantId }, tx =>
      rewriteBatch(tx, cipher, { tenantId, column, after }),
    )
    total.rewritten += batch.rewritten
    total.unreadable += batch.unreadable
    after = batch.last
  } while (after)
  return total
}

interface Batch extends RotationResult {
  /** The key of the last row; null if there are no more rows. */
  last: unknown[] | null
}

async function rewriteBatch(
  tx: Tx,
  cipher: Cipher,
  options: { tenantId: string; column: EncryptedColumn; after: unknown[] | null },
): Promise<Batch> {
  const { tenantId, after } = options
  const { table, column, key } = options.column
  const keys = sql.join(key.map(name => sql.ref(name)))
  const value = sql.ref(column)
  const { rows } = await sql<Record<string, unknown> & { value: Buffer }>`
    select ${keys}, ${value} as value from ${sql.table(table)}
    where tenant_id = ${tenantId} and ${value} is not null ${after ? sql`and (${keys}) > (${sql.join(after)})` : sql``}
    order by ${keys} limit ${batchRows}`.execute(tx)
  const outdated = rows.filter(row => !cipher.isCurrent(row.value))
  const texts = await Promise.all(outdated.map(row => cipher.decrypt(row.value).catch(() => null)))
  const readable = outdated.filter((_, at) => texts[at] !== null)
  const encrypted = texts.filter(text => text !== null).map(text => cipher.encrypt(text))
  const updates = readable.map((row, position) =>
    // A value that was changed meanwhile is already encrypted with the new key.
    sql`
      update ${sql.table(table)} set ${value} = ${encrypted[position]}
      where tenant_id = ${tenantId} and (${keys}) = (${sql.join(key.map(name => row[name]))})
        and ${value} = ${row.value}`.execute(tx),
  )
  await Promise.all(updates)
  const last = rows.length < batchRows ? null : key.map(name => rows.at(-1)![name])
  return { last, rewritten: readable.length, unreadable: outdated.length - readable.length }
}
