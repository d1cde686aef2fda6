/** A portal with hostile detail pages; all other pages are those of the simulator. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Attacker, countStatuses, defineCase } from './attacker.ts'

const attributes = `<div itemscope itemtype="https://schema.org/House" ${'itemprop="name" x=1 '.repeat(20_000)}>`

/** Hostile pages by the first segment of the portal's path. */
export const pages: Record<string, () => string> = {
  'one tag of 400 KB': () => `<html><body>${attributes}</body></html>`,
  '8 MB of open tags': () => `<html><body>${'<div itemscope itemprop=a>'.repeat(300_000)}`,
  '8 MB of script': () => `<html><script>window.__STATE__ = ${'{"a":['.repeat(1_300_000)}</script>`,
  '8 MB of JSON-LD': () =>
    `<html><script type="application/ld+json">[${'{"@type":"House","name":"a"},'.repeat(270_000)}{}]</script>`,
  '250 KB of open tags': () => `<html><body>${'<div itemscope itemprop=a>'.repeat(9_800)}`,
  '250 KB of JSON-LD': () =>
    `<html><script type="application/ld+json">[${'{"@type":"House","name":"a"},'.repeat(8_300)}{}]</script>`,
  '8 MB of text': () => `<html><body><p>${'1.200 € 3 hab. 80 m² tel 612 34 56 78 '.repeat(200_000)}`,
}

export interface HostilePortal {
  url: string
  /** From now on, every listing has the hostile page with this name. */
  serve(name: string): void
  stop(): void
}

/** Forwards replies of the simulated portal, except for detail pages. */
export async function startHostilePortal(simulatorUrl: string, isListing: RegExp): Promise<HostilePortal> {
  let page = ''
  const server = createServer(async (request, reply) => {
    try {
      if (page && isListing.test(request.url!))
        return void reply.setHeader('content-type', 'text/html').end(page)
      const { host: _, connection: __, 'accept-encoding': ___, ...headers } = request.headers
      const from = await fetch(simulatorUrl + request.url, { headers: headers as Record<string, string> })
      reply.statusCode = from.status
      reply.setHeader('content-type', from.headers.get('content-type') ?? 'text/html')
      reply.end((await from.text()).replaceAll(simulatorUrl, `http://${request.headers.host}`))
    } catch {
      reply.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(name) {
      page = pages[name]!()
    },
    stop: () => server.close(),
  }
}

export const pageCases = (portal: HostilePortal) =>
  Object.keys(pages).map(name =>
    defineCase({
      name: `pages: ${name}`,
      async attack(attacker) {
        portal.serve(name)
        return extract(attacker)
      },
    }),
  )

/** Runs an extraction for at most ten seconds, then cancels it. Returns its final status. */
async function extract({ send }: Attacker): Promise<Record<string, number>> {
  const filters = { operation: 'sale', location: { id: 'barcelona', label: 'Barcelona' } }
  const started = await send('POST', '/extractions', {
    body: { platform: 'portal_a', filters, maxResults: 10 },
  })
  const { extractionId } = JSON.parse(started.body) as { extractionId: string }
  const { body } = await send('GET', `/extractions/${extractionId}?waitSeconds=10`)
  const { status, error } = JSON.parse(body) as { status: string; error: { code: string } | null }
  await send('POST', `/extractions/${extractionId}/cancel`)
  return countStatuses([error ? `${status} ${error.code}` : status])
}
