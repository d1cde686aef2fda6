/** Access control of portal_c: OAuth2 client credentials, tokens that expire, an hourly quota. */
import { createHash } from 'node:crypto'

export const clientId = 'aldaba'
export const clientSecret = 'secreto-de-socio'
export const tokenSeconds = 3600
const hourMs = 3_600_000

export interface AccessOptions {
  /** Maximum requests with a valid token per hour. */
  requestsPerHour: number
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export interface Access {
  /** Issues a token; null for an unknown client. `authorization` is the value of the header of that name. */
  issue(authorization: string | undefined): string | null
  isAccepted(authorization: string | undefined): boolean
  /** Counts a request. Returns 0, or the seconds until the quota resets. */
  countRequest(): number
  expireTokens(): void
}

/** Access control in memory, for the lifetime of the portal. */
export function createAccess({ requestsPerHour, now }: AccessOptions): Access {
  const validUntil = new Map<string, number>()
  let issued = 0
  let hour = { startedAt: Number.NEGATIVE_INFINITY, spent: 0 }
  return {
    issue(authorization) {
      if (!isClient(authorization)) return null
      for (const [token, until] of validUntil) if (until <= now()) validUntil.delete(token)
      issued += 1
      const token = createHash('sha256').update(`${clientSecret} ${issued}`).digest('base64url')
      validUntil.set(token, now() + tokenSeconds * 1000)
      return token
    },
    isAccepted(authorization = '') {
      const token = /^Bearer ([\w-]+)$/i.exec(authorization)?.[1] ?? ''
      return (validUntil.get(token) ?? 0) > now()
    },
    countRequest() {
      const nowMs = now()
      if (nowMs - hour.startedAt >= hourMs) hour = { startedAt: nowMs, spent: 0 }
      hour.spent += 1
      return hour.spent > requestsPerHour ? Math.ceil((hour.startedAt + hourMs - nowMs) / 1000) : 0
    },
    expireTokens: () => validUntil.clear(),
  }
}

/** Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function isClient(authorization = ''): boolean {
  const pair = /^Basic ([\w+/=]+)$/i.exec(authorization)?.[1]
  const [id, secret] = Buffer.from(pair ?? '', 'base64')
    .toString()
    .split(':')
  try {
    return decodeURIComponent(id ?? '') === clientId && decodeURIComponent(secret ?? '') === clientSecret
  } catch {
    return false
  }
}
