/** The format of API keys: prefix, random part, checksum. A mistyped key is detected without the database. */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type Environment = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6

/**
 * Returns a new key: `svc_live_` or `svc_test_`, 30 random base62 characters, and the CRC-32 of these in 6 characters.
 */
export function createKeyValue(environment: Environment): string {
  const start = `svc_${environment}_${randomBase62(randomLength)}`
  return start + checksum(start)
}

/** Returns the environment that a key names; null if the format or the checksum is wrong. */
export function parseKeyEnvironment(value: string): Environment | null {
  const match = /^svc_(live|test)_[0-9A-Za-z]{36}$/.exec(value)
  if (!match) return null
  const start = value.slice(0, -checksumLength)
  return checksum(start) === value.slice(-checksumLength) ? (match[1] as Environment) : null
}

/** Returns the stored hash of a key (SHA-256). A key has 178 random bits, so the hash needs no salt. */
export function hashKeyValue(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte. Bytes above it would favour the first characters.
    for (const byte of randomBytes(length * 2))
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  }
  return text
}
