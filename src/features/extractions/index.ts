/** Extractions: asynchronous jobs that pull leads from a portal. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../leads/service.ts'
import { erasePersonData } from '../privacy/service.ts'
import { erasePeopleFromExtractions } from './erasure.ts'
import { extractionEvents } from './events.ts'
import { type ExtractionsDependencies, runExtraction } from './jobs.ts'
import { detachListings, moveListings, restoreListings } from './merges.ts'
import { extractionsPerMonth } from './quotas.ts'
import { extractionRoutes } from './routes.ts'
import { requeueStalledExtractions } from './stalled-extractions.ts'

export function extractions(dependencies: ExtractionsDependencies): Feature {
  return {
    name: 'extractions',
    tags: { Extractions: 'Asynchronous jobs that pull leads from a portal.' },
    scopes: ['extractions:read', 'extractions:write'],
    quotas: [extractionsPerMonth],
    routes: extractionRoutes(dependencies.portals),
    jobs: [runExtraction(dependencies)],
    deploymentJobs: [requeueStalledExtractions],
    events: extractionEvents,
    hooks: [
      on(erasePersonData, erasePeopleFromExtractions),
      on(leadsDeleted, detachListings),
      on(leadsMerged, moveListings),
      on(mergeUndone, restoreListings),
    ],
  }
}
