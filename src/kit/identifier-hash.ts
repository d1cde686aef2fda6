/** The key under which identifiers of people are hashed: given to each connection, kept in no table. */
import type { Keyring } from './keyring.ts'

/** What HMAC-SHA256 puts before a message and before its inner hash (RFC 2104): 64 bytes each, in hexadecimal. */
export interface HashPads {
  inner: string
  outer: string
}

const blockBytes = 64

/**
 * From the keyring's `identifierKey`: who has a dump of the database alone can't try out all telephone numbers.
 * `aldaba.identifier_hash()` computes with it.
 */
export function hashPadsOf({ identifierKey }: Keyring): HashPads {
  const key = Buffer.alloc(blockBytes)
  Buffer.from(identifierKey, 'base64').copy(key)
  const pad = (byte: number) => Buffer.from(key.map(each => each ^ byte)).toString('hex')
  return { inner: pad(0x36), outer: pad(0x5c) }
}
