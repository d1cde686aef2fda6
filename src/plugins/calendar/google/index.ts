/** Google Calendar over its API, version 3. https://developers.google.com/calendar/api/v3/reference */
import type { CalendarProvider } from '../../calendar.ts'
import { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import { createAuthorizationUrl, exchangeCode } from '../../calendar-kit/oauth-tokens.ts'
import { label, ownBaseUrl, toOAuthServer } from './endpoints.ts'
import { listCalendars, readChanges } from './read.ts'
import { writes } from './write.ts'

export const google: CalendarProvider<typeof OAuthCredentials> = {
  id: 'google',
  label,
  baseUrl: ownBaseUrl,
  credentials: OAuthCredentials,
  readIntervalMin: 5,
  authorization: {
    createUrl: ({ baseUrl, ...options }, client) =>
      createAuthorizationUrl(toOAuthServer(baseUrl), options, client),
    exchange: (options, context) => exchangeCode(toOAuthServer(context.baseUrl), options, context),
  },
  listCalendars,
  read: readChanges,
  writes,
}
