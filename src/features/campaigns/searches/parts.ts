/** Saved searches: campaigns that notify of what is new, cheaper or gone. */
import { on } from '../../../kit/hook.ts'
import { leadsDeleted, leadsMerged, mergeUndone } from '../../leads/service.ts'
import { erasePersonData } from '../../privacy/service.ts'
import type { FeaturePart } from '../parts.ts'
import { searchChanged } from './events.ts'
import {
  detachSearchListings,
  eraseSearchListings,
  moveSearchListings,
  restoreSearchListings,
} from './lead-references.ts'
import { searchRoutes } from './routes.ts'

export const searchParts: FeaturePart = {
  routes: searchRoutes,
  events: [searchChanged],
  hooks: [
    on(erasePersonData, eraseSearchListings),
    on(leadsDeleted, detachSearchListings),
    on(leadsMerged, moveSearchListings),
    on(mergeUndone, restoreSearchListings),
  ],
}
