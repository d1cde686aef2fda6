/** The limit of an extraction: undici fetches the pages and does nothing else. */
import { Agent, request } from 'undici'
import { unthrottledConcurrency } from '../src/crawl/portal-throttle.ts'
import type { PortalDefinition, PortalRequest } from '../src/plugins/portal.ts'

export interface Pages {
  seconds: number
  /** The bodies of the pages if `keep` is set, otherwise empty. */
  bodies: Buffer[]
}

/** Fetches all pages with the program's concurrency. `keep`: the result contains them. */
export async function fetchPages(
  address: string,
  definition: PortalDefinition,
  requests: PortalRequest[],
  keep = false,
): Promise<Pages> {
  const agent = new Agent({ connections: unthrottledConcurrency })
  const headers = await fetchAuthorization(address, definition)
  const bodies: Buffer[] = []
  const queue = requests.entries()
  const startedMs = performance.now()
  const fetchRemaining = async () => {
    for (const [index, { path, form, accept }] of queue) {
      const reply = await request(new URL(path, address), {
        method: form ? 'POST' : 'GET',
        headers: {
          ...headers,
          ...(accept ? { accept } : {}),
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        body: form ? new URLSearchParams(form).toString() : null,
        dispatcher: agent,
      })
      if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode}`)
      const bytes = Buffer.from(await reply.body.arrayBuffer())
      if (keep) bodies[index] = bytes
    }
  }
  await Promise.all(Array.from({ length: unthrottledConcurrency }, fetchRemaining))
  const seconds = (performance.now() - startedMs) / 1000
  await agent.close()
  return { seconds, bodies }
}

async function fetchAuthorization(
  address: string,
  { authentication }: PortalDefinition,
): Promise<Record<string, string>> {
  const { username, password, origin } = new URL(address)
  if (!authentication) return {}
  if (authentication.kind === 'bearer') return { authorization: `Bearer ${password}` }
  const reply = await request(new URL(authentication.tokenPath, origin), {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token: token } = (await reply.body.json()) as { access_token: string }
  return { authorization: `Bearer ${token}` }
}
