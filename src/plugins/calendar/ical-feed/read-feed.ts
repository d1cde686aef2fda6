/** Fetches a feed: conditionally, with redirects, and bounded. */
import { HttpFailure, type HttpReply } from '../../../kit/http/client.ts'
import { parseJson } from '../../../kit/json-limits.ts'
import { asObject, asText } from '../../../kit/json-values.ts'
import type { CalendarContext } from '../../calendar.ts'
import { fail, toCallError, toReplyError } from '../../calendar-kit/failures.ts'
import type { FeedCredentials } from './credentials.ts'

const label = 'the feed'
const timeoutMs = 30_000
const bodyMaxBytes = 10_000_000
const redirectsMax = 5
const validatorMaxChars = 500

export interface Feed {
  /** Null: it has not changed. */
  text: string | null
  /** For the next request; null: the server gives none. */
  validators: string | null
}

/** `validators`: those of the last reply; null: the whole feed is fetched. Throws CalendarError. */
export async function readFeed(
  url: string,
  validators: string | null,
  context: CalendarContext<FeedCredentials>,
): Promise<Feed> {
  const reply = await fetchFeed(url.replace(/^webcal:/i, 'https:'), toConditions(validators), context)
  if (reply.status === 304 && validators !== null) return { text: null, validators }
  if (reply.status === 401 || reply.status === 403)
    throw fail('INVALID_CREDENTIALS', label, { says: `status ${reply.status}` })
  if (reply.status === 410) throw fail('NOT_FOUND', label)
  if (reply.status !== 200) throw toReplyError(label, reply)
  return { text: new TextDecoder().decode(reply.body), validators: toValidators(reply) }
}

async function fetchFeed(
  url: string,
  conditions: Record<string, string>,
  { guardedHttp, signal }: CalendarContext<FeedCredentials>,
): Promise<HttpReply> {
  const { origin, authorization, href } = splitCredentials(url)
  let address = href
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const reply = await guardedHttp
      .fetch(address, {
        headers: {
          accept: 'text/calendar, */*;q=0.1',
          'accept-encoding': 'gzip, deflate, br',
          ...(URL.parse(address)?.origin === origin ? authorization : {}),
          ...conditions,
        },
        timeoutMs,
        bodyMaxBytes,
        signal,
      })
      .catch((error: unknown) => {
        throw error instanceof HttpFailure ? toCallError(label, error) : error
      })
    const isRedirect = reply.status >= 300 && reply.status < 400 && reply.status !== 304
    if (!isRedirect) return reply
    const target = URL.parse(reply.headers.location ?? '', address)
    if (!target) throw fail('UNAVAILABLE', label)
    address = target.href
  }
  throw fail('UNAVAILABLE', label, { says: 'it redirects too often' })
}

/** The user and the password of an address are for its origin only: no redirect takes them elsewhere. */
function splitCredentials(text: string): {
  origin: string | null
  href: string
  authorization: Record<string, string>
} {
  const url = URL.parse(text)
  if (!url?.username) return { origin: url?.origin ?? null, href: text, authorization: {} }
  const pair = [url.username, url.password].map(decodePercent).join(':')
  url.username = ''
  url.password = ''
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  return { origin: url.origin, href: url.href, authorization: { authorization } }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function toConditions(validators: string | null): Record<string, string> {
  const fields = validators === null ? null : asObject(parseJson(validators))
  const etag = asText(fields?.etag)
  const modified = asText(fields?.modified)
  return {
    ...(etag ? { 'if-none-match': etag } : {}),
    ...(modified ? { 'if-modified-since': modified } : {}),
  }
}

function toValidators({ headers }: HttpReply): string | null {
  const keep = (value: string | undefined) =>
    value !== undefined && value.length <= validatorMaxChars ? value : null
  const etag = keep(headers.etag)
  const modified = keep(headers['last-modified'])
  return etag === null && modified === null ? null : JSON.stringify({ etag, modified })
}
