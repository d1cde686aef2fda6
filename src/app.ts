/** The list of all features, and how they are wired. */
import type { AiEndpoint } from './config-providers.ts'
import type { MapTiles } from './documents/map/map-tiles.ts'
import { accounts } from './features/accounts/index.ts'
import { createChatAccounts } from './features/accounts/service.ts'
import { ads } from './features/ads/index.ts'
import { createAds } from './features/ads/service.ts'
import { calendars } from './features/calendars/index.ts'
import { campaigns } from './features/campaigns/index.ts'
import { extractions } from './features/extractions/index.ts'
import { fichas } from './features/fichas/index.ts'
import { identity } from './features/identity/index.ts'
import { imports } from './features/imports/index.ts'
import { leads } from './features/leads/index.ts'
import { market } from './features/market/index.ts'
import { messaging } from './features/messaging/index.ts'
import { createUploadOpener } from './features/messaging/service.ts'
import { loadGazetteer } from './features/platforms/gazetteer.ts'
import { platforms } from './features/platforms/index.ts'
import { createPortals } from './features/platforms/service.ts'
import { privacy } from './features/privacy/index.ts'
import { sandbox } from './features/sandbox/index.ts'
import { scheduling } from './features/scheduling/index.ts'
import { createTravelTimes } from './features/scheduling/service.ts'
import { shares } from './features/shares/index.ts'
import { templates } from './features/templates/index.ts'
import { valuations } from './features/valuations/index.ts'
import { webhooks } from './features/webhooks/index.ts'
import type { Blobs } from './kit/blobs/blobs.ts'
import { blobsFeature } from './kit/blobs/feature.ts'
import type { Cipher } from './kit/crypto.ts'
import {
  checkFeatures,
  collectPersonData,
  collectQuotas,
  collectScheduledTasks,
  collectSettings,
  type Feature,
} from './kit/feature.ts'
import type { HttpClient } from './kit/http/client.ts'
import type { Log } from './kit/log.ts'
import type { Metrics } from './kit/metrics.ts'
import { adNetworks } from './plugins/ads/index.ts'
import type { AdNetwork } from './plugins/ads.ts'
import { createOpenAiCompatible } from './plugins/ai/openai-compatible.ts'
import { calendarProviders } from './plugins/calendar/index.ts'
import type { CalendarProvider, OAuthClient } from './plugins/calendar.ts'
import { chatProviders } from './plugins/chat/index.ts'
import type { ChatProvider } from './plugins/chat.ts'
import type { PortalDefinition } from './plugins/portal.ts'
import { builtInPortals } from './plugins/portals/index.ts'
import { createOsrm } from './plugins/routers/osrm.ts'
import { simulateAdNetwork } from './plugins/sandbox/simulate-ads.ts'
import { simulateCalendarProvider } from './plugins/sandbox/simulate-calendar.ts'
import { simulateProvider } from './plugins/sandbox/simulate-provider.ts'

export interface FeatureDependencies {
  cipher: Cipher
  metrics: Metrics
  blobs: Blobs
  /** For URLs that the operator configured. */
  portalHttp: HttpClient
  /** For URLs that users provide: refuses private addresses. */
  guardedHttp: HttpClient
  portals: PortalDefinition[]
  portalUrls: Record<string, string>
  chatProviders: ChatProvider[]
  chatUrls: Record<string, string>
  adNetworks: AdNetwork[]
  adUrls: Record<string, string>
  calendarProviders: CalendarProvider[]
  calendarUrls: Record<string, string>
  /** How the deployment is registered with calendar providers. */
  calendarClients: Record<string, OAuthClient>
  /** Resolves a host that a user entered. Throws if it leads into a private network. */
  resolveHost(host: string): Promise<string>
  log: Log
  publicUrl: string
  /** The first base path of the API. */
  basePath: string
  /** The tiles of street maps; null if the operator has none. */
  mapTiles: MapTiles | null
  /** The OSRM server of the operator; null: there is none. */
  routingUrl: string | null
  /** The AI endpoint of live environments; null: none. */
  ai: AiEndpoint | null
  findSimulatedAi(): Promise<AiEndpoint>
  findSimulatedUrl(platform: string, tenantId: string): Promise<string>
  /** Finds a listing of the simulator's portals by its id. */
  findSimulatedListing(listingId: string): Promise<{ price: number } | undefined>
  receiverTimeoutMs?: number | undefined
  /** The lease of a chat message that is being sent, for tests. */
  claimLeaseMs?: number | undefined
  /** Additional features, which tests use. */
  extraFeatures?: Feature[] | undefined
}

export { adNetworks, builtInPortals, calendarProviders, chatProviders }

