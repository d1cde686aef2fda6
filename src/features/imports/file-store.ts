/** The file of an import, in the database for as long as it is needed: no process has it to itself. */

import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { RawBuilder } from 'kysely'
import { sqlNow, sqlNowOf } from '../../kit/clock/clock.ts'
import { tenantIdOf } from '../../kit/db/context.ts'
import { type Database, sql, type Tx } from '../../kit/db/index.ts'

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)
/** Of packed bytes, in one statement. */
const statementBytes = 2 * 1024 * 1024

/** Stores a file in pieces, each packed by itself. */
export async function storeFile(tx: Tx, importId: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  let number = 0
  let waiting: Buffer[] = []
  const store = async () => {
    if (waiting.length === 0) return
    await sql`
      insert into import_chunks (tenant_id, import_id, number, bytes)
      select ${tenantIdOf(tx)}::uuid, ${importId}::uuid, ${number - waiting.length} + ordinality - 1, bytes
      from unnest(${waiting}::bytea[]) with ordinality as piece (bytes, ordinality)
      returning true`.execute(tx)
    waiting = []
  }
  for await (const piece of pieces) {
    waiting.push(await pack(piece))
    number++
    if (waiting.reduce((sum, { length }) => sum + length, 0) >= statementBytes) await store()
  }
  await store()
}

/** Reads a file piece by piece, each in a transaction of its own; tells how many bytes there have been. */
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
        where tenant_id = ${tenantIdOf(tx)} and import_id = ${importId} and number = ${number}`.execute(tx),
    )
    if (!rows[0]) return
    const piece = await unpack(rows[0].bytes)
    bytes += piece.length
    onRead(bytes)
    yield piece
  }
}

/** SQL: whether a heading says nothing of anybody: it is guessed what it is, or no word of the file. */
const isKept = (heading: RawBuilder<unknown>) =>
  sql`(i.guessed_mapping ->> ${heading} is not null or ${heading} ~ '^column \\d+$')`
/** SQL: of a mapping, those headings. */
const known = (mapping: string) => sql`(
  select coalesce(json_object_agg(key, value order by at), '{}')
  from json_each(${sql.ref(mapping)}) with ordinality as each (key, value, at) where ${isKept(sql`key`)})`

/**
 * Deletes the files of these imports: with one ended, nobody needs the data of people in it. Nor headings that are no known
 * words: where a table had none, they are its first row.
 */
export async function forgetFiles(tx: Tx, importIds: string[]): Promise<void> {
  await sql`delete from import_chunks where tenant_id = ${tenantIdOf(tx)} and import_id = any(${importIds}::uuid[])`.execute(
    tx,
  )
  await sql`
    update imports i set file_kept_until = null, mapping = ${known('i.mapping')}, guessed_mapping = ${known('i.guessed_mapping')},
      headings = array(
        select heading from unnest(i.headings) with ordinality as each (heading, at)
        where ${isKept(sql`heading`)} order by at)
    where i.tenant_id = ${tenantIdOf(tx)} and i.id = any(${importIds}::uuid[])`.execute(tx)
}

/** SQL: nobody has come back for the file. */
const isExpired = (now: RawBuilder<Date>) =>
  sql`file_kept_until <= ${now} and status not in ('QUEUED', 'RUNNING')`

export async function listTenantsOfExpired({ owner }: Database): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct tenant_id as "tenantId" from imports where ${isExpired(sqlNowOf('imports.tenant_id'))}`.execute(
    owner,
  )
  return rows.map(({ tenantId }) => tenantId)
}

/** When the first file is to be forgotten. */
export async function nextExpiryAt(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(file_kept_until) as at from imports
    where tenant_id = ${tenantIdOf(tx)} and status not in ('QUEUED', 'RUNNING')`.execute(tx)
  return rows[0]!.at
}

export async function forgetExpired(tx: Tx): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from imports where tenant_id = ${tenantIdOf(tx)} and ${isExpired(sqlNow(tx))} for update`.execute(
    tx,
  )
  await forgetFiles(
    tx,
    rows.map(({ id }) => id),
  )
}
