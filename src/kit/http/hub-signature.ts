/**
 * Signatures of inbound webhooks, as Meta and GitHub send them: `sha256=` and the hexadecimal HMAC-SHA-256 of the body.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * True if `header` (X-Hub-Signature-256) signs exactly these bytes with this secret, which is not empty. Compares in
 * constant time.
 */
export function isSignatureValid(
  body: Uint8Array,
  header: string | string[] | undefined,
  secret: string,
): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(typeof header === 'string' ? header : '')?.[1]
  if (!hex || secret === '') return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}
