/** Calls of Microsoft Graph, and what its errors mean. https://learn.microsoft.com/graph/errors */
import { asObject, asText } from '../../../kit/json-values.ts'
import type { CalendarContext, CalendarErrorCode } from '../../calendar.ts'
import type { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import { createSession, type ReadError, type Session } from '../../calendar-kit/oauth-session.ts'
import { toOAuthServer } from './endpoints.ts'

/** In lower case: Graph writes them either way. */
const codes: Record<string, CalendarErrorCode> = {
  applicationthrottled: 'RATE_LIMITED',
  mailboxconcurrency: 'RATE_LIMITED',
  errorirresolvableconflict: 'CONFLICT',
  mailboxnotenabledforrestapi: 'NOT_A_CALENDAR',
  resyncrequired: 'CURSOR_EXPIRED',
  syncstatenotfound: 'CURSOR_EXPIRED',
  syncstateinvalid: 'CURSOR_EXPIRED',
}

const readError: ReadError = (body, status) => {
  const error = asObject(body.error)
  const code = asText(error?.code)?.toLowerCase() ?? ''
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined
  return { code: known ?? (status === 409 ? 'CONFLICT' : undefined), says: asText(error?.message) ?? '' }
}

export const openSession = (
  credentials: OAuthCredentials,
  context: CalendarContext<OAuthCredentials>,
): Session => createSession(toOAuthServer(context.baseUrl), credentials, context, readError)

/** Ids stay what they are when an event moves to another folder; times are UTC. */
export const preferences = ['IdType="ImmutableId"', 'outlook.timezone="UTC"']
