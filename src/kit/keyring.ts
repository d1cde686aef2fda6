/**
 * The keys of a deployment. Its encryption key opens the keyring; the keys on it do the work. So the encryption key can be
 * replaced, while what people are known again by, a keyed hash, stays comparable.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export interface Keyring {
  /** The name of the key that encrypts from now on. */
  primary: string
  /** By name: all that values may be encrypted with. 32 bytes each, base64. */
  keys: Record<string, string>
  /** The name of the key of values that do not name theirs, as all did once. */
  unnamed: string
  /** Under which identifiers of people are hashed. It stays: a person who was erased can't be hashed anew. 32 bytes, base64. */
  identifierKey: string
  /** Under which requests are digested, to be known again for a day. 32 bytes, base64. */
  digestKey: string
}

/** Of a deployment whose encryption key was never rotated: everything derives from it (HKDF-SHA256, RFC 5869). */
export function deriveKeyring(encryptionKey: string): Keyring {
  const name = computeKeyName(encryptionKey)
  return {
    primary: name,
    keys: { [name]: encryptionKey },
    unnamed: name,
    identifierKey: derive(encryptionKey, 'aldaba identifiers of people').toString('base64'),
    digestKey: derive(encryptionKey, 'aldaba digests').toString('base64'),
  }
}

/** The same, which encrypts with a new key from now on. */
export function addKey(keyring: Keyring): Keyring {
  const key = randomBytes(32).toString('base64')
  const name = computeKeyName(key)
  // A name has four bytes.
  if (name in keyring.keys) return addKey(keyring)
  return { ...keyring, primary: name, keys: { ...keyring.keys, [name]: key } }
}

const nonceBytes = 12
const tagBytes = 16
const noBytes = Buffer.alloc(0)

/** Encrypts bytes with AES-256-GCM: 12 bytes of nonce, 16 of tag, then the text. `associatedData` is not encrypted, but guarded. */
export function seal(key: Buffer, text: string, associatedData: Buffer = noBytes): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Throws if the bytes were sealed with another key, were altered, or belong to another `associatedData`. */
export function unseal(key: Buffer, bytes: Buffer, associatedData: Buffer = noBytes): string {
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(
    associatedData,
  )
  const text = nonceBytes + tagBytes
  decipher.setAuthTag(bytes.subarray(nonceBytes, text))
  return Buffer.concat([decipher.update(bytes.subarray(text)), decipher.final()]).toString('utf8')
}

/** The keyring as it is stored: whoever has the encryption key opens it. */
export function sealKeyring(keyring: Keyring, encryptionKey: string): string {
  return seal(derive(encryptionKey, 'aldaba keyring'), JSON.stringify(keyring)).toString('base64')
}

/** Throws if it was sealed with another encryption key. */
export function openKeyring(sealed: string, encryptionKey: string): Keyring {
  return JSON.parse(unseal(derive(encryptionKey, 'aldaba keyring'), Buffer.from(sealed, 'base64')))
}

/** Names an encryption key without telling it: 16 hexadecimal digits. */
export function computeFingerprint(encryptionKey: string): string {
  const key = Buffer.from(encryptionKey, 'base64')
  return createHash('sha256').update('aldaba key fingerprint').update(key).digest('hex').slice(0, 16)
}

/** Eight hexadecimal digits, which values carry. */
function computeKeyName(key: string): string {
  return createHash('sha256')
    .update('aldaba key name')
    .update(Buffer.from(key, 'base64'))
    .digest('hex')
    .slice(0, 8)
}

function derive(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', purpose, 32))
}
