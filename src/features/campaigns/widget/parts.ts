/** The source `widget`: a form on the sites of the agency. */
import { on } from '../../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../../leads/service.ts'
import type { FeaturePart } from '../parts.ts'
import type { WidgetDependencies } from './key.ts'
import { deleteSubmissions, moveSubmissions, restoreSubmissions } from './lead-references.ts'
import { widgetPersonData } from './person-data.ts'
import { widgetRoutes } from './public-routes.ts'
import { widgetApiRoutes } from './routes.ts'

export const widgetParts = (dependencies: WidgetDependencies): FeaturePart => ({
  routes: widgetApiRoutes(dependencies),
  publicRoutes: widgetRoutes(dependencies),
  hooks: [
    on(leadsDeleted, deleteSubmissions),
    on(leadsMerged, moveSubmissions),
    on(mergeUndone, restoreSubmissions),
  ],
  personData: widgetPersonData,
})
