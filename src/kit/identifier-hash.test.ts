/** The hash of an identifier is HMAC-SHA256 under the derived key, computed by the database. */
import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDatabase } from '../../test/harness.ts'
import { type Database, openDatabase, sql } from './db/index.ts'
import { hashPadsOf } from './identifier-hash.ts'
import { deriveKeyring } from './keyring.ts'

const encryptionKey = Buffer.alloc(32, 9).toString('base64')

let url: string
let database: Database
beforeAll(async () => {
  url = await makeDatabase()
  database = openDatabase(url, { hashPads: hashPadsOf(deriveKeyring(encryptionKey)), onError: () => {} })
})
afterAll(() => database.close())

async function hashesOf({ outside }: Database, values: string[]): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select aldaba.identifier_hash(value) as hash from unnest(${values}::text[]) with ordinality as v (value, n) order by n`.execute(
    outside,
  )
  return rows.map(row => row.hash)
}

it('is what node:crypto computes, capitals of ASCII apart', async () => {
  const key = Buffer.from(
    hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), '', 'aldaba identifiers of people', 32),
  )
  const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map(value => value.replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 20 }), async values => {
      const lower = (value: string) => value.replace(/[A-Z]/g, letter => letter.toLowerCase())
      const expected = values.map(value => createHmac('sha256', key).update(lower(value)).digest())
      expect(await hashesOf(database, values)).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

it('is another one under another key, and none without', async () => {
  const other = openDatabase(url, {
    hashPads: hashPadsOf(deriveKeyring(Buffer.alloc(32, 8).toString('base64'))),
    onError: () => {},
  })
  const none = openDatabase(url, { onError: () => {} })
  try {
    expect(await hashesOf(other, ['+34612345678'])).not.toEqual(await hashesOf(database, ['+34612345678']))
    await expect(hashesOf(none, ['+34612345678'])).rejects.toThrow('identifier_outer_pad')
  } finally {
    await Promise.all([other.close(), none.close()])
  }
})
