/** What a portal that knows its partners is shown with every request. */
import { machineNow } from '../kit/clock/clock.ts'
import { type HttpClient, HttpFailure } from '../kit/http/client.ts'
import { credentialsRejected } from './failure.ts'
import type { OpenPortal } from './open-portal.ts'

export interface Authorization {
  /** Throws CrawlFailure if the portal does not accept the operator's credentials, HttpFailure if it can't say. */
  headers(): Promise<Record<string, string>>
  /** Never shows again what was refused, though others may have been refused it too. False: there is nothing else to show. */
  renew(refused: string | undefined): Promise<boolean>
}

interface Token {
  header: string
  expiresAtMs: number
}

const timeoutMs = 8000
const replyMaxBytes = 64 * 1024
/** A token is not used in its last minute (of a short one, tenth): the request must still find it valid. */
const marginMs = 60_000
/** Without a word from the portal (RFC 6749, section 5.1, recommends one). */
const lifetimeSeconds = 300

/** Tokens by portal and credentials: of this process, since another has its own. */
const tokens = new Map<string, Promise<Token>>()

/** Null for a portal that is open to everybody. */
export function createAuthorization(portal: OpenPortal, http: HttpClient): Authorization | null {
  const { authentication } = portal.definition
  const { credentials } = portal
  if (!authentication || !credentials) return null
  if (authentication.kind === 'bearer') {
    const header = { authorization: `Bearer ${credentials.secret}` }
    return { headers: async () => header, renew: async () => false }
  }
  const name = JSON.stringify([portal.baseUrl, credentials])
  const fetchToken = () => {
    const fetched = requestToken(portal, http)
    tokens.set(name, fetched)
    fetched.catch(() => {
      if (tokens.get(name) === fetched) tokens.delete(name)
    })
    return fetched
  }
  return {
    async headers() {
      const cached = tokens.get(name) ?? fetchToken()
      const token = await cached
      if (token.expiresAtMs > machineNow()) return { authorization: token.header }
      // Of several that find it expired, one fetches the next.
      const next = tokens.get(name) === cached ? fetchToken() : (tokens.get(name) ?? fetchToken())
      return { authorization: (await next).header }
    },
    async renew(refused) {
      const token = await tokens.get(name)?.catch(() => null)
      if (token && token.header === refused) token.expiresAtMs = 0
      return true
    },
  }
}

/** RFC 6749, section 4.4.2. */
async function requestToken(
  { definition, baseUrl, credentials }: OpenPortal,
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
    throw new HttpFailure('unreachable', `it answered ${reply.status} when asked for a token`)
  const token = reply.status === 200 ? readToken(reply.body.toString('utf8')) : null
  if (!token) throw credentialsRejected(reply.status)
  return token
}

function readToken(text: string): Token | null {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(text) as Record<string, unknown>
    if (typeof token !== 'string' || token === '') return null
    const lifetimeMs = (typeof seconds === 'number' && seconds > 0 ? seconds : lifetimeSeconds) * 1000
    return {
      header: `Bearer ${token}`,
      expiresAtMs: machineNow() + lifetimeMs - Math.min(marginMs, lifetimeMs / 10),
    }
  } catch {
    return null
  }
}
