/**
 * `npm run demo`: shows the product in ten seconds, with the embedded defaults and the public API, then keeps running.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadConfig } from '../src/config.ts'
import { startChat } from './demo/chat.ts'
import * as screen from './demo/screen.ts'
import { startServer } from './demo/server.ts'
import { subscribe, type WebhookArrival } from './demo/subscription.ts'
import { type Client, createClient, type Extraction, type Lead } from './index.ts'
import { apiPrefix } from './types.generated.ts'

const usage = `npm run demo -- [--leads N] [--data FILE] [--exit]
  --leads N    how many leads to extract (200)
  --data FILE  serve the listings of a CSV file, plain or gzipped, on the simulated portal
  --exit       exit after the demonstration`

const filters = {
  operation: 'sale',
  propertyType: 'homes',
  location: { id: 'barcelona', label: 'Barcelona' },
}
const pollMs = 300
const arrivalsMaxMs = 10_000
const shownLeads = 10

interface Options {
  leads: number
  data: string | null
  exit: boolean
}

function parseOptions(): Options {
  const { values } = parseArgs({
    options: {
      leads: { type: 'string', default: '200' },
      data: { type: 'string' },
      exit: { type: 'boolean', default: false },
    },
  })
  const leads = Number(values.leads)
  if (!Number.isInteger(leads) || leads < 1 || leads > 100_000) {
    throw new Error('--leads must be a whole number from 1 to 100000')
  }
  return { leads, data: values.data ?? null, exit: values.exit }
}

/** Reports invalid options together with the usage. */
function parseOptionsOrExplain(): Options {
  try {
    return parseOptions()
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Runs the demo. Everything it starts is added to `resources`, which are disposed of in reverse order. */
async function runDemo(
  options: Options,
  signal: AbortSignal,
  resources: AsyncDisposableStack,
): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env, ROLE: 'all' }
  if (options.data !== null) env.SIMULATOR_DATA = options.data
  const { allowedPrivateRanges, basePaths } = loadConfig(env)
  // The demo's webhook receiver is on this machine, which is not an allowed destination by default.
  env.ALLOWED_PRIVATE_RANGES = [...allowedPrivateRanges, '127.0.0.1/32'].join(',')
  screen.print(`\n${screen.heading('Aldaba')}\n`)

  const startedMs = performance.now()
  const warn = (line: string) => {
    // Failed deliveries during shutdown are expected.
    if (!signal.aborted) screen.warn(line)
  }
  const server = resources.use(await startServer(env, { signal, warn }))
  const baseUrl = server.address + basePaths[0]
  screen.print(
    screen.formatDone('server', baseUrl, `ready in ${formatSeconds(performance.now() - startedMs)}`),
  )
  const apiKey = await server.createTestKey()
  screen.print(screen.formatDone('test key', apiKey))
  const aldaba = createClient({ baseUrl, apiKey })
  const subscription = resources.use(await subscribe(aldaba))
  screen.print(screen.formatDone('webhooks', subscription.url, 'subscribed'))

  const extraction = await extract(aldaba, options.leads, signal)
  const printed = printArrivals(subscription.arrivals, extraction)
  await Promise.race([printed, sleep(arrivalsMaxMs, undefined, { signal, ref: false })])
  await showLeads(aldaba, extraction)
  const chat = await startChat(aldaba, extraction, signal)
  showNextSteps(baseUrl, apiKey, extraction)
  if (chat) {
    resources.use(chat.messages)
    screen.print(`\n${screen.dimmed('# answer as the lead, in a browser')}\n${chat.phoneUrl}`)
  }
  if (options.exit) return

  screen.print(
    `\n${screen.heading('Serving')} at ${baseUrl} until Ctrl-C. Webhooks and messages are shown as they arrive.\n`,
  )
  const followed = chat ? [Array.fromAsync(chat.messages)] : []
  await Promise.race([server.ended, once(signal, 'abort'), ...followed])
  if (!signal.aborted) throw new Error('The server has stopped unexpectedly.')
}

/** Starts an extraction and shows its progress. Throws if it fails. */
async function extract(aldaba: Client, leads: number, signal: AbortSignal): Promise<Extraction> {
  const { extractionId } = await aldaba.call('startExtraction', {
    body: { platform: 'portal_a', filters, maxResults: leads },
    signal,
  })
  screen.print(`\nExtracting homes for sale in Barcelona, at most ${leads}\n`)
  const progress = screen.startProgress()
  const extraction = await aldaba
    .waitForExtraction(extractionId, { onProgress: progress.update, pollMs, signal })
    .finally(progress.stop)
  if (extraction.status !== 'COMPLETED') {
    throw new Error(`The extraction ended as ${extraction.status}: ${extraction.error?.message}`)
  }
  const { leadsCreated, leadsUpdated, duplicates } = extraction.progress
  const durationMs = Date.parse(extraction.finishedAt!) - Date.parse(extraction.startedAt!)
  screen.print(
    `\n${screen.formatDone('completed', `${leadsCreated} new leads, ${leadsUpdated} changed, ${duplicates} already known`, `in ${formatSeconds(durationMs)}`)}`,
  )
  return extraction
}

function isAboutExtraction(data: object, extractionId: string): boolean {
  return 'extractionId' in data && data.extractionId === extractionId
}

/** Prints webhooks as they arrive, without end. Resolves when those of this extraction have arrived. */
function printArrivals(arrivals: ReadableStream<WebhookArrival>, extraction: Extraction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { extractionId, progress } = extraction
  const expectedTypes = new Set(['extraction.completed'])
  if (progress.leadsCreated + progress.leadsUpdated > 0) expectedTypes.add('leads.imported')
  const printArrival = async () => {
    for await (const arrival of arrivals) {
      screen.print(screen.formatArrival(arrival))
      if ('event' in arrival && isAboutExtraction(arrival.event.data, extractionId)) {
        expectedTypes.delete(arrival.event.type)
      }
      if (expectedTypes.size === 0) resolve()
    }
  }
  printArrival().catch(reject)
  return promise
}

async function showLeads(aldaba: Client, { extractionId }: Extraction): Promise<void> {
  const leads: Lead[] = []
  for await (const lead of aldaba.leads({ extractionId, limit: shownLeads })) {
    if (leads.push(lead) === shownLeads) break
  }
  screen.print(`\n${screen.heading('The first leads')}\n\n${screen.formatTable(leads)}`)
}

function showNextSteps(baseUrl: string, apiKey: string, { extractionId }: Extraction): void {
  const curl = (what: string, path: string, more = '') =>
    `${screen.dimmed(`# ${what}`)}\ncurl -H 'X-Api-Key: ${apiKey}' ${more}'${baseUrl}${apiPrefix}${path}'`
  const body = { platform: 'portal_a', filters: { ...filters, maxPrice: 200_000 }, maxResults: 20 }
  const json = `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}' `
  screen.print(`
${screen.heading('Next steps')}

${curl('the extraction', `/extractions/${extractionId}`)}
${curl('the cheapest with a phone', '/leads?sort=price&hasPhone=true&limit=5')}
${curl('another extraction, whose webhooks arrive here', '/extractions', json)}`)
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

const stopping = new AbortController()
const resources = new AsyncDisposableStack()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A terminal and npm may both forward the same Ctrl-C; aborting twice is harmless.
  process.on(name, () => stopping.abort())
}
// The reader of the output, such as `head`, has closed it.
process.stdout.on('error', () => stopping.abort())
try {
  await runDemo(parseOptionsOrExplain(), stopping.signal, resources)
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
await resources.disposeAsync()
if (stopping.signal.aborted) screen.print('\nStopped.')
