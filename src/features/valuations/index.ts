/** Valuations: what a property is worth, every step of the sum, and a report to hand over. */
import type { Feature } from '../../kit/route.ts'
import { valuationEvents } from './events.ts'
import type { ValuationsDependencies } from './record.ts'
import { reportPages, reportRoutes } from './report-routes.ts'
import { valuationRoutes } from './routes.ts'

export function valuations(dependencies: ValuationsDependencies): Feature {
  return {
    name: 'valuations',
    routes: [...valuationRoutes(dependencies), ...reportRoutes(dependencies)],
    publicRoutes: reportPages,
    jobs: [],
    events: valuationEvents,
  }
}
