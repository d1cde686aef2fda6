/** The hash of an identifier is HMAC-SHA256 under the keyring's key, in every kind of transaction. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { ParseJSONResultsPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDatabase } from '../../test/harness.ts'
import { makeWorkspace } from '../../test/make.ts'
import { hashIdentifiers, hashValues } from './db/hash-identifiers.ts'
import { type Database, openDatabase } from './db/index.ts'
import { hashIdentifier, toIdentifierKey } from './identifier-hash.ts'
import { deriveKeyring } from './keyring.ts'

const keyring = deriveKeyring(Buffer.alloc(32, 9).toString('base64'))
const key = toIdentifierKey(keyring)
const toHexHash = (value: string) => hashIdentifier(key, tenantId, value).toString('hex')

const tenantId = '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f'

/** Fixed values: every later version must find the stored hashes again. */
const known: Record<string, string> = {
  '+34612345678': '8351123af6290d05ecd8dea1653ed32acb31a230e3ef33b47ab202faa24afee8',
  'Ana.García@Example.com': '878ccc1b788d59f8231d8e82e4ccdff44497a8feb4b701b97e128ef4b6048689',
  'telegram:ÑANDÚ': 'c24354344ff76b3e25ab2a056f82364d2fcb03df590918c36f5a5113e83bd710',
  '': '6997a8c109b6535f5ee50717dfe2a5baedca652cb9d26033caede23ea6d1e449',
  'listing\nportal_a\n98765432': '743377c408fa7809174124f1c6fb0acdd2e7489da35292859ce4126385ebb98d',
}

describe('the hash', () => {
  it.each(Object.entries(known))('of %j is stable', (value, hex) => expect(toHexHash(value)).toBe(hex))

  it('is HMAC-SHA256 of the text with ASCII letters in lower case', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map(value => value.replaceAll('\0', ''))
    fc.assert(
      fc.property(text, value => {
        const lower = value.replace(/[A-Z]/g, letter => letter.toLowerCase())
        const hmac = createHmac('sha256', Buffer.from(keyring.identifierKey, 'base64'))
        expect(toHexHash(value)).toBe(hmac.update(`${tenantId}\n${lower}`).digest('hex'))
      }),
    )
  })

  it('is computed from the sanitized text', () => {
    expect(toHexHash('+346\u0000123\ud800')).toBe(toHexHash('+346123\ufffd'))
  })

  it('differs under another key', () => {
    const other = toIdentifierKey(deriveKeyring(Buffer.alloc(32, 8).toString('base64')))
    expect(hashIdentifier(other, tenantId, '+34612345678')).not.toEqual(
      hashIdentifier(key, tenantId, '+34612345678'),
    )
  })

  it('differs in another tenant', () => {
    expect(hashIdentifier(key, 'other', '+34612345678')).not.toEqual(
      hashIdentifier(key, tenantId, '+34612345678'),
    )
  })
})

describe('hashIdentifiers', () => {
  let database: Database
  let keyless: Database
  beforeAll(async () => {
    const url = await makeDatabase()
    database = openDatabase(url, { identifierKey: key, onError: () => {} })
    keyless = openDatabase(url, { onError: () => {} })
  })
  afterAll(() => Promise.all([database.close(), keyless.close()]))

  it('returns hashes in the order of the values, in each kind of transaction, and with plugins', async () => {
    const { testTenantId: tenantId } = await makeWorkspace(database)
    const values = Object.keys(known)
    const hashes = values.map(value => hashIdentifier(key, tenantId, value))
    expect(await database.withTenant({ tenantId }, async tx => hashIdentifiers(tx, values))).toEqual(hashes)
    expect(await database.readTenant({ tenantId }, async tx => hashIdentifiers(tx, values))).toEqual(hashes)
    const { unscoped } = database
    const unscopedHashes = values.map(value => hashIdentifier(key, 'market', value))
    expect(await unscoped.transaction().execute(async tx => hashValues(tx, 'market', values))).toEqual(
      unscopedHashes,
    )
    expect(hashValues(unscoped.withPlugin(new ParseJSONResultsPlugin()), 'market', values)).toEqual(
      unscopedHashes,
    )
  })

  it('throws for a database that was opened without the key', () => {
    expect(() => hashValues(keyless.unscoped, 'market', ['+34612345678'])).toThrow('without the key')
  })
})
