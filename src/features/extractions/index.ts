/** Extractions: asynchronous jobs that pull leads from a portal. */
import type { Feature } from '../../kit/route.ts'
import { extractionEvents } from './events.ts'
import { type ExtractionsDependencies, runExtraction } from './jobs.ts'
import { extractionRoutes } from './routes.ts'
import { sweepExtractions } from './sweep.ts'

export function extractions(dependencies: ExtractionsDependencies): Feature {
  return {
    name: 'extractions',
    routes: extractionRoutes(dependencies.portals),
    jobs: [runExtraction(dependencies), sweepExtractions],
    events: extractionEvents,
  }
}
