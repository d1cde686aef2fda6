/** The key under which identifiers of people are hashed: given to each connection, kept in no table. */
import { hkdfSync } from 'node:crypto'

/** What HMAC-SHA256 puts before a message and before its inner hash (RFC 2104): 64 bytes each, in hexadecimal. */
export interface HashPads {
  inner: string
  outer: string
}

const blockBytes = 64

/**
 * Derived from the deployment's encryption key (32 bytes, base64) by HKDF-SHA256 (RFC 5869): who has a dump of the database
 * alone can't try out all telephone numbers. `aldaba.identifier_hash()` computes with it.
 */
export function deriveHashPads(encryptionKey: string): HashPads {
  const secret = Buffer.from(encryptionKey, 'base64')
  const key = Buffer.alloc(blockBytes)
  Buffer.from(hkdfSync('sha256', secret, '', 'aldaba identifiers of people', 32)).copy(key)
  const pad = (byte: number) => Buffer.from(key.map(each => each ^ byte)).toString('hex')
  return { inner: pad(0x36), outer: pad(0x5c) }
}
