/**
 * The hash by which an identifier of a person is known where the identifier itself is not kept. The program computes it: the
 * database gets hashes as parameters of statements, and never the key.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Keyring } from './keyring.ts'
import { sanitizeText } from './sanitize-text.ts'

/** From the keyring's `identifierKey`: who has a dump of the database alone can't try out all phone numbers. */
export function identifierKeyOf({ identifierKey }: Keyring): KeyObject {
  return createSecretKey(identifierKey, 'base64')
}

/**
 * Hashes an identifier as the database stores it: HMAC-SHA256 (RFC 2104, 32 bytes) of `scope`, a line break and the identifier in
 * lower case. The scope is the tenant's id: hashes of two tenants can't be compared. Only letters of ASCII are lowered, so that no
 * version of Unicode changes a stored hash. It takes 2 µs.
 */
export function hashIdentifier(key: KeyObject, scope: string, value: string): Buffer {
  const lowered = sanitizeText(value).replace(/[A-Z]+/g, letters => letters.toLowerCase())
  return createHmac('sha256', key).update(`${scope}\n${lowered}`).digest()
}
