/** Stores the files of imports in the database, where every process can read them, for as long as they are needed. */

import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { RawBuilder } from 'kysely'
import { sqlNow, sqlNowFor } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../kit/db/index.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** Half the processor time of the default level, and no larger for tables of people. */
const compression = { [constants.ZSTD_c_compressionLevel]: 1 }
/** The compressed bytes to insert with one statement: written in a millisecond, in which no other request is answered. */
const statementBytes = 512 * 1024

/** Stores a file in chunks, each compressed separately (zstd). */
export async function storeFile(tx: Tx, importId: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  let number = 0
  let pending: Buffer[] = []
  const flush = async () => {
    if (pending.length === 0) return
    await sql`
      insert into import_chunks (tenant_id, import_id, number, bytes)
      select ${getTenantId(tx)}::uuid, ${importId}::uuid, ${number - pending.length} + ordinality - 1, bytes
      -- A parameter for each, which is sent as it is: an array would be written as hexadecimal text.
      from unnest(array[${sql.join(pending)}]::bytea[]) with ordinality as chunk (bytes, ordinality)
      returning true`.execute(tx)
    pending = []
  }
  for await (const chunk of chunks) {
    pending.push(await compress(chunk, { params: compression }))
    number++
    if (pending.reduce((sum, { length }) => sum + length, 0) >= statementBytes) await flush()
  }
  await flush()
}

/** Reads a file chunk by chunk, each in its own transaction. Calls `onRead` with the number of bytes read so far. */
export async function* readFile(
  database: Database,
  tenantId: string,
  importId: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let number = 0, bytes = 0; ; number++) {
    const { rows } = await database.readTenant({ tenantId }, tx =>
      sql<{ bytes: Buffer }>`
        select bytes from import_chunks
        where tenant_id = ${getTenantId(tx)} and import_id = ${importId} and number = ${number}`.execute(tx),
    )
    if (!rows[0]) return
    const chunk = await decompress(rows[0].bytes)
    bytes += chunk.length
    onRead(bytes)
    yield chunk
  }
}

/** SQL: true if a heading holds no personal data: its field was guessed, or it is generated (`column 1`). */
const isKnownHeading = (heading: RawBuilder<unknown>) =>
  sql`(i.guessed_mapping ->> ${heading} is not null or ${heading} ~ '^column \\d+$')`
/** SQL: the mapping without unknown headings. */
const onlyKnownHeadings = (mapping: string) => sql`(
  select coalesce(json_object_agg(key, value order by at), '{}')
  from json_each(${sql.ref(mapping)}) with ordinality as each (key, value, at) where ${isKnownHeading(sql`key`)})`

/**
 * Deletes the files of ended imports, and with them all unknown headings: in a table without headings these are the cells of
 * the first row, which may hold personal data.
 */
export async function deleteFiles(tx: Tx, importIds: string[]): Promise<void> {
  await sql`delete from import_chunks where tenant_id = ${getTenantId(tx)} and import_id = any(${importIds}::uuid[])`.execute(
    tx,
  )
  await sql`
    update imports i set file_kept_until = null, mapping = ${onlyKnownHeadings('i.mapping')}, guessed_mapping = ${onlyKnownHeadings('i.guessed_mapping')},
      headings = array(
        select heading from unnest(i.headings) with ordinality as each (heading, at)
        where ${isKnownHeading(sql`heading`)} order by at)
    where i.tenant_id = ${getTenantId(tx)} and i.id = any(${importIds}::uuid[])`.execute(tx)
}

/** SQL: true if the time to start the import of a dry run's file is over. */
const isExpired = (now: RawBuilder<Date>) =>
  sql`file_kept_until <= ${now} and status not in ('QUEUED', 'RUNNING')`

export async function listTenantsWithExpiredFiles({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from imports where ${isExpired(sqlNowFor('imports.tenant_id'))}`.execute(
    owner,
  )
  return rows.map(({ tenantId }) => tenantId)
}

/** Finds when the next file expires; null: there is none. */
export async function findNextFileExpiry(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(file_kept_until) as at from imports
    where tenant_id = ${getTenantId(tx)} and status not in ('QUEUED', 'RUNNING')`.execute(tx)
  return rows[0]!.at
}

export async function deleteExpiredFiles(tx: Tx): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from imports where tenant_id = ${getTenantId(tx)} and ${isExpired(sqlNow(tx))} for update`.execute(
    tx,
  )
  await deleteFiles(
    tx,
    rows.map(({ id }) => id),
  )
}
