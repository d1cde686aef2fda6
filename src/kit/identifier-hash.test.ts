/** The hash of an identifier is HMAC-SHA256 under the key of the keyring, in every way that the program works with a database. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { ParseJSONResultsPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDatabase } from '../../test/harness.ts'
import { makeWorkspace } from '../../test/make.ts'
import { hashIdentifiers } from './db/hash-identifiers.ts'
import { type Database, openDatabase } from './db/index.ts'
import { hashIdentifier, identifierKeyOf } from './identifier-hash.ts'
import { deriveKeyring } from './keyring.ts'

const keyring = deriveKeyring(Buffer.alloc(32, 9).toString('base64'))
const key = identifierKeyOf(keyring)
const hexOf = (value: string) => hashIdentifier(key, value).toString('hex')

/** As PostgreSQL computed them, from the definition in RFC 2104 and `lower(value collate "C")`, before the program did. */
const known: Record<string, string> = {
  '+34612345678': 'a8152f863ec093596759da6b865ce18416218f3c478285e6ec386d0a481baed7',
  'Ana.García@Example.com': '77ac9622dde15fe44a09d58613fe1dc43dacbdfaf8a643fb5ed505133bf29aa3',
  'telegram:ÑANDÚ': '105bc8f297f974ba29af01dfcd05802bbd4f8e09df383a7c613559d2ef6661ae',
  '': '275b4773671a88370ef7e8a1ef3abd2d8b2b3b44275e8fb7982d1c97eccd19b3',
  'advert\nportal_a\n98765432': '879123668c9f61ba7531f87985c3cc312cc52c479aeb1fc5193779d96ee1205f',
  'market portal_a 98765432': 'b31fc592064dac20420bc3e00511e482d9af6b45f663367304ff203af42985b1',
}

describe('the hash', () => {
  it.each(Object.entries(known))('of %j stays what it was', (value, hex) => expect(hexOf(value)).toBe(hex))

  it('is HMAC-SHA256 of the text, capitals of ASCII apart', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map(value => value.replaceAll('\0', ''))
    fc.assert(
      fc.property(text, value => {
        const lower = value.replace(/[A-Z]/g, letter => letter.toLowerCase())
        const hmac = createHmac('sha256', Buffer.from(keyring.identifierKey, 'base64'))
        expect(hexOf(value)).toBe(hmac.update(lower).digest('hex'))
      }),
    )
  })

  it('is of the text as the database stores it', () => {
    expect(hexOf('+346\u0000123\ud800')).toBe(hexOf('+346123\ufffd'))
  })

  it('is another one under another key', () => {
    const other = identifierKeyOf(deriveKeyring(Buffer.alloc(32, 8).toString('base64')))
    expect(hashIdentifier(other, '+34612345678')).not.toEqual(hashIdentifier(key, '+34612345678'))
  })
})

describe('statements get hashes', () => {
  let database: Database
  let keyless: Database
  beforeAll(async () => {
    const url = await makeDatabase()
    database = openDatabase(url, { identifierKey: key, onError: () => {} })
    keyless = openDatabase(url, { onError: () => {} })
  })
  afterAll(() => Promise.all([database.close(), keyless.close()]))

  it('of values in their order, in each kind of transaction, and with plugins', async () => {
    const { testTenantId: tenantId } = await makeWorkspace(database)
    const values = Object.keys(known)
    const hashes = values.map(value => hashIdentifier(key, value))
    expect(await database.withTenant({ tenantId }, async tx => hashIdentifiers(tx, values))).toEqual(hashes)
    expect(await database.readTenant({ tenantId }, async tx => hashIdentifiers(tx, values))).toEqual(hashes)
    const { unscoped } = database
    expect(await unscoped.transaction().execute(async tx => hashIdentifiers(tx, values))).toEqual(hashes)
    expect(hashIdentifiers(unscoped.withPlugin(new ParseJSONResultsPlugin()), values)).toEqual(hashes)
  })

  it('from no database that was opened without the key', () => {
    expect(() => hashIdentifiers(keyless.unscoped, ['+34612345678'])).toThrow('without the key')
  })
})
