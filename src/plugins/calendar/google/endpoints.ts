/** Where Google Calendar is: its three hosts, or one that the operator configured in place of them. */
import type { OAuthServer } from '../../calendar-kit/oauth-tokens.ts'

export const label = 'Google Calendar'
export const ownBaseUrl = 'https://www.googleapis.com'

const scopes = [
  'https://www.googleapis.com/auth/calendar.events',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
]

/** https://developers.google.com/identity/protocols/oauth2/web-server; `consent` gives a refresh token every time. */
export function toOAuthServer(baseUrl: string): OAuthServer {
  const isOwn = baseUrl === ownBaseUrl
  return {
    label,
    authorizeUrl: isOwn ? 'https://accounts.google.com/o/oauth2/v2/auth' : `${baseUrl}/o/oauth2/v2/auth`,
    tokenUrl: isOwn ? 'https://oauth2.googleapis.com/token' : `${baseUrl}/token`,
    scope: scopes.join(' '),
    authorizeFields: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'false' },
  }
}

export const toApiUrl = (baseUrl: string, path: string, query: Record<string, string> = {}): string =>
  `${baseUrl}/calendar/v3${path}?${new URLSearchParams(query)}`

export const toEventsPath = (calendarId: string, eventId = ''): string =>
  `/calendars/${encodeURIComponent(calendarId)}/events${eventId && `/${encodeURIComponent(eventId)}`}`
