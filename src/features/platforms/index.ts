/** Platforms: the portals that leads are extracted from, their filters and their locations. In the API a portal is a `platform`. */
import type { Feature } from '../../kit/feature.ts'
import { platformRoutes } from './routes.ts'
import type { PlatformsDependencies } from './validate-filters.ts'

export function platforms(dependencies: PlatformsDependencies): Feature {
  return {
    name: 'platforms',
    tags: { Platforms: 'Supported portals, their filters and locations.' },
    scopes: ['platforms:read'],
    routes: platformRoutes(dependencies),
    jobs: [],
    events: [],
  }
}
