/** Signing as Standard Webhooks has it (standardwebhooks.com, specification, "Webhook metadata" and "Signature scheme"). */
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/** The value of `webhook-signature`: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`. */
export function sign(
  secret: string,
  message: { id: string; timestampSeconds: number; body: string },
): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signed = `${message.id}.${message.timestampSeconds}.${message.body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
