/** Runs the server: opens the database, starts HTTP, the worker, or both, and shuts down cleanly. */
import { setFlagsFromString } from 'node:v8'
import { type Config, loadConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { checkPortalIds, checkProviderIds } from './config-providers.ts'
import { openDeployment } from './deployment.ts'
import { createLog, type Log } from './kit/log.ts'
import { loadPortals } from './plugins/load-portals.ts'
import type { PortalDefinition } from './plugins/portal.ts'

const stopMaxMs = 30_000

// By default V8 may let the heap grow fourfold before a major collection if the machine has much memory. An extraction
// of 27,000 listings held 425 MB that way, of which 56 MB were live. With this limit it held 272 MB and was not slower.
setFlagsFromString('--heap-growing-percent=40')

/** Runs until SIGTERM or SIGINT. Throws an Error whose message is written for people if it cannot start. */
export async function serve(config: Config = loadConfig()): Promise<void> {
  const startedMs = performance.now()
  const log = createLog(config.logLevel)
  // From here on a signal leads to a clean shutdown, even during the start.
  const stopping = waitForSignal()
  // Loads the code while PostgreSQL starts.
  const loading = Promise.all([import('./app.ts'), import('./server.ts')])
  // Checks portals before opening anything that would have to be closed.
  const ownPortals = hasPortals(config) ? await loadOwnPortals(config, (await loading)[0].builtInPortals) : []
  if (hasProviders(config)) checkProviders(config, (await loading)[0])
  const [deployment, [{ builtInPortals }, { createApp }]] = await Promise.all([
    openDeployment(config, { mode: 'own', log }),
    loading,
  ])
  const app = createApp(config, deployment, log, { portals: [...builtInPortals, ...ownPortals] })
  try {
    const address = await app.start()
    log.info({ address, role: config.role, readyMs: Math.round(performance.now() - startedMs) }, 'ready')
    // If this fails, connections are opened when they are needed.
    void deployment.database.warmUpConnections().catch(() => {})
    const lost = deployment.embedded?.lost.then(sentence => {
      log.fatal(sentence)
      process.exitCode = 1
    })
    await (lost ? Promise.race([stopping, lost]) : stopping)
  } finally {
    forceExitAfter(stopMaxMs, log)
    log.info('stopping')
    await app.stop()
    await deployment.close()
    log.info('stopped')
  }
}

function hasPortals({ portalsDir, portalUrls }: Config): boolean {
  return portalsDir !== null || Object.keys(portalUrls).length > 0
}

/** Loads the operator's portals. Throws if a definition is invalid, or if PORTAL_URLS contains an unknown portal. */
async function loadOwnPortals(config: Config, builtIn: PortalDefinition[]): Promise<PortalDefinition[]> {
  const builtInIds = builtIn.map(({ id }) => id)
  const ownPortals = await loadPortals(config.portalsDir, builtInIds)
  const problems = checkPortalIds(config, [...builtInIds, ...ownPortals.map(({ id }) => id)])
  if (problems.length > 0) throw new ConfigError(problems)
  return ownPortals
}

const hasProviders = ({ chatUrls, adUrls, calendarUrls, calendarClients }: Config): boolean =>
  [chatUrls, adUrls, calendarUrls, calendarClients].some(byId => Object.keys(byId).length > 0)

/** Throws if the configuration names an unknown provider. */
function checkProviders(
  { chatUrls, adUrls, calendarUrls, calendarClients }: Config,
  {
    adNetworks,
    chatProviders,
    calendarProviders,
  }: Pick<typeof import('./app.ts'), 'adNetworks' | 'chatProviders' | 'calendarProviders'>,
): void {
  const listIds = (providers: { id: string }[]) => providers.map(({ id }) => id)
  const registered = calendarProviders.filter(({ authorization }) => authorization)
  const problems = [
    ...checkProviderIds('CHAT_URLS', Object.keys(chatUrls), listIds(chatProviders)),
    ...checkProviderIds('AD_URLS', Object.keys(adUrls), listIds(adNetworks)),
    ...checkProviderIds('CALENDAR_URLS', Object.keys(calendarUrls), listIds(calendarProviders)),
    ...checkProviderIds('CALENDAR_CLIENTS', Object.keys(calendarClients), listIds(registered)),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
}

function waitForSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

/** Exits if the shutdown hangs. Unfinished jobs return to the queue by themselves. */
function forceExitAfter(ms: number, log: Log): void {
  setTimeout(() => {
    log.error(`the shutdown takes longer than ${ms / 1000} s: exiting now`)
    process.exit(1)
  }, ms).unref()
}

if (import.meta.main) {
  await serve().catch(error => {
    console.error((error as Error).message)
    process.exitCode = 1
  })
}
