/** Who may ask portal_c, and how often: OAuth2 client credentials, tokens that expire, a quota by the hour. */
import { createHash } from 'node:crypto'

export const clientId = 'aldaba'
export const clientSecret = 'secreto-de-socio'
export const tokenSeconds = 3600
const hourMs = 3_600_000

export interface AccessOptions {
  /** Requests with a valid token that are answered within an hour. */
  requestsPerHour: number
  /** Milliseconds since 1970. */
  now(): number
}

export interface Access {
  /** A new token; null for another client. `authorization` is the value of the header of that name. */
  issue(authorization: string | undefined): string | null
  isAccepted(authorization: string | undefined): boolean
  /** Counts a request: 0, or the seconds until the quota begins anew. */
  countRequest(): number
  expireTokens(): void
}

/** In memory, as long as the portal lives. */
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

/** Both halves are form-encoded before they are joined (RFC 6749, section 2.3.1). */
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