/** Creates every feature of the product. */
export function createFeatures(dependencies: FeatureDependencies): Feature[] {
  const { cipher, metrics, portalHttp, guardedHttp, publicUrl, basePath } = dependencies
  const portals = createPortals({
    definitions: dependencies.portals,
    urls: dependencies.portalUrls,
    simulated: builtInPortals.map(({ id }) => id),
    findSimulatedUrl: dependencies.findSimulatedUrl,
    loadGazetteer,
  })
  const { routingUrl, ai } = dependencies
  const router = routingUrl === null ? null : createOsrm({ url: routingUrl, http: portalHttp })
  const chatAccounts = createChatAccounts({
    providers: dependencies.chatProviders,
    simulateProvider,
    cipher,
    http: portalHttp,
    resolveHost: dependencies.resolveHost,
    urls: dependencies.chatUrls,
    baseUrl: publicUrl + basePath,
    log: dependencies.log,
  })
  const adConnections = createAds({
    networks: dependencies.adNetworks,
    simulateNetwork: simulateAdNetwork,
    cipher,
    http: portalHttp,
    urls: dependencies.adUrls,
    baseUrl: publicUrl + basePath,
  })
  const ownFeatures: Feature[] = [
    platforms({ portals, http: portalHttp, metrics, contactUrl: publicUrl }),
    extractions({ portals, http: portalHttp, metrics, contactUrl: publicUrl }),
    imports,
    privacy,
    market,
    shares,
    blobsFeature(dependencies.blobs),
    valuations({ cipher, baseUrl: publicUrl + basePath, mapTiles: dependencies.mapTiles }),
    fichas({
      cipher,
      baseUrl: publicUrl + basePath,
      portals,
      portalHttp,
      guardedHttp,
      blobs: dependencies.blobs,
      metrics,
      contactUrl: publicUrl,
      mapTiles: dependencies.mapTiles,
      loadGazetteer,
    }),
    accounts({ accounts: chatAccounts, cipher, log: dependencies.log }),
    templates({ accounts: chatAccounts, openUpload: createUploadOpener(dependencies.blobs) }),
    messaging({
      accounts: chatAccounts,
      blobs: dependencies.blobs,
      metrics,
      baseUrl: publicUrl + basePath,
      unsubscribe: { cipher, baseUrl: publicUrl + basePath },
      claimLeaseMs: dependencies.claimLeaseMs,
    }),
    scheduling({
      cipher,
      baseUrl: publicUrl + basePath,
      accounts: chatAccounts,
      router,
      log: dependencies.log,
    }),
    calendars({
      providers: dependencies.calendarProviders,
      simulateProvider: simulateCalendarProvider,
      cipher,
      http: portalHttp,
      guardedHttp,
      urls: dependencies.calendarUrls,
      clients: dependencies.calendarClients,
      baseUrl: publicUrl + basePath,
    }),
    campaigns({
      portals,
      accounts: chatAccounts,
      hasAi: Boolean(ai),
      async findEndpoint(environment) {
        const endpoint = environment === 'live' ? ai : await dependencies.findSimulatedAi()
        return (
          endpoint && {
            provider: createOpenAiCompatible({ ...endpoint, http: portalHttp }),
            model: endpoint.model,
          }
        )
      },
      travelTimes: createTravelTimes(router, dependencies.log),
      cipher,
      baseUrl: publicUrl + basePath,
    }),
    ads({ ads: adConnections, log: dependencies.log }),
    ...(dependencies.extraFeatures ?? []),
  ]
  // These features depend on declarations of the others.
  ownFeatures.push(leads({ personData: collectPersonData(ownFeatures) }))
  ownFeatures.unshift(
    identity({
      cipher,
      publicUrl,
      quotas: collectQuotas(ownFeatures),
      settings: collectSettings(ownFeatures),
    }),
  )
  const webhooksFeature = webhooks({
    cipher,
    http: guardedHttp,
    metrics,
    events: ownFeatures.flatMap(({ events }) => events),
    receiverTimeoutMs: dependencies.receiverTimeoutMs,
  })
  const features = [...ownFeatures, webhooksFeature]
  features.push(
    sandbox({
      scheduledTasks: collectScheduledTasks(features),
      findListing: dependencies.findSimulatedListing,
      accounts: chatAccounts,
      ads: adConnections,
      cipher,
      blobs: dependencies.blobs,
      baseUrl: publicUrl + basePath,
    }),
  )
  checkFeatures(features)
  return features
}

let described: Feature[] | undefined

/**
 * Returns the features for code that only reads their declarations. They are created without dependencies and must not run.
 */
export function describeFeatures(): Feature[] {
  described ??= createFeatures({
    portals: builtInPortals,
    portalUrls: {},
    chatProviders,
    adNetworks,
    calendarProviders,
    publicUrl: '',
    basePath: '',
  } as unknown as FeatureDependencies)
  return described
}
