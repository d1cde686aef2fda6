/** The link under which a network posts the webhooks of a connection: a share of the kind `ad_connection`. */
import { createHash } from 'node:crypto'

export const connectionKind = 'ad_connection'
/** Below the base path, beside the API. */
export const webhookPath = '/ads/webhooks'

/** The verify token is derived, so that it ends with the link and does not reveal it. */
export const toVerifyToken = (token: string): string =>
  createHash('sha256').update(`ads verify token of ${token}`).digest('base64url').slice(0, 32)
