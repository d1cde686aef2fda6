/** Runs the simulator as a command: prints its addresses and serves until a signal stops it. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startAds } from './ads/index.ts'
import { startAi } from './ai/index.ts'
import { calendarPortsCount, serveCalendars } from './calendars/serve.ts'
import { controlPath } from './control-routes.ts'
import { startSimulator, toPorts as toPortalPorts } from './index.ts'
import { portalIds } from './portals.ts'
import { startRouter } from './router.ts'
import { chatPortsCount, serveChat } from './serve-chat.ts'

export interface ServeSimulatorOptions {
  /** CSV file of real listings, plain or gzipped. */
  data?: string
  /** Port of the control server; the portals use the next ports, and chat, calendars, ads, the router and AI those after them. */
  port?: number
  /** The seed of the listings; default 1. */
  seed?: number
  /** The seed of messages and their faults. The default is `seed`; without that, another one each time. */
  chatSeed?: number
  /** Number of generated Spanish listings. */
  listings?: number
}

/** Serves until SIGINT or SIGTERM. */
export async function serveSimulator(options: ServeSimulatorOptions): Promise<void> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const { lines, close } = await startServed(options)
  for (const line of lines) console.log(line)
  await stopped
  await close()
}

export interface ServedSimulator {
  /** For people: each address, with what connects to it, and the seeds. */
  lines: string[]
  /** The control address. */
  url: string
  close(): Promise<void>
}

/** Ports that are in use are replaced by free ones. `port` 0: all of them are free ones. */
export async function startServed({
  data,
  port = 4800,
  listings,
  ...seeds
}: ServeSimulatorOptions): Promise<ServedSimulator> {
  const seed = seeds.seed ?? 1
  // A seed repeats the ids of messages, and a server that is still running knows those of an earlier run.
  const chatSeed = seeds.chatSeed ?? seeds.seed ?? randomInt(1, 1_000_000)
  const toPort = (offset: number) => (port === 0 ? 0 : port + offset)
  const toPorts = (first: number, length: number) =>
    Array.from({ length }, (_, index) => toPort(first + index))
  const firstChat = portalIds.length + 1
  const chat = await serveChat({ ports: toPorts(firstChat, chatPortsCount), seed: chatSeed })
  const firstCalendar = firstChat + chatPortsCount
  const calendars = await serveCalendars(toPorts(firstCalendar, calendarPortsCount))
  const firstOther = firstCalendar + calendarPortsCount
  const ads = await startAds({ port: toPort(firstOther), seed: chatSeed })
  const router = await startRouter({ port: toPort(firstOther + 1) })
  const ai = await startAi({ port: toPort(firstOther + 2) })
  const simulator = await startSimulator({
    port,
    ...(port === 0 ? {} : { ports: toPortalPorts(port + 1) }),
    shown: {
      ...chat.controls,
      ...calendars.controls,
      router: `${router.url}${controlPath}`,
      ads: `${new URL(ads.url).origin}${controlPath}`,
      ai: new URL(controlPath, ai.url).href,
      seed: String(seed),
      chatSeed: String(chatSeed),
    },
    seed,
    ...(data === undefined ? {} : { dataFile: data }),
    ...(listings === undefined ? {} : { listings }),
  })
  return {
    lines: [
      ...portalIds.map(id => `${id}   ${simulator.portalAddress(id)}`),
      ...Object.entries({ ...chat.providers, ...calendars.providers }).map(
        ([id, { address, credentials }]) => `${id.padEnd(9)}   ${address}   ${JSON.stringify(credentials)}`,
      ),
      `ads         ${ads.url}   ${JSON.stringify(ads.credentials)}`,
      `router      ${router.url}`,
      `ai          ${ai.url}   ${JSON.stringify({ AI_KEY: ai.key, AI_MODEL: 'simulator' })}`,
      `control    ${simulator.url}${controlPath}`,
      `seeds      --seed ${seed} --chat-seed ${chatSeed}   repeats listings, messages and faults`,
    ],
    url: simulator.url,
    close: async () => {
      await Promise.all([simulator, chat, calendars, router, ads, ai].map(each => each.close()))
    },
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      seed: { type: 'string' },
      'chat-seed': { type: 'string' },
      listings: { type: 'string' },
    },
  })
  await serveSimulator({
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values['chat-seed'] === undefined ? {} : { chatSeed: Number(values['chat-seed']) }),
    ...(values.listings === undefined ? {} : { listings: Number(values.listings) }),
  })
}
