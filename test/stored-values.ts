/** Searches all stored data, every value of every table and every file, for text that must not be there. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import pg from 'pg'
import { inject } from 'vitest'
import { withDatabaseName } from './database.ts'
import type { TestApp } from './harness.ts'

/**
 * Finds `needles` and returns `table.column: needle`. Encrypted and compressed values are decoded first. Ignores case,
 * accents and separators between digits.
 */
export async function findStored({ config, deployment }: TestApp, needles: string[]): Promise<string[]> {
  const name = new URL(config.databaseUrl!).pathname.slice(1)
  // Only a superuser sees the rows of all tenants under row level security.
  const superuser = new pg.Client({ connectionString: withDatabaseName(inject('superuserUrl'), name) })
  await superuser.connect()
  const locations = new Set<string>()
  const scan = async (place: string, value: unknown) => {
    const texts = Buffer.isBuffer(value) ? await decodeAll(value, deployment.cipher.decrypt) : [toText(value)]
    for (const text of texts.flatMap(listSpellings))
      for (const needle of needles) if (text.includes(fold(needle))) locations.add(`${place}: ${needle}`)
  }
  try {
    const { rows: tables } = await superuser.query<{ table: string }>(
      `select format('%I.%I', table_schema, table_name) as table from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    for (const { table } of tables) {
      const { rows } = await superuser.query<Record<string, unknown>>(`select * from ${table}`)
      for (const row of rows)
        for (const [column, value] of Object.entries(row)) await scan(`${table}.${column}`, value)
    }
  } finally {
    await superuser.end()
  }
  await mkdir(config.dataDir, { recursive: true })
  for (const entry of await readdir(config.dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await scan(entry.name, await readFile(join(entry.parentPath, entry.name)))
  return [...locations].sort()
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The text, and the text without separators between digits. */
function listSpellings(text: string): string[] {
  const plain = fold(text)
  return [plain, plain.replace(/(?<=\d)[ ().\-/]+(?=\d)/g, '')]
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The bytes as text, also decrypted or decompressed. */
async function decodeAll(bytes: Buffer, decrypt: (bytes: Buffer) => Promise<string>): Promise<string[]> {
  const decoders = [decrypt, gunzipSync, inflateSync, zstdDecompressSync]
  const decoded: string[] = []
  for (const decode of decoders)
    try {
      decoded.push((await decode(bytes)).toString())
    } catch {
      // The bytes have another format.
    }
  return [bytes.toString(), ...decoded]
}
