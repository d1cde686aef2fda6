/** Signatures by Standard Webhooks (standardwebhooks.com, specification, "Webhook metadata" and "Signature scheme"). */
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** Returns a new secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/**
 * Returns the value of `webhook-signature`: for each secret `v1,` and the base64 of HMAC-SHA-256 over
 * `id.timestamp.body`, separated by spaces. A receiver accepts the message if one of them matches its secret.
 */
export function sign(
  secrets: string[],
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
): string {
  const signed = `${id}.${timestampSeconds}.${body}`
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return signatures.join(' ')
}
