/** The file of secrets, and encryption at rest. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { createCipher, openSecrets } from './crypto.ts'

const run = promisify(execFile)

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'aldaba-secrets-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

it('makes the secrets on the first start and reads the same ones afterwards', async () => {
  const dataDir = join(makeDirectory(), 'not', 'there', 'yet')
  const first = await openSecrets(dataDir)
  expect(Buffer.from(first.encryptionKey, 'base64')).toHaveLength(32)
  expect(await openSecrets(dataDir)).toEqual(first)
})

it('lets nobody but its user read the secrets', async () => {
  const dataDir = makeDirectory()
  await openSecrets(dataDir)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

it('makes different secrets for every deployment, and each of its own', async () => {
  const both = [await openSecrets(makeDirectory()), await openSecrets(makeDirectory())]
  expect(new Set(both.flatMap(secrets => Object.values(secrets))).size).toBe(6)
})

it('makes one file however many ask at once, and leaves no draft behind', async () => {
  for (let round = 0; round < 10; round++) {
    const dataDir = makeDirectory()
    const all = await Promise.all(Array.from({ length: 8 }, () => openSecrets(dataDir)))
    for (const secrets of all) expect(secrets).toEqual(all[0])
    expect(readdirSync(dataDir)).toEqual(['secrets.json'])
  }
})

it('makes one file however many processes start at once', async () => {
  const dataDir = makeDirectory()
  const script = `const { openSecrets } = await import(${JSON.stringify(import.meta.resolve('./crypto.ts'))})
    console.log(JSON.stringify(await openSecrets(${JSON.stringify(dataDir)})))`
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '--eval', script])),
  )
  const all = outputs.map(({ stdout }) => JSON.parse(stdout))
  for (const secrets of all) expect(secrets).toEqual(all[0])
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
})

it('makes no new secrets beside a database that was set up with others', async () => {
  const dataDir = makeDirectory()
  mkdirSync(join(dataDir, 'postgres'))
  await expect(openSecrets(dataDir)).rejects.toThrow(
    /secrets\.json is gone.*Put back the copy from your backup/,
  )
  expect(readdirSync(dataDir)).toEqual(['postgres'])
})

const complete = {
  encryptionKey: randomBytes(32).toString('base64'),
  databaseSuperuserPassword: 'a',
  databaseOwnerPassword: 'b',
}
const { databaseOwnerPassword: _missing, ...incomplete } = complete

it.each([
  ['empty', ''],
  ['cut off', JSON.stringify(complete).slice(0, 40)],
  ['no object', 'null'],
  ['an object without secrets', '{}'],
  ['a key of another length', JSON.stringify({ ...complete, encryptionKey: 'c2hvcnQ=' })],
  ['without one of the passwords', JSON.stringify(incomplete)],
])('says in a sentence what to do about a damaged file and leaves it as it is: %s', async (_what, text) => {
  const dataDir = makeDirectory()
  const file = join(dataDir, 'secrets.json')
  writeFileSync(file, text)
  await expect(openSecrets(dataDir)).rejects.toThrow(`${file} is damaged. Put back the copy from your backup`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

const key = randomBytes(32).toString('base64')
const otherKey = randomBytes(32).toString('base64')

it('reads back whatever text was encrypted', () => {
  const cipher = createCipher(key)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      fc.pre(text.isWellFormed())
      expect(cipher.decrypt(cipher.encrypt(text))).toBe(text)
    }),
  )
})

it('encrypts the same text differently each time', () => {
  const cipher = createCipher(key)
  expect(cipher.encrypt('whsec_1').equals(cipher.encrypt('whsec_1'))).toBe(false)
})

it('refuses bytes of which any bit was altered', () => {
  const cipher = createCipher(key)
  const sealed = cipher.encrypt('a secret')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed)
    altered[bit >> 3]! ^= 1 << (bit & 7)
    expect(() => cipher.decrypt(altered), `bit ${bit}`).toThrow()
  }
})

it.each(['', 'a secret'])('refuses bytes that were cut off or lengthened: %j', text => {
  const cipher = createCipher(key)
  const sealed = cipher.encrypt(text)
  for (let length = 0; length < sealed.length; length++) {
    expect(() => cipher.decrypt(sealed.subarray(0, length)), `${length} bytes`).toThrow()
  }
  expect(() => cipher.decrypt(Buffer.concat([sealed, Buffer.of(0)]))).toThrow()
})

it('refuses what another key has encrypted', () => {
  expect(() => createCipher(otherKey).decrypt(createCipher(key).encrypt('a secret'))).toThrow()
})

it('names a key by a fingerprint that does not tell it', () => {
  const { fingerprint } = createCipher(key)
  expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
  expect(createCipher(key).fingerprint).toBe(fingerprint)
  expect(createCipher(otherKey).fingerprint).not.toBe(fingerprint)
  expect(Buffer.from(key, 'base64').toString('hex')).not.toContain(fingerprint)
})

it('digests a text the same every time, and otherwise under another key', () => {
  const [one, other] = [
    createCipher(Buffer.alloc(32, 1).toString('base64')),
    createCipher(Buffer.alloc(32, 2).toString('base64')),
  ]
  fc.assert(
    fc.property(fc.string(), text => {
      expect(one.digest(text)).toEqual(createCipher(Buffer.alloc(32, 1).toString('base64')).digest(text))
      expect(one.digest(text)).toHaveLength(32)
      expect(one.digest(text)).not.toEqual(other.digest(text))
      expect(one.digest(text)).not.toEqual(one.digest(`${text} `))
    }),
  )
})
