/** Property sheets (fichas): made from a listing, edited, shared, printed. */
import type { Feature } from '../../kit/feature.ts'
import { on } from '../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../leads/service.ts'
import { erasePersonData } from '../privacy/service.ts'
import { erasePeopleFromFichas } from './erasure.ts'
import { fichaEvents } from './events.ts'
import type { GenerateDependencies } from './generate.ts'
import { detachFichas, moveFichas, restoreFichas } from './lead-references.ts'
import { type MakeFichaDependencies, makeFicha, requeueStalledFichas } from './make-ficha.ts'
import { fichaPersonData } from './person-data.ts'
import { photoRoute } from './photo-routes.ts'
import { fichasPerMonth } from './quotas.ts'
import { fichaRoutes } from './routes.ts'
import { settings } from './settings.ts'
import { type SheetDependencies, sheetPages, sheetRoutes } from './sheet-routes.ts'

export function fichas(
  dependencies: GenerateDependencies & MakeFichaDependencies & SheetDependencies,
): Feature {
  return {
    name: 'fichas',
    tags: { Fichas: 'Property sheets, made from listings.' },
    scopes: ['fichas:read', 'fichas:write'],
    quotas: [fichasPerMonth],
    settings,
    routes: [...fichaRoutes(dependencies), ...sheetRoutes(dependencies), photoRoute(dependencies)],
    publicRoutes: sheetPages(dependencies),
    jobs: [makeFicha(dependencies)],
    deploymentJobs: [requeueStalledFichas],
    events: fichaEvents,
    personData: fichaPersonData,
    hooks: [
      on(erasePersonData, erasePeopleFromFichas),
      on(leadsDeleted, detachFichas),
      on(leadsMerged, moveFichas),
      on(mergeUndone, restoreFichas),
    ],
  }
}
