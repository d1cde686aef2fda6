/** Serves: reads the configuration, opens the database, starts HTTP, the worker, or both, and stops cleanly. */
import { setFlagsFromString } from 'node:v8'
import { type Config, ConfigError, checkPortalIds, loadConfig } from './config.ts'
import { openDeployment } from './deployment.ts'
import { createLog, type Log } from './kit/log.ts'
import { loadPortals } from './plugins/load-portals.ts'
import type { PortalDefinition } from './plugins/portal.ts'

const stopMaxMs = 30_000

// On a machine with much memory the heap may grow fourfold before it is swept: an extraction of 27,000 adverts held 425 MB,
// 56 of them in use after a sweep. Growing by less before each sweep it held 272, and was not slower.
setFlagsFromString('--heap-growing-percent=40')

/** Runs until SIGTERM or SIGINT. Throws with a sentence for people if it can't start. */
export async function serve(config: Config = loadConfig()): Promise<void> {
  const startedMs = performance.now()
  const log = createLog(config.logLevel)
  // From here on a signal stops in order, however far the start has come.
  const stopping = waitForSignal()
  // The product's code loads while PostgreSQL starts.
  const loading = Promise.all([import('./app.ts'), import('./server.ts')])
  // What is wrong with portals is told before anything is open that would have to be closed.
  const ownPortals = hasPortals(config) ? await loadOwnPortals(config, (await loading)[0].builtInPortals) : []
  const [deployment, [{ builtInPortals }, { createApp }]] = await Promise.all([
    openDeployment(config, { mode: 'own', log }),
    loading,
  ])
  const app = createApp(config, deployment, log, { portals: [...builtInPortals, ...ownPortals] })
  try {
    const address = await app.start()
    log.info({ address, role: config.role, readyMs: Math.round(performance.now() - startedMs) }, 'ready')
    // If the database goes away in this moment, they are opened when they are needed.
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

/** Throws if a definition can't be used, or if an address is that of no portal. */
async function loadOwnPortals(config: Config, builtIn: PortalDefinition[]): Promise<PortalDefinition[]> {
  const builtInIds = builtIn.map(({ id }) => id)
  const ownPortals = await loadPortals(config.portalsDir, builtInIds)
  const problems = checkPortalIds(config, [...builtInIds, ...ownPortals.map(({ id }) => id)])
  if (problems.length > 0) throw new ConfigError(problems)
  return ownPortals
}

function waitForSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

/** What hangs is cut off: jobs come back to the queue by themselves. */
function forceExitAfter(ms: number, log: Log): void {
  setTimeout(() => {
    log.error(`not stopped within ${ms / 1000} s: leaving now`)
    process.exit(1)
  }, ms).unref()
}

if (import.meta.main) {
  await serve().catch(error => {
    console.error((error as Error).message)
    process.exitCode = 1
  })
}
