/** OAuth 2 with an authorization code (RFC 6749, 4.1): the page for the person, tokens for the code, and their renewal. */
import type { HttpReply } from '../../kit/http/client.ts'
import { parseJson } from '../../kit/json-limits.ts'
import { asNumber, asObject, asText } from '../../kit/json-values.ts'
import { type CalendarContext, CalendarError, type OAuthClient } from '../calendar.ts'
import { fail, toCallError, toReplyError } from './failures.ts'
import type { OAuthCredentials } from './oauth-credentials.ts'

export interface OAuthServer {
  /** The provider's name for people. */
  label: string
  authorizeUrl: string
  tokenUrl: string
  scope: string
  /** Fields of the authorization page beside those of the standard. */
  authorizeFields: Record<string, string>
}

type Context = CalendarContext<OAuthCredentials>

const timeoutMs = 20_000
const replyMaxBytes = 100_000
const lifetimeMaxS = 86_400

export function createAuthorizationUrl(
  { authorizeUrl, scope, authorizeFields }: OAuthServer,
  { redirectUrl, state }: { redirectUrl: string; state: string },
  client: OAuthClient,
): string {
  const url = new URL(authorizeUrl)
  const fields = { client_id: client.id, redirect_uri: redirectUrl, response_type: 'code', scope, state }
  for (const [name, value] of Object.entries({ ...fields, ...authorizeFields }))
    url.searchParams.set(name, value)
  return url.href
}

export async function exchangeCode(
  server: OAuthServer,
  { code, redirectUrl }: { code: string; redirectUrl: string },
  context: Context,
): Promise<OAuthCredentials> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUrl }
  const credentials = await requestTokens(server, fields, '', context)
  if (credentials.refreshToken) return credentials
  throw new CalendarError(
    'INVALID_CREDENTIALS',
    `${server.label} gives access for one hour only. Remove this program from the apps of your account there, and connect again.`,
  )
}

/** Renews and saves the credentials. A provider may replace the refresh token as well. */
export async function refreshCredentials(
  server: OAuthServer,
  { refreshToken }: OAuthCredentials,
  context: Context,
): Promise<OAuthCredentials> {
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const credentials = await requestTokens(server, fields, refreshToken, context)
  await context.saveCredentials(credentials)
  return credentials
}

async function requestTokens(
  server: OAuthServer,
  fields: Record<string, string>,
  formerRefreshToken: string,
  { http, client, now, signal }: Context,
): Promise<OAuthCredentials> {
  if (!client) throw fail('NOT_CONFIGURED', server.label)
  const form = { ...fields, client_id: client.id, client_secret: client.secret, scope: server.scope }
  // Google names the scope at the authorization only, and ignores it here. Microsoft requires it.
  const reply = await http
    .fetch(server.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      timeoutMs,
      bodyMaxBytes: replyMaxBytes,
      signal,
    })
    .catch((error: unknown) => {
      throw toCallError(server.label, error)
    })
  const body = parseObject(reply)
  const accessToken = asText(body.access_token)
  if (reply.status !== 200 || !accessToken) throw toTokenError(server, reply, body)
  const lifetimeS = Math.min(lifetimeMaxS, Math.max(0, asNumber(body.expires_in) ?? 3600))
  return {
    accessToken,
    refreshToken: asText(body.refresh_token) ?? formerRefreshToken,
    expiresAt: Math.floor(now.epochMilliseconds + lifetimeS * 1000),
  }
}

/** RFC 6749, 5.2. */
function toTokenError({ label }: OAuthServer, reply: HttpReply, body: Record<string, unknown>) {
  const error = asText(body.error)
  if (error === 'invalid_client' || error === 'unauthorized_client') return fail('NOT_CONFIGURED', label)
  const isRefused = error === 'invalid_grant' || error === 'interaction_required'
  return toReplyError(label, reply, {
    code: isRefused ? 'INVALID_CREDENTIALS' : undefined,
    says: asText(body.error_description) ?? error ?? '',
  })
}

function parseObject({ body }: HttpReply): Record<string, unknown> {
  try {
    return asObject(parseJson(body.toString())) ?? {}
  } catch {
    return {}
  }
}
