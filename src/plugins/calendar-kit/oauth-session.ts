/** Calls of a calendar API with an access token, which is renewed when it ends or is refused. */
import type { HttpReply } from '../../kit/http/client.ts'
import { parseJson } from '../../kit/json-limits.ts'
import { asObject } from '../../kit/json-values.ts'
import type { CalendarContext, CalendarErrorCode } from '../calendar.ts'
import { fail, toCallError, toReplyError } from './failures.ts'
import type { OAuthCredentials } from './oauth-credentials.ts'
import { type OAuthServer, refreshCredentials } from './oauth-tokens.ts'

export interface ApiCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: object
  /** Statuses that are no error; their body may be empty. */
  accepted?: number[]
}

export interface ApiReply {
  status: number
  /** Empty if there is no body. */
  body: Record<string, unknown>
}

export interface Session {
  call(call: ApiCall): Promise<ApiReply>
}

/** What the API says in the body of an error. */
export type ReadError = (
  body: Record<string, unknown>,
  status: number,
) => { code?: CalendarErrorCode | undefined; says: string }

const timeoutMs = 30_000
const replyMaxBytes = 20_000_000
/** A token that ends within this time is renewed before the call. */
const renewMs = 60_000

export function createSession(
  server: OAuthServer,
  initial: OAuthCredentials,
  context: CalendarContext<OAuthCredentials>,
  readError: ReadError,
): Session {
  const { http, now, signal } = context
  let credentials = initial
  /** Calls at the same time share one renewal: a second one would use a refresh token that may be spent. */
  let renewal: Promise<void> | null = null
  const renew = async () => {
    renewal ??= refreshCredentials(server, credentials, context).then(renewed => {
      credentials = renewed
    })
    await renewal.finally(() => {
      renewal = null
    })
  }
  const send = ({ method = 'GET', url, headers, body }: ApiCall) =>
    http
      .fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip',
          authorization: `Bearer ${credentials.accessToken}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        timeoutMs,
        bodyMaxBytes: replyMaxBytes,
        signal,
      })
      .catch((error: unknown) => {
        throw toCallError(server.label, error)
      })
  return {
    async call(call) {
      if (credentials.expiresAt - renewMs <= now.epochMilliseconds) await renew()
      const token = credentials.accessToken
      let reply = await send(call)
      if (reply.status === 401) {
        if (token === credentials.accessToken) await renew()
        reply = await send(call)
      }
      return toApiReply(server, call, reply, readError)
    },
  }
}

function toApiReply(
  { label }: OAuthServer,
  { accepted = [] }: ApiCall,
  reply: HttpReply,
  readError: ReadError,
): ApiReply {
  const { status } = reply
  const body = findObject(reply)
  if (accepted.includes(status)) return { status, body: body ?? {} }
  if (status < 200 || status > 299) throw toReplyError(label, reply, readError(body ?? {}, status))
  if (body === null) throw fail('UNAVAILABLE', label)
  return { status, body }
}

function findObject({ body }: HttpReply): Record<string, unknown> | null {
  try {
    return asObject(parseJson(body.toString()))
  } catch {
    return null
  }
}

/** A calendar may have at most this many pages of events. */
const pagesMax = 100

/** Reads all pages; `next` returns the URL of the following one. */
export async function readPages(
  label: string,
  firstUrl: string,
  readPage: (url: string) => Promise<string | null>,
): Promise<void> {
  let url: string | null = firstUrl
  for (let page = 0; url !== null; page += 1) {
    if (page === pagesMax) throw fail('TOO_LARGE', label)
    url = await readPage(url)
  }
}
