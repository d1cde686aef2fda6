/** Outlook and Microsoft 365 calendars over Microsoft Graph. https://learn.microsoft.com/graph/api/resources/calendar */
import type { CalendarProvider } from '../../calendar.ts'
import { OAuthCredentials } from '../../calendar-kit/oauth-credentials.ts'
import { createAuthorizationUrl, exchangeCode } from '../../calendar-kit/oauth-tokens.ts'
import { label, ownBaseUrl, toOAuthServer } from './endpoints.ts'
import { listCalendars, readChanges } from './read.ts'
import { writes } from './write.ts'

export const microsoft: CalendarProvider<typeof OAuthCredentials> = {
  id: 'microsoft',
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
