/** Assembles the running program from the features of `app.ts`: HTTP server, job queue and background services. */
import type { FastifyInstance } from 'fastify'
import { adNetworks, builtInPortals, calendarProviders, chatProviders, createFeatures } from './app.ts'
import type { Config } from './config.ts'
import type { AiEndpoint } from './config-providers.ts'
import type { Deployment } from './deployment.ts'
import { openMapTiles } from './documents/map/map-tiles.ts'
import { toAgentScopes } from './features/identity/service.ts'
import { listListingChanges } from './features/sandbox/service.ts'
import { createBlobs } from './kit/blobs/blobs.ts'
import { openBlobStore, toSpoolDir } from './kit/blobs/open-store.ts'
import { eventDispatchService } from './kit/events/dispatcher.ts'
import { bindFeatures, collectScopes, type Feature } from './kit/feature.ts'
import { createHttpClient, type Resolve } from './kit/http/client.ts'
import { createHostResolver } from './kit/http/host-resolver.ts'
import { createHttpServer, type HttpServerOptions } from './kit/http/server.ts'
import { mountSystemRoutes } from './kit/http/system.ts'
import type { RunningService } from './kit/jobs/background-service.ts'
import { type Queue, type QueueOptions, startQueue } from './kit/jobs/queue.ts'
import { countWaitingJobs } from './kit/jobs/queue-tables.ts'
import type { Log } from './kit/log.ts'
import { createMetrics } from './kit/metrics.ts'
import { openApiDocument } from './kit/openapi.ts'
import { outboxService } from './kit/outbox/outbox-service.ts'
import type { AdNetwork } from './plugins/ads.ts'
import type { CalendarProvider } from './plugins/calendar.ts'
import type { ChatProvider } from './plugins/chat.ts'
import type { PortalDefinition } from './plugins/portal.ts'
import type { AiSimulator } from './simulator/ai/index.ts'
import type { Simulator, SimulatorOptions } from './simulator/index.ts'

const slowClientMaxMs = 10_000

export interface App {
  http: FastifyInstance
  /** The OpenAPI document as JSON. */
  readonly openapi: string
  /** Listens, and takes jobs if the role includes them. Returns the address. */
  start(): Promise<string>
  /** Finishes requests and job steps in progress, and requeues the rest. */
  stop(): Promise<void>
  /** Returns the built-in simulator, and starts it if necessary. */
  getSimulator(): Promise<Simulator>
}

export interface AppOptions extends Pick<HttpServerOptions, 'inspectReply' | 'slotWaitMaxMs'> {
  /** Default: the built-in portals. */
  portals?: PortalDefinition[]
  /** Default: the built-in chat providers. */
  chatProviders?: ChatProvider[]
  /** Default: the built-in ad networks. */
  adNetworks?: AdNetwork[]
  /** Default: the built-in calendar providers. */
  calendarProviders?: CalendarProvider[]
  simulator?: SimulatorOptions
  /** The AI endpoint of the test environment. Default: the built-in simulator's. */
  simulatedAi?: AiEndpoint
  /** Resolves host names of webhooks. Default: the system's resolver. */
  resolve?: Resolve
  /** How long a webhook receiver may take. Default: 15 s. */
  receiverTimeoutMs?: number
  /** The lease of a chat message that is being sent. Default: 2 min. */
  claimLeaseMs?: number
  /** How many jobs run at once, by worker pool. Default: that of the queue. */
  jobConcurrency?: QueueOptions['concurrency']
  /** When the OpenAPI document is built. Default: at the start, which a wrong schema stops. Tests save the time. */
  openapi?: 'at start' | 'when read'
  /** Additional features, which tests use. */
  extraFeatures?: Feature[]
}

