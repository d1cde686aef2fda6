/** Extractions: asynchronous jobs that pull leads from a portal. */
import { on } from '../../kit/hook.ts'
import type { Feature } from '../../kit/route.ts'
import { leadsMerged, mergeUndone } from '../leads/service.ts'
import { forgetPeople } from '../privacy/service.ts'
import { extractionEvents } from './events.ts'
import { forgetPeopleOfExtractions } from './forgetting.ts'
import { type ExtractionsDependencies, runExtraction } from './jobs.ts'
import { bringBackListings, moveListings } from './merges.ts'
import { extractionRoutes } from './routes.ts'
import { sweepExtractions } from './sweep.ts'

export function extractions(dependencies: ExtractionsDependencies): Feature {
  return {
    name: 'extractions',
    tags: { Extractions: 'Asynchronous jobs that pull leads from a portal.' },
    routes: extractionRoutes(dependencies.portals),
    jobs: [runExtraction(dependencies), sweepExtractions],
    events: extractionEvents,
    hooks: [
      on(forgetPeople, forgetPeopleOfExtractions),
      on(leadsMerged, moveListings),
      on(mergeUndone, bringBackListings),
    ],
  }
}
