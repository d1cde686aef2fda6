/**
 * The hash of a personal identifier (phone number, e-mail address), stored where the identifier itself is not. The
 * program computes it: the database receives hashes as statement parameters, and never the key.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Keyring } from './keyring.ts'
import { sanitizeText } from './sanitize-text.ts'

/**
 * Returns the HMAC key from the keyring's `identifierKey`. Without it, a dump of the database cannot be searched by
 * hashing all phone numbers.
 */
export function toIdentifierKey({ identifierKey }: Keyring): KeyObject {
  return createSecretKey(identifierKey, 'base64')
}

/**
 * Returns the HMAC-SHA256 (RFC 2104, 32 bytes) of `scope`, a line break and the sanitized identifier in lower case. The
 * scope is the tenant's id, so that hashes of two tenants cannot be compared. Only ASCII letters are lowered, so that
 * no new version of Unicode changes a stored hash. It takes 2 µs.
 */
export function hashIdentifier(key: KeyObject, scope: string, value: string): Buffer {
  const lowered = sanitizeText(value).replace(/[A-Z]+/g, letters => letters.toLowerCase())
  return createHmac('sha256', key).update(`${scope}\n${lowered}`).digest()
}