/** Creates the program for an open deployment. */
export function createApp(
  config: Config,
  { database, cipher }: Deployment,
  log: Log,
  options: AppOptions = {},
): App {
  const metrics = createMetrics(() => countWaitingJobs(database.ownerPool))
  const portalHttp = createHttpClient({ reach: 'any' })
  const guardedHttp = createHttpClient({
    reach: 'public',
    allowedPrivateRanges: config.allowedPrivateRanges,
    ...(options.resolve ? { resolve: options.resolve } : {}),
  })
  const blobs = createBlobs({
    database,
    store: openBlobStore(config),
    spoolDir: toSpoolDir(config),
    bytesMax: config.blobBytesMax,
    log,
  })
  const simulator = lazySimulator(config, options.simulator)
  const simulatedAi = lazyAi()
  const features = createFeatures({
    cipher,
    metrics,
    blobs,
    portalHttp,
    guardedHttp,
    portals: options.portals ?? builtInPortals,
    portalUrls: config.portalUrls,
    chatProviders: options.chatProviders ?? chatProviders,
    chatUrls: config.chatUrls,
    adNetworks: options.adNetworks ?? adNetworks,
    adUrls: config.adUrls,
    calendarProviders: options.calendarProviders ?? calendarProviders,
    calendarUrls: config.calendarUrls,
    calendarClients: config.calendarClients,
    resolveHost: createHostResolver({
      allowedPrivateRanges: config.allowedPrivateRanges,
      resolve: options.resolve,
    }),
    log,
    publicUrl: config.publicUrl,
    basePath: config.basePaths[0]!,
    mapTiles: openMapTiles(config, portalHttp, log),
    routingUrl: config.routingUrl,
    ai: config.ai,
    findSimulatedAi: async () => options.simulatedAi ?? simulatedAi.start(),
    receiverTimeoutMs: options.receiverTimeoutMs,
    claimLeaseMs: options.claimLeaseMs,
    extraFeatures: options.extraFeatures,
    findSimulatedListing: async listingId => (await simulator.start()).findListing(listingId),
    async findSimulatedUrl(platform, tenantId) {
      const changes = await database.readTenant({ tenantId }, listListingChanges)
      return (await simulator.start()).getVisitorAddress(tenantId, changes, platform as 'portal_a')
    },
  })
  bindFeatures(database, features)
  let openapi: string | undefined
  const getOpenapi = () => (openapi ??= JSON.stringify(openApiDocument(features, config)))
  const servesApi = config.role !== 'worker'
  const runsJobs = config.role !== 'api'
  let queue: Queue | null = null
  let services: RunningService[] = []
  let stopBlobs = async () => {}

  const http = createHttpServer({
    routes: servesApi ? features.flatMap(feature => feature.routes) : [],
    publicRoutes: servesApi ? features.flatMap(({ publicRoutes = [] }) => publicRoutes) : [],
    dashboardRoutes: servesApi ? features.flatMap(({ dashboardRoutes = [] }) => dashboardRoutes) : [],
    anonymousRoutes: servesApi ? features.flatMap(({ anonymousRoutes = [] }) => anonymousRoutes) : [],
    agentScopes: toAgentScopes(collectScopes(features)),
    publicUrl: config.publicUrl,
    database,
    cipher,
    basePaths: config.basePaths,
    trustedProxies: config.trustedProxies,
    log,
    metrics,
    slotWaitMaxMs: options.slotWaitMaxMs,
    ...(options.inspectReply ? { inspectReply: options.inspectReply } : {}),
  })
  mountSystemRoutes(http, {
    basePaths: config.basePaths,
    getOpenapi: servesApi ? getOpenapi : null,
    metrics,
    ownerPool: database.ownerPool,
    isQueueReady: () => !runsJobs || (queue?.ready() ?? false),
  })

  return {
    http,
    get openapi() {
      return getOpenapi()
    },
    getSimulator: simulator.start,
    async start() {
      if (servesApi && options.openapi !== 'when read') getOpenapi()
      const address = await http.listen({ host: config.host, port: config.port }).catch(throwListenError)
      stopBlobs = blobs.start()
      if (runsJobs) {
        const jobs = features.flatMap(feature => feature.jobs)
        const deploymentJobs = features.flatMap(({ deploymentJobs = [] }) => deploymentJobs)
        queue = await startQueue({
          jobs,
          deploymentJobs,
          database,
          log,
          metrics,
          concurrency: options.jobConcurrency,
        })
        const dispatcher = eventDispatchService(features.flatMap(({ subscribers = [] }) => subscribers))
        const senders = features.flatMap(({ outboxes = [] }) => outboxes.map(outboxService))
        const others = features.flatMap(({ services = [] }) => services)
        services = [dispatcher, ...senders, ...others].map(runner => runner.start({ database, log }))
      }
      return address
    },
    async stop() {
      await Promise.all([closeHttp(http), queue?.stop(), ...services.map(runner => runner.stop())])
      await Promise.all([
        portalHttp.close(),
        guardedHttp.close(),
        simulator.stop(),
        simulatedAi.stop(),
        stopBlobs(),
      ])
    },
  }
}

/** Lets requests in progress finish. Connections that are still open after `slowClientMaxMs` are closed. */
async function closeHttp(http: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), slowClientMaxMs)
  await http.close()
  clearTimeout(timer)
}

function throwListenError(error: NodeJS.ErrnoException & { address?: string; port?: number }): never {
  const where = `${error.address}:${error.port}`
  const reasons: Record<string, string> = {
    EADDRINUSE: `Another program listens on ${where}. Stop it, or set PORT to a free port.`,
    EACCES: `This user may not listen on ${where}. Set PORT to a port above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${error.address}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
  }
  throw new Error(reasons[error.code ?? ''] ?? error.message, { cause: error })
}

/** Loads the simulator when a test environment first needs it, because it takes time and memory. */
function lazySimulator(config: Config, options: SimulatorOptions = {}) {
  let starting: Promise<Simulator> | null = null
  const start = async () => {
    starting ??= import('./simulator/index.ts').then(({ toPorts, startSimulator }) =>
      startSimulator({
        // Ports next to the server's own, so that URLs of listings survive a restart. Any other port if one is taken.
        ...(config.port === 0 ? {} : { ports: toPorts(config.port + 1) }),
        ...(config.simulatorData ? { dataFile: config.simulatorData } : {}),
        ...options,
      }),
    )
    return starting
  }
  return { start, stop: async () => (await starting)?.close() }
}

/** Starts the AI endpoint of the test environment when it is first needed. */
function lazyAi() {
  let starting: Promise<AiSimulator> | null = null
  const start = async (): Promise<AiEndpoint> => {
    starting ??= import('./simulator/ai/index.ts').then(({ startAi }) => startAi())
    const { url, key } = await starting
    return { url, key, model: 'simulator' }
  }
  return { start, stop: async () => (await starting)?.close() }
}
