/** The keyring: only its encryption key opens it, and the keys for hashes are stable. */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { addKey, computeFingerprint, deriveKeyring, openKeyring, sealKeyring } from './keyring.ts'

const makeKey = () => randomBytes(32).toString('base64')

it('is the same each time it is derived from a key', () => {
  const key = makeKey()
  expect(deriveKeyring(key)).toEqual(deriveKeyring(key))
  expect(deriveKeyring(key)).not.toEqual(deriveKeyring(makeKey()))
})

it('can only be opened with the key that sealed it, and reveals no key', () => {
  const [key, other] = [makeKey(), makeKey()]
  const keyring = addKey(deriveKeyring(key))
  const sealed = sealKeyring(keyring, other)
  expect(openKeyring(sealed, other)).toEqual(keyring)
  expect(() => openKeyring(sealed, key)).toThrow()
  for (const secret of Object.values(keyring.keys)) expect(sealed).not.toContain(secret)
})

it('keeps the identifier key, the digest key and all other keys when one is added', () => {
  const keyring = deriveKeyring(makeKey())
  const added = addKey(addKey(keyring))
  const { identifierKey, digestKey, unnamed } = keyring
  expect(added).toMatchObject({ identifierKey, digestKey, unnamed })
  expect(added.keys).toMatchObject(keyring.keys)
  expect(Object.keys(added.keys)).toHaveLength(3)
  expect(added.primary).not.toBe(keyring.primary)
})

it('the fingerprint does not reveal the key', () => {
  const key = makeKey()
  expect(computeFingerprint(key)).toMatch(/^[0-9a-f]{16}$/)
  expect(computeFingerprint(key)).not.toBe(computeFingerprint(makeKey()))
  expect(Buffer.from(key, 'base64').toString('hex')).not.toContain(computeFingerprint(key))
})
