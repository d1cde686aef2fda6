/** Requests of WebDAV (RFC 4918) and CalDAV (RFC 4791): within the site of the person, bounded, failed as the contract says. */
import type { HttpReply, HttpRequest } from '../../../kit/http/client.ts'
import { type CalendarContext, CalendarError, type CalendarErrorCode } from '../../calendar.ts'
import { fail, toCallError, toReplyError } from '../../calendar-kit/failures.ts'
import type { CalDavCredentials } from './credentials.ts'
import { isSameSite, parseAddress } from './site.ts'
import { contains, findChild, findText, parseXml, type XmlElement } from './xml.ts'

export const label = 'the calendar server'

const timeoutMs = 30_000
const replyMaxBytes = 20_000_000
const redirectsMax = 3

export interface DavCall {
  method: NonNullable<HttpRequest['method']>
  url: URL
  depth?: 0 | 1
  headers?: Record<string, string>
  body?: string
  /** Statuses that are no error, beside those of success. */
  accepted?: number[]
}

export interface Dav {
  home: URL
  /** An address that the server has named. Throws if it is not of its site. */
  resolve(href: string, base: URL): URL
  call(call: DavCall): Promise<HttpReply & { url: URL }>
  /** Throws NOT_A_CALENDAR if the reply is no list of properties. */
  list(call: DavCall): Promise<DavReply>
}

export interface DavResponse {
  url: URL
  /** The status of the response itself; null if it has properties. */
  status: number | null
  /** What was found. */
  properties: XmlElement
}

export interface DavReply {
  responses: DavResponse[]
  syncToken: string | null
}

export function openDav(credentials: CalDavCredentials, context: CalendarContext<CalDavCredentials>): Dav {
  const home = parseAddress(credentials.url)
  if (!home)
    throw new CalendarError(
      'NOT_A_CALENDAR',
      'The address is not one of a calendar server. Enter its https address, or your e-mail address there.',
    )
  const resolve = (href: string, base: URL): URL => {
    const url = URL.parse(href, base)
    if (url && isSameSite(home, url)) return url
    throw new CalendarError(
      'REJECTED',
      'The calendar server refers to another site, which does not get the password. Enter the address of that site.',
    )
  }
  const call = async (call: DavCall) => {
    let { url } = call
    for (let redirects = 0; ; redirects += 1) {
      const reply = await send(credentials, context, { ...call, url: resolve(url.href, url) })
      const { location } = reply.headers
      const isRedirect = [301, 302, 307, 308].includes(reply.status) && location !== undefined
      if (!isRedirect) return { ...checkReply(call, reply), url }
      if (redirects === redirectsMax) throw fail('UNAVAILABLE', label)
      url = resolve(location, url)
    }
  }
  return {
    home,
    resolve,
    call,
    async list(listed) {
      const reply = await call(listed)
      const root = reply.status === 207 ? parseXml(reply.body.toString(), 'multistatus') : null
      if (!root) throw fail('NOT_A_CALENDAR', label)
      return {
        responses: root.children
          .filter(({ name }) => name === 'response')
          .map(response => toResponse(response, href => resolve(href, reply.url))),
        syncToken: findText(root, 'sync-token'),
      }
    },
  }
}

function send(
  { username, password }: CalDavCredentials,
  { guardedHttp, signal }: CalendarContext<CalDavCredentials>,
  { method, url, depth, headers, body }: DavCall,
): Promise<HttpReply> {
  return guardedHttp
    .fetch(url.href, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'accept-encoding': 'gzip',
        ...(depth === undefined ? {} : { depth: String(depth) }),
        ...(body === undefined ? {} : { 'content-type': 'application/xml; charset=utf-8' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs,
      bodyMaxBytes: replyMaxBytes,
      signal,
    })
    .catch((error: unknown) => {
      throw toCallError(label, error)
    })
}

function checkReply({ method, accepted = [] }: DavCall, reply: HttpReply): HttpReply {
  const { status } = reply
  if ((status >= 200 && status < 300) || accepted.includes(status)) return reply
  if (status === 401)
    throw new CalendarError(
      'INVALID_CREDENTIALS',
      'The calendar server does not accept the user name or the password. Create an app password there, and connect again.',
    )
  throw toReplyError(label, reply, { code: findCode(method, reply) })
}

/** The preconditions of RFC 4791 and RFC 6578 say more than the status. */
function findCode(method: DavCall['method'], { status, body }: HttpReply): CalendarErrorCode | undefined {
  const isRead = method === 'PROPFIND' || method === 'REPORT' || method === 'GET'
  if ([403, 409, 412, 507].includes(status)) {
    const error = parseXml(body.toString(), 'error')
    if (contains(error, 'valid-sync-token')) return 'CURSOR_EXPIRED'
    if (contains(error, 'number-of-matches-within-limits') || contains(error, 'max-resource-size'))
      return 'TOO_LARGE'
  }
  if (isRead && status === 403) return 'NOT_FOUND'
  if (isRead && (status === 405 || status === 501)) return 'NOT_A_CALENDAR'
  if (!isRead && status === 405) return 'READ_ONLY'
  return status === 410 ? 'NOT_FOUND' : undefined
}

function toResponse(response: XmlElement, resolve: (href: string) => URL): DavResponse {
  const found = response.children.filter(
    child => child.name === 'propstat' && (findStatus(child) ?? 200) < 300,
  )
  return {
    url: resolve(findText(response, 'href') ?? ''),
    status: findStatus(response),
    properties: {
      name: 'prop',
      attributes: {},
      text: '',
      children: found.flatMap(child => findChild(child, 'prop')?.children ?? []),
    },
  }
}

const findStatus = (element: XmlElement): number | null =>
  Number(/\s(\d{3})(\s|$)/.exec(findText(element, 'status') ?? '')?.[1]) || null
