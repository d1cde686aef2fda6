/**
 * Fetches the photos of a listing as politely as pages: from the portal at its pace, from other hosts, such as those of
 * its photos, at a pace of their own. Each host's robots.txt is obeyed.
 */
import type { HttpClient } from '../kit/http/client.ts'
import { shorten } from './failure.ts'
import { type FileClient, openPortalClient, type PortalClientOptions } from './portal-client.ts'

export interface PhotoFetcherOptions extends PortalClientOptions {
  /** For all origins but the portal's: refuses private addresses. */
  guardedHttp: HttpClient
}

/** Hosts of photos serve many visitors at once, so that twelve photos come within three seconds. */
const hostPoliteness = { requestsPerSecond: 4, concurrency: 4 }
const accept = 'image/avif,image/webp,image/jpeg,image/png'
const photoMaxBytes = 15_000_000
const redirectsMax = 3
/** The photos of a page are at one or two hosts. */
const hostsMax = 8
/** Photos are worth less than pages: a host that is down must not delay the sheet for minutes. */
const attempts = 2
/** After so many failures in a row, nothing more is requested from a host. */
const failuresMax = 3

interface Host {
  client: Promise<FileClient>
  failuresInRow: number
}

export type FetchPhoto = (url: string) => Promise<Buffer>

/** Creates a function that throws an Error if a photo cannot be fetched, or may not be. */
export function createPhotoFetcher({ guardedHttp, ...options }: PhotoFetcherOptions): FetchPhoto {
  const { portal } = options
  const portalOrigin = new URL(portal.baseUrl).origin
  const hosts = new Map<string, Host>()

  const openHost = (origin: string): Promise<FileClient> => {
    if (origin === portalOrigin) return openPortalClient({ ...options, attempts })
    const { authentication: _none, ...definition } = portal.definition
    const host = {
      definition: { ...definition, politeness: hostPoliteness },
      baseUrl: origin,
      credentials: null,
      isLocal: false,
    }
    return openPortalClient({ ...options, portal: host, http: guardedHttp, attempts })
  }

  const findHost = (origin: string): Host => {
    const known = hosts.get(origin)
    if (known) return known
    if (hosts.size === hostsMax) throw new Error(`the photos are at more than ${hostsMax} hosts`)
    const client = openHost(origin)
    // Every request awaits it; without one, its failure must not end the process.
    client.catch(() => {})
    const host = { client, failuresInRow: 0 }
    hosts.set(origin, host)
    return host
  }

  const fetchFile = async ({ protocol, origin, pathname, search }: URL) => {
    if (!/^https?:$/.test(protocol)) throw new Error(`${protocol} is neither http nor https`)
    const host = findHost(origin)
    if (host.failuresInRow >= failuresMax) throw new Error(`${origin} failed ${failuresMax} times in a row`)
    try {
      const client = await host.client
      const reply = await client.fetchFile({ path: origin + pathname + search, accept }, photoMaxBytes)
      host.failuresInRow = 0
      return reply
    } catch (error) {
      host.failuresInRow++
      throw error
    }
  }

  return async address => {
    let url = new URL(address)
    for (let redirects = 0; redirects <= redirectsMax; redirects++) {
      const reply = await fetchFile(url)
      if (reply.kind === 'file') return reply.bytes
      if (reply.kind !== 'moved') throw new Error(`${shorten(url.href)}: ${reply.kind}`)
      url = new URL(reply.to, url)
    }
    throw new Error(`${shorten(address)} redirects more than ${redirectsMax} times`)
  }
}
