/** Values of the configuration that name portals and providers. */
import { parseRootUrl } from './config-parsers.ts'

type PortalUrl = [id: string, url: string]

export function parsePortalUrls(text: string): PortalUrl[] | undefined {
  const entries = text.split(',').map((entry): PortalUrl => {
    const [id = '', url = ''] = entry.split(/=(.*)/s)
    return [id.trim(), parseRootUrl(url.trim()) ?? '']
  })
  return entries.every(([id, url]) => /^[a-z][a-z0-9_]*$/.test(id) && url) ? entries : undefined
}

/** Checks the entries of a well-formed PORTAL_URLS. Returned messages contain no part of a URL, which may be a secret. */
export function checkPortalUrls(entries: PortalUrl[]): string[] {
  const ids = entries.map(([id]) => id)
  const repeated = new Set(ids.filter((id, at) => ids.indexOf(id) < at))
  const undecodable = entries.filter(([, url]) => !hasDecodableCredentials(url))
  return [
    ...[...repeated].map(id => `PORTAL_URLS contains ${id} more than once: a portal has only one URL`),
    ...undecodable.map(
      ([id]) =>
        `PORTAL_URLS contains credentials of ${id} that are not percent-encoded: write % as %25, @ as %40, : as %3A and , as %2C`,
    ),
  ]
}

export function hasDecodableCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  try {
    decodeURIComponent(username)
    decodeURIComponent(password)
    return true
  } catch {
    return false
  }
}

/** Checks that PORTAL_URLS contains only known portals. Returns a message for each other one. */
export function checkPortalIds(
  { portalUrls }: { portalUrls: Record<string, string> },
  knownIds: readonly string[],
): string[] {
  return Object.keys(portalUrls)
    .filter(id => !knownIds.includes(id))
    .map(id => `PORTAL_URLS contains ${id}, which is not a portal. Portals: ${knownIds.join(', ')}`)
}

export interface ProviderClient {
  id: string
  secret: string
}

/** Parses registrations with providers by provider id: `google=id:secret`, percent-encoded. */
export function parseClients(text: string): Record<string, ProviderClient> | undefined {
  const entries = text.split(',').map((entry): [string, ProviderClient | null] => {
    const [, provider = '', id = '', secret = ''] =
      /^([a-z][a-z0-9_]*)=([^:]+):(.+)$/.exec(entry.trim()) ?? []
    return [provider, decodeClient(id, secret)]
  })
  const clients = entries.flatMap(([id, client]) => (client ? [[id, client] as const] : []))
  const isValid =
    clients.length === entries.length && new Set(clients.map(([id]) => id)).size === entries.length
  return isValid ? Object.fromEntries(clients) : undefined
}

function decodeClient(id: string, secret: string): ProviderClient | null {
  if (!id || !secret) return null
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) }
  } catch {
    return null
  }
}

/** Checks that a variable contains only known providers. Returns a message for each other one. */
export function checkProviderIds(variable: string, ids: string[], knownIds: readonly string[]): string[] {
  return ids
    .filter(id => !knownIds.includes(id))
    .map(id => `${variable} contains ${id}, which is not a provider. Providers: ${knownIds.join(', ')}`)
}

/** An endpoint with the chat completions of OpenAI. */
export interface AiEndpoint {
  /** Its base URL. */
  url: string
  /** Null: it needs none. */
  key: string | null
  /** The model of campaigns that name none. */
  model: string
}
