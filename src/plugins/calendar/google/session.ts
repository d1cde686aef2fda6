/** Calls of the Google Calendar API, and what its errors mean. https://developers.google.com/calendar/api/guides/errors */
import { asList, asObject, asText } from '../../../kit/json-values.ts'
import type { CalendarContext, CalendarErrorCode } from '../../calendar.ts'
import type { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import { createSession, type ReadError, type Session } from '../../calendar-kit/oauth-session.ts'
import { toOAuthServer } from './endpoints.ts'

const reasons: Record<string, CalendarErrorCode> = {
  rateLimitExceeded: 'RATE_LIMITED',
  userRateLimitExceeded: 'RATE_LIMITED',
  quotaExceeded: 'RATE_LIMITED',
  dailyLimitExceeded: 'RATE_LIMITED',
  calendarUsageLimitsExceeded: 'RATE_LIMITED',
  insufficientPermissions: 'INVALID_CREDENTIALS',
  authError: 'INVALID_CREDENTIALS',
  accessNotConfigured: 'NOT_CONFIGURED',
  fullSyncRequired: 'CURSOR_EXPIRED',
  updatedMinTooLongAgo: 'CURSOR_EXPIRED',
}

const readError: ReadError = body => {
  const error = asObject(body.error)
  const reason = asText(asObject(asList(error?.errors)[0])?.reason)
  return {
    code: reason && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined,
    says: asText(error?.message) ?? '',
  }
}

export const openSession = (
  credentials: OAuthCredentials,
  context: CalendarContext<OAuthCredentials>,
): Session => createSession(toOAuthServer(context.baseUrl), credentials, context, readError)
