/** Where Microsoft Graph is: its two hosts, or one that the operator configured in place of them. */
import type { OAuthServer } from '../../calendar-kit/oauth-tokens.ts'

export const label = 'Outlook'
export const ownBaseUrl = 'https://graph.microsoft.com'

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow; personal accounts and those of companies. */
export function toOAuthServer(baseUrl: string): OAuthServer {
  const loginUrl = baseUrl === ownBaseUrl ? 'https://login.microsoftonline.com' : baseUrl
  return {
    label,
    authorizeUrl: `${loginUrl}/common/oauth2/v2.0/authorize`,
    tokenUrl: `${loginUrl}/common/oauth2/v2.0/token`,
    scope: 'offline_access https://graph.microsoft.com/Calendars.ReadWrite',
    authorizeFields: { response_mode: 'query', prompt: 'select_account' },
  }
}

/** OData parameters begin with `$`, which stays as it is. */
export function toApiUrl(baseUrl: string, path: string, query: Record<string, string> = {}): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${baseUrl}/v1.0/me${path}${pairs.length > 0 ? '?' : ''}${pairs.join('&')}`
}

export const toCalendarPath = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}`
