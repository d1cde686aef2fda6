/** Valuations: what a property is worth, every step of the sum, and a report to hand over. */
import { on } from '../../kit/hook.ts'
import type { Feature } from '../../kit/route.ts'
import { forgetPeople } from '../privacy/service.ts'
import { valuationEvents } from './events.ts'
import { forgetPeopleOfValuations } from './forgetting.ts'
import type { ValuationsDependencies } from './record.ts'
import { reportPages, reportRoutes } from './report-routes.ts'
import { valuationRoutes } from './routes.ts'

export function valuations(dependencies: ValuationsDependencies): Feature {
  return {
    name: 'valuations',
    tags: {
      Valuations: 'The value of a property, estimated from comparables, with every step of the calculation.',
    },
    routes: [...valuationRoutes(dependencies), ...reportRoutes(dependencies)],
    publicRoutes: reportPages,
    jobs: [],
    events: valuationEvents,
    hooks: [on(forgetPeople, forgetPeopleOfValuations)],
  }
}
