/** The authorization header for portals that require credentials. */
import { machineNow } from '../kit/clock/clock.ts'
import { type HttpClient, HttpFailure } from '../kit/http/client.ts'
import { credentialsFailure } from './failure.ts'
import type { ResolvedPortal } from './resolved-portal.ts'

export interface Authorization {
  /** Returns the header. Throws CrawlFailure if the portal rejects the operator's credentials, HttpFailure if it is not available. */
  getHeaders(): Promise<Record<string, string>>
  /** Invalidates a token that the portal refused. Returns false if there is no way to get another one. */
  renew(refused: string | undefined): Promise<boolean>
}

interface Token {
  header: string
  expiresAtMs: number
}

const timeoutMs = 8000
const replyMaxBytes = 64 * 1024
/**
 * A token is not used in its last minute, or the last tenth of a short lifetime, so that it is valid when it arrives.
 */
const marginMs = 60_000
/** The assumed lifetime if the portal returns no `expires_in` (only recommended by RFC 6749, section 5.1). */
const defaultLifetimeSeconds = 300

/** Tokens of this process, by portal and credentials. */
const tokens = new Map<string, Promise<Token>>()

/** Returns null for a portal that requires no credentials, or if the operator set none. */
export function createAuthorization(portal: ResolvedPortal, http: HttpClient): Authorization | null {
  const { authentication } = portal.definition
  const { credentials } = portal
  if (!authentication || !credentials) return null
  if (authentication.kind === 'bearer') {
    const header = { authorization: `Bearer ${credentials.secret}` }
    return { getHeaders: async () => header, renew: async () => false }
  }
  const cacheKey = JSON.stringify([portal.baseUrl, credentials])
  const fetchToken = () => {
    const fetched = requestToken(portal, http)
    tokens.set(cacheKey, fetched)
    fetched.catch(() => {
      if (tokens.get(cacheKey) === fetched) tokens.delete(cacheKey)
    })
    return fetched
  }
  return {
    async getHeaders() {
      const cached = tokens.get(cacheKey) ?? fetchToken()
      const token = await cached
      if (token.expiresAtMs > machineNow()) return { authorization: token.header }
      // If several requests find it expired, only one fetches the next token.
      const next = tokens.get(cacheKey) === cached ? fetchToken() : (tokens.get(cacheKey) ?? fetchToken())
      return { authorization: (await next).header }
    },
    async renew(refused) {
      const token = await tokens.get(cacheKey)?.catch(() => null)
      if (token && token.header === refused) token.expiresAtMs = 0
      return true
    },
  }
}

/** Requests a token with the client credentials grant (RFC 6749, section 4.4.2). */
async function requestToken(
  { definition, baseUrl, credentials }: ResolvedPortal,
  http: HttpClient,
): Promise<Token> {
  const authentication = definition.authentication as { tokenPath: string; scope?: string }
  const { id, secret } = credentials!
  const pair = [id, secret].map(encodeURIComponent).join(':')
  const reply = await http.fetch(new URL(authentication.tokenPath, baseUrl).href, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(authentication.scope ? { scope: authentication.scope } : {}),
    }).toString(),
    timeoutMs,
    bodyMaxBytes: replyMaxBytes,
  })
  if (reply.status >= 500 || reply.status === 429)
    throw new HttpFailure('unreachable', `it answered ${reply.status} to a token request`)
  const token = reply.status === 200 ? parseToken(reply.body.toString('utf8')) : null
  if (!token) throw credentialsFailure(reply.status)
  return token
}

function parseToken(text: string): Token | null {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(text) as Record<string, unknown>
    if (typeof token !== 'string' || token === '') return null
    const lifetimeMs = (typeof seconds === 'number' && seconds > 0 ? seconds : defaultLifetimeSeconds) * 1000
    return {
      header: `Bearer ${token}`,
      expiresAtMs: machineNow() + lifetimeMs - Math.min(marginMs, lifetimeMs / 10),
    }
  } catch {
    return null
  }
}
