/** The secrets file, and encryption at rest. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { anyCharacter } from '../../test/characters.ts'
import { createCipher, openSecrets, replaceEncryptionKey } from './crypto.ts'
import { addKey, deriveKeyring } from './keyring.ts'

const run = promisify(execFile)

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'aldaba-secrets-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

it('creates the secrets on the first start, and reads the same ones later', async () => {
  const dataDir = join(makeDirectory(), 'not', 'there', 'yet')
  const first = await openSecrets(dataDir)
  expect(Buffer.from(first.encryptionKey, 'base64')).toHaveLength(32)
  expect(await openSecrets(dataDir)).toEqual(first)
})

it('lets only its user read the secrets', async () => {
  const dataDir = makeDirectory()
  await openSecrets(dataDir)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

it('creates different secrets for every deployment', async () => {
  const both = [await openSecrets(makeDirectory()), await openSecrets(makeDirectory())]
  expect(new Set(both.flatMap(secrets => Object.values(secrets))).size).toBe(6)
})

it('creates one file for concurrent calls, and leaves no temporary file', async () => {
  for (let round = 0; round < 10; round++) {
    const dataDir = makeDirectory()
    const all = await Promise.all(Array.from({ length: 8 }, () => openSecrets(dataDir)))
    for (const secrets of all) expect(secrets).toEqual(all[0])
    expect(readdirSync(dataDir)).toEqual(['secrets.json'])
  }
})

it('creates one file for several processes that start at once', async () => {
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

it('creates no new secrets beside an existing database', async () => {
  const dataDir = makeDirectory()
  mkdirSync(join(dataDir, 'postgres'))
  await expect(openSecrets(dataDir)).rejects.toThrow(
    /secrets\.json is missing.*Restore the file from your backup/,
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
])('explains how to recover a damaged file, and does not change it: %s', async (_what, text) => {
  const dataDir = makeDirectory()
  const file = join(dataDir, 'secrets.json')
  writeFileSync(file, text)
  await expect(openSecrets(dataDir)).rejects.toThrow(`${file} is damaged. Restore it from your backup`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

const makeKey = () => randomBytes(32).toString('base64')
const keyring = deriveKeyring(makeKey())

it('decrypts any encrypted text', async () => {
  const cipher = createCipher(keyring)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async text => {
      fc.pre(text.isWellFormed())
      expect(await cipher.decrypt(cipher.encrypt(text))).toBe(text)
    }),
  )
})

it('encrypts the same text differently each time', () => {
  const cipher = createCipher(keyring)
  expect(cipher.encrypt('whsec_1').equals(cipher.encrypt('whsec_1'))).toBe(false)
})

it('rejects bytes with any bit altered', async () => {
  const cipher = createCipher(keyring)
  const sealed = cipher.encrypt('a secret')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed)
    altered[bit >> 3]! ^= 1 << (bit & 7)
    await expect(cipher.decrypt(altered), `bit ${bit}`).rejects.toThrow()
  }
})

it.each(['', 'a secret'])('rejects bytes that were truncated or extended: %j', async text => {
  const cipher = createCipher(keyring)
  const sealed = cipher.encrypt(text)
  for (let length = 0; length < sealed.length; length++)
    await expect(cipher.decrypt(sealed.subarray(0, length)), `${length} bytes`).rejects.toThrow()
  await expect(cipher.decrypt(Buffer.concat([sealed, Buffer.of(0)]))).rejects.toThrow()
})

it('rejects bytes encrypted with another key', async () => {
  const sealed = createCipher(keyring).encrypt('a secret')
  await expect(createCipher(deriveKeyring(makeKey())).decrypt(sealed)).rejects.toThrow()
})

it('decrypts values in the old format, which does not name the key', async () => {
  const encryptionKey = Buffer.alloc(32, 5).toString('base64')
  const sealed = Buffer.from('AQABAgMEBQYHCAkKC6n2YH2nNh9Kda43FRqs/PS7jvXMLTUJ5A==', 'base64')
  const cipher = createCipher(addKey(deriveKeyring(encryptionKey)))
  expect(await cipher.decrypt(sealed)).toBe('a secret')
  expect(cipher.isCurrent(sealed)).toBe(false)
  await expect(createCipher(keyring).decrypt(sealed)).rejects.toThrow()
})

it('encrypts with the key added last, and decrypts with each of them', async () => {
  const second = addKey(keyring)
  const rings = [keyring, second, addKey(second)]
  const sealed = rings.map(ring => createCipher(ring).encrypt('a secret'))
  const last = createCipher(addKey(rings[2]!))
  for (const bytes of sealed) {
    expect(await last.decrypt(bytes)).toBe('a secret')
    expect(last.isCurrent(bytes)).toBe(false)
  }
  expect(last.isCurrent(last.encrypt('a secret'))).toBe(true)
})

it('reloads the keyring for an unknown key, once for concurrent calls', async () => {
  const added = addKey(keyring)
  const sealed = createCipher(added).encrypt('a secret')
  const reload = vi.fn(async () => added)
  const cipher = createCipher(keyring, reload)
  const texts = await Promise.all([cipher.decrypt(sealed), cipher.decrypt(sealed)])
  expect(texts).toEqual(['a secret', 'a secret'])
  expect(reload).toHaveBeenCalledOnce()
  // From then on it uses the reloaded keyring.
  expect(cipher.isCurrent(sealed)).toBe(true)
})

it('keeps its keyring if the encryption key no longer opens one', async () => {
  const added = addKey(keyring)
  const sealed = createCipher(added).encrypt('a secret')
  const reload = vi.fn(async () => added as typeof added | null)
  const cipher = createCipher(keyring, reload)
  await cipher.refresh()
  reload.mockResolvedValue(null)
  await cipher.refresh()
  expect(await cipher.decrypt(sealed)).toBe('a secret')
  expect(cipher.isCurrent(sealed)).toBe(true)
})

it('digests are stable when a key is added, and differ under another keyring', () => {
  const [one, same, other] = [keyring, addKey(keyring), deriveKeyring(makeKey())].map(ring =>
    createCipher(ring),
  )
  fc.assert(
    fc.property(fc.string(), text => {
      expect(one!.digest(text)).toEqual(same!.digest(text))
      expect(one!.digest(text)).toHaveLength(32)
      expect(one!.digest(text)).not.toEqual(other!.digest(text))
      expect(one!.digest(text)).not.toEqual(one!.digest(`${text} `))
    }),
  )
})

it('replaces only the encryption key in the secrets file', async () => {
  const dataDir = makeDirectory()
  const before = await openSecrets(dataDir)
  const encryptionKey = makeKey()
  await replaceEncryptionKey(dataDir, encryptionKey)
  expect(await openSecrets(dataDir)).toEqual({ ...before, encryptionKey })
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})
