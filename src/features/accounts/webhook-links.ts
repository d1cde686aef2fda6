/** The link under which a provider posts what arrives for an account: a share of the kind `account`. */
import { createHash } from 'node:crypto'
import type { Cipher } from '../../kit/crypto.ts'
import type { ShareRow } from '../shares/service.ts'

export const accountKind = 'account'
/** Below the base path, beside the API. */
export const webhookPath = '/chat/webhooks'

export interface WebhookLink {
  url: string
  /** What the provider sends back so that we recognise it. */
  verifyToken: string
}

/** `baseUrl`: the public URL with the base path. */
export function toWebhookLink(token: string, baseUrl: string): WebhookLink {
  return { url: `${baseUrl}${webhookPath}/${token}`, verifyToken: toVerifyToken(token) }
}

/** The verify token is derived, so that it ends with the link and does not reveal it. */
export function toVerifyToken(token: string): string {
  return createHash('sha256').update(`verify token of ${token}`).digest('base64url').slice(0, 32)
}

export async function decryptWebhookLink(
  share: ShareRow | undefined,
  { cipher, baseUrl }: { cipher: Cipher; baseUrl: string },
): Promise<WebhookLink | null> {
  return share ? toWebhookLink(await cipher.decrypt(share.token), baseUrl) : null
}
