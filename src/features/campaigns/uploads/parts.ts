/** People who are added to campaigns. */
import { on } from '../../../kit/hook.ts'
import { leadsOfCampaignImported } from '../../imports/service.ts'
import type { FeaturePart } from '../parts.ts'
import { joinImported } from './add.ts'
import { addRoute } from './routes.ts'

export const uploadParts: FeaturePart = {
  routes: [addRoute],
  hooks: [on(leadsOfCampaignImported, joinImported)],
}
