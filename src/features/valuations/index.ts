/** Valuations: estimates the price of a property, explains every step of the calculation, and makes a report. */

import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { erasePersonData } from '../privacy/service.ts'
import { erasePeopleFromValuations } from './erasure.ts'
import { valuationEvents } from './events.ts'
import { valuationPersonData } from './person-data.ts'
import { valuationsPerMonth } from './quotas.ts'
import type { ValuationsDependencies } from './reply.ts'
import { reportPages, reportRoutes } from './report-routes.ts'
import { valuationRoutes } from './routes.ts'

export function valuations(dependencies: ValuationsDependencies): Feature {
  return {
    name: 'valuations',
    tags: {
      Valuations: 'The value of a property, estimated from comparables, with every step of the calculation.',
    },
    scopes: ['valuations:read', 'valuations:write'],
    quotas: [valuationsPerMonth],
    routes: [...valuationRoutes(dependencies), ...reportRoutes(dependencies)],
    publicRoutes: reportPages(dependencies),
    jobs: [],
    events: valuationEvents,
    personData: valuationPersonData,
    hooks: [on(erasePersonData, erasePeopleFromValuations)],
  }
}
