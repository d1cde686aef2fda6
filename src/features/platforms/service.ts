/** Which portals there are, and where each is reached in live and in test. */
import type { Environment } from '../../kit/db/index.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'

/** A portal at an address. */
export interface OpenPortal {
  definition: PortalDefinition
  /** Origin without a trailing slash. */
  baseUrl: string
  /** On this machine, as the simulator is: nobody is disturbed, so no pace is kept. */
  isLocal: boolean
}

export interface Portals {
  list(): PortalDefinition[]
  find(platform: string): PortalDefinition | undefined
  /** Whether the portal has an address in this environment. In test all have: the simulator's. */
  isConfigured(platform: string, environment: Environment): boolean
  /** Null if it is unconfigured. */
  open(platform: string, environment: Environment): Promise<OpenPortal | null>
}

export interface PortalsOptions {
  definitions: PortalDefinition[]
  /** Base addresses in live, by portal. */
  urls: Record<string, string>
  /** Base address of a portal in the simulator, which starts when first asked. */
  simulatedUrl(platform: string): Promise<string>
}

/** The portals of this deployment. */
export function createPortals({ definitions, urls, simulatedUrl }: PortalsOptions): Portals {
  const byId = new Map(definitions.map(definition => [definition.id, definition]))
  return {
    list: () => definitions,
    find: platform => byId.get(platform),
    isConfigured: (platform, environment) => environment === 'test' || platform in urls,
    async open(platform, environment) {
      const definition = byId.get(platform)
      if (!definition) return null
      if (environment === 'test') return { definition, baseUrl: await simulatedUrl(platform), isLocal: true }
      const baseUrl = urls[platform]
      return baseUrl ? { definition, baseUrl, isLocal: isLoopback(baseUrl) } : null
    },
  }
}

function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
