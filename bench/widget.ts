/**
 * The weight of the widget, and what it costs a page of a site in Chromium: when the page is interactive, and when the form is
 * there, beside the same page without it. Chromium may be at `CHROMIUM`; without it, only the weight is measured.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createKey, createWorkspace } from '../src/features/identity/service.ts'
import { type Chromium, chromiumPath, startChromium } from '../test/chromium.ts'
import { callApi } from './chat-accounts.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'
import { type Bench, type BenchProcess, withBench } from './processes.ts'

const viewport = { width: 390, height: 844 }

interface Weight {
  bytes: number
  gzipBytes: number
}

interface Times {
  /** Until the page can be used, in ms. */
  interactive: number
  /** Until the form can be used, in ms. */
  form: number | null
}

interface Measured {
  weights: Record<string, Weight>
  /** Null without Chromium. */
  times: { empty: Times; widget: Times } | null
}

export async function run(): Promise<void> {
  const { weights, times } = await measure(20)
  console.table(weights)
  if (times) console.table(times)
}

export async function short(): Promise<Ratios> {
  const { weights, times } = await measure(5)
  return {
    '15 KB of script and form': 15_000 / weights.together!.bytes,
    ...(times && {
      'interactive page without the widget of one with it':
        times.empty.interactive / times.widget.interactive,
    }),
  }
}

async function measure(rounds: number): Promise<Measured> {
  return withBench(async bench => {
    const server = await bench.startAldaba({})
    const profile = await mkdtemp(join(tmpdir(), 'aldaba-bench-widget-'))
    const chromium = chromiumPath ? await startChromium(chromiumPath, profile) : null
    const site = await serveSite()
    try {
      const url = await publish(bench, server, site.origin)
      const snippet = `<div data-aldaba-widget="${url.split('/').at(-1)}" style="min-height: 613px"><a href="${url}">Sell?</a></div><script async src="${url}/widget.js"></script>`
      const script = await weigh(`${url}/widget.js`, site.origin)
      const form = await weigh(`${url}/form?lang=es`, site.origin)
      const together = { bytes: script.bytes + form.bytes, gzipBytes: script.gzipBytes + form.gzipBytes }
      return {
        weights: { script, form, together },
        times: chromium && (await compare(chromium, site, snippet, rounds)),
      }
    } finally {
      await chromium?.stop()
      site.stop()
      await server.stop()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  })
}

async function weigh(url: string, origin: string): Promise<Weight> {
  const bytes = Buffer.from(await (await fetch(url, { headers: { Origin: origin } })).arrayBuffer())
  return { bytes: bytes.length, gzipBytes: gzipSync(bytes).length }
}

async function publish({ deployment }: Bench, server: BenchProcess, origin: string): Promise<string> {
  const { owner } = deployment.database
  const slug = 'widget'
  await createWorkspace(owner, { name: slug, slug })
  const key = await createKey(owner, { workspace: slug, environment: 'live', name: slug })
  const { id } = await callApi<{ id: string }>(server.url, key, 'POST', '/campaigns', {
    name: 'Owners',
    platform: 'widget',
  })
  const widget = await callApi<{ key: string }>(server.url, key, 'PUT', `/campaigns/${id}/widget`, {
    allowedOrigins: [origin],
    language: 'es',
  })
  return `${new URL(server.url).origin}/widget/${widget.key}`
}

async function serveSite() {
  const site = { origin: '', snippet: '', stop: () => {} }
  const server = createServer((_request, reply) => {
    const html = `<!doctype html><html lang="es"><title>Agency</title><link rel="icon" href="data:,"><h1>Agency</h1>${site.snippet}<p>Below</p>`
    reply.setHeader('Content-Type', 'text/html; charset=utf-8').end(html)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site.stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return site
}

/** Both in turn, so that other load disturbs both. The browser has kept nothing. */
async function compare(
  chromium: Chromium,
  site: Awaited<ReturnType<typeof serveSite>>,
  snippet: string,
  rounds: number,
): Promise<{ empty: Times; widget: Times }> {
  const samples = { empty: [] as Times[], widget: [] as Times[] }
  for (let round = 0; round < rounds; round++)
    for (const name of ['empty', 'widget'] as const) {
      // Another address each time: the script has to be loaded anew.
      site.snippet = name === 'widget' ? snippet.replace('widget.js', `widget.js?${round}`) : ''
      samples[name].push(await time(chromium, site.origin, name === 'widget'))
    }
  const summarize = (all: Times[]): Times => ({
    interactive: round(median(all.map(({ interactive }) => interactive))),
    form: all[0]!.form === null ? null : round(median(all.map(({ form }) => form!))),
  })
  return { empty: summarize(samples.empty), widget: summarize(samples.widget) }
}

const round = (ms: number): number => Number(ms.toFixed(1))

async function time(chromium: Chromium, url: string, hasWidget: boolean): Promise<Times> {
  const tab = await chromium.open(url, viewport)
  // The form is laid out, and its button has a place.
  const form = hasWidget
    ? await tab.evaluate<number>(`new Promise(resolve => {
        const look = () => document.querySelector('div').shadowRoot?.querySelector('button').offsetHeight ? resolve(performance.now()) : requestAnimationFrame(look)
        look()
      })`)
    : null
  const interactive = await tab.evaluate<number>(
    `performance.getEntriesByType('navigation')[0].domInteractive`,
  )
  await tab.close()
  return { interactive, form }
}
