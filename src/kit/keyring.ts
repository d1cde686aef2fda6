/**
 * The keys of a deployment. The encryption key only encrypts the keyring; the keys in it encrypt and hash the data. So
 * the encryption key can be rotated, while hashes of personal identifiers stay comparable.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export interface Keyring {
  /** The name of the key that encrypts new values. */
  primary: string
  /** All keys that stored values may be encrypted with, by name. 32 bytes each, base64. */
  keys: Record<string, string>
  /** The name of the key for values in the old format, which does not name its key. */
  unnamed: string
  /**
   * Hashes personal identifiers. It never changes, because erased identifiers cannot be hashed again. 32 bytes, base64.
   */
  identifierKey: string
  /** Digests requests, which are recognised for a day (Idempotency-Key). 32 bytes, base64. */
  digestKey: string
}

/** Derives the keyring of a deployment whose encryption key was never rotated (HKDF-SHA256, RFC 5869). */
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

/** Returns the keyring with a new random key as primary key. */
export function addKey(keyring: Keyring): Keyring {
  const key = randomBytes(32).toString('base64')
  const name = computeKeyName(key)
  // Names have only four bytes, so they may collide.
  if (name in keyring.keys) return addKey(keyring)
  return { ...keyring, primary: name, keys: { ...keyring.keys, [name]: key } }
}

const nonceBytes = 12
const tagBytes = 16
const noBytes = Buffer.alloc(0)

/**
 * Encrypts text with AES-256-GCM. Returns the nonce (12 bytes), the tag (16 bytes) and the ciphertext. `associatedData`
 * is authenticated, but not included.
 */
export function seal(key: Buffer, text: string, associatedData: Buffer = noBytes): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts. Throws if the bytes were sealed with another key or other `associatedData`, or were altered. */
export function unseal(key: Buffer, bytes: Buffer, associatedData: Buffer = noBytes): string {
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(
    associatedData,
  )
  const text = nonceBytes + tagBytes
  decipher.setAuthTag(bytes.subarray(nonceBytes, text))
  return Buffer.concat([decipher.update(bytes.subarray(text)), decipher.final()]).toString('utf8')
}

/** Encrypts the keyring with the encryption key, for storage. Returns base64. */
export function sealKeyring(keyring: Keyring, encryptionKey: string): string {
  return seal(derive(encryptionKey, 'aldaba keyring'), JSON.stringify(keyring)).toString('base64')
}

/** Decrypts a keyring. Throws if it was sealed with another encryption key. */
export function openKeyring(sealed: string, encryptionKey: string): Keyring {
  return JSON.parse(unseal(derive(encryptionKey, 'aldaba keyring'), Buffer.from(sealed, 'base64')))
}

/** Returns a fingerprint that identifies an encryption key without revealing it: 16 hexadecimal digits. */
export function computeFingerprint(encryptionKey: string): string {
  const key = Buffer.from(encryptionKey, 'base64')
  return createHash('sha256').update('aldaba key fingerprint').update(key).digest('hex').slice(0, 16)
}

/** Returns the name of a key, which stored values carry: 8 hexadecimal digits. */
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
