/**
 * The weight of the booking page, and when it is interactive in Chromium, beside a static file of the same size from a bare
 * server (the limit). Then the time of the server alone. Chromium may be at `CHROMIUM`; without it, only weight and server are measured.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
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

const viewport = { width: 360, height: 740 }

interface Measured {
  /** Of the page with HTML, CSS and script. */
  bytes: number
  gzipBytes: number
  /** From the request until the page can be used, in ms; null without Chromium. */
  interactive: { page: number; file: number } | null
  /** From the request until the last byte, in ms. */
  served: { page: number; file: number }
}

export async function run(): Promise<void> {
  for (const [name, measured] of Object.entries(await measureSteps(10))) {
    const { bytes, gzipBytes, interactive, served } = measured
    console.log(`${name}: ${bytes} bytes, ${gzipBytes} compressed`)
    console.table({
      'served, ms': served,
      ...(interactive && { 'interactive in Chromium, ms': interactive }),
    })
  }
}

export async function short(): Promise<Ratios> {
  const { calendar } = await measureSteps(5)
  return { 'booking pages/s of a static file': calendar!.served.file / calendar!.served.page }
}

async function measureSteps(rounds: number): Promise<Record<string, Measured>> {
  return withBench(async bench => {
    const server = await bench.startAldaba({})
    const profile = await mkdtemp(join(tmpdir(), 'aldaba-bench-page-'))
    const chromium = chromiumPath ? await startChromium(chromiumPath, profile) : null
    try {
      const url = await publish(bench, server)
      const start = /name="start" value="([^"]+)"/.exec(await readText(url))![1]!
      return {
        calendar: await measure(`${url}?tz=UTC`, chromium, rounds),
        form: await measure(`${url}?tz=UTC&start=${start}`, chromium, rounds),
      }
    } finally {
      await chromium?.stop()
      await server.stop()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  })
}

async function publish({ deployment }: Bench, server: BenchProcess): Promise<string> {
  const { owner } = deployment.database
  const slug = 'booking-page'
  await createWorkspace(owner, { name: slug, slug })
  const key = await createKey(owner, { workspace: slug, environment: 'live', name: slug })
  const { id: ownerAgentUserId } = await owner
    .selectFrom('users')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
    .select('users.id')
    .where('workspaces.slug', '=', slug)
    .executeTakeFirstOrThrow()
  const call = <T>(path: string, body: object) => callApi<T>(server.url, key, 'POST', path, body)
  const { id } = await call<{ id: string }>('/scheduling/event-types', {
    ownerAgentUserId,
    name: 'Viewing of a flat',
    slug,
    durationMin: 30,
    locationMode: 'onsite',
    description: 'We show the flat and answer questions.',
  })
  const { url } = await call<{ url: string }>(`/scheduling/event-types/${id}/share`, {})
  return `${new URL(server.url).origin}/book/${url.split('/').at(-1)}`
}

async function measure(url: string, chromium: Chromium | null, rounds: number): Promise<Measured> {
  const text = await readText(url)
  const { file, server } = await serveFile(text)
  try {
    const served = await compare(rounds * 4, url, file, timeReply)
    const interactive = chromium && (await compare(rounds, url, file, one => timeInteractive(chromium, one)))
    return { bytes: Buffer.byteLength(text), gzipBytes: gzipSync(text).length, interactive, served }
  } finally {
    server.close()
  }
}

/** Both in turn, so that other load disturbs both. */
async function compare(
  rounds: number,
  page: string,
  file: string,
  time: (url: string) => Promise<number>,
): Promise<{ page: number; file: number }> {
  const times = { page: [] as number[], file: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.page.push(await time(page))
    times.file.push(await time(file))
  }
  return { page: round(median(times.page)), file: round(median(times.file)) }
}

const round = (ms: number): number => Number(ms.toFixed(1))

const readText = async (url: string): Promise<string> => (await fetch(url)).text()

async function timeReply(url: string): Promise<number> {
  const startMs = performance.now()
  await readText(url)
  return performance.now() - startMs
}

async function timeInteractive(chromium: Chromium, url: string): Promise<number> {
  const tab = await chromium.open(url, viewport)
  const ms = await tab.evaluate<number>(`performance.getEntriesByType('navigation')[0].domInteractive`)
  await tab.close()
  return ms
}

async function serveFile(text: string): Promise<{ file: string; server: Server }> {
  const server = createServer((_request, reply) => {
    reply.setHeader('Content-Type', 'text/html; charset=utf-8').end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { file: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}
