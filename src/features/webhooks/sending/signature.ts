/** Signing as Standard Webhooks has it (standardwebhooks.com, specification, "Webhook metadata" and "Signature scheme"). */
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/**
 * The value of `webhook-signature`: for each secret `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`, with a
 * blank in between. A receiver that knows one of them is content.
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
