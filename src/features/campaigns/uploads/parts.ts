/** People who are added to campaigns. */
import { getNow } from '../../../kit/clock/clock.ts'
import { on } from '../../../kit/hook.ts'
import {
  importOfCampaignEnded,
  importOfCampaignUndone,
  leadsOfCampaignComing,
  leadsOfCampaignImported,
} from '../../imports/service.ts'
import type { FeaturePart } from '../parts.ts'
import { lockForJoining } from '../recipients/join.ts'
import { takeOutImported } from '../recipients/take-out.ts'
import { requestPlan } from '../request-plan.ts'
import { joinImported } from './add.ts'
import { addRoute } from './routes.ts'

export const uploadParts: FeaturePart = {
  routes: [addRoute],
  hooks: [
    on(leadsOfCampaignComing, async (tx, { campaignId }) => {
      await lockForJoining(tx, campaignId)
    }),
    on(leadsOfCampaignImported, joinImported),
    on(importOfCampaignUndone, takeOutImported),
    // It may have waited for the file alone.
    on(importOfCampaignEnded, (tx, { campaignId }) => requestPlan(tx, campaignId, getNow(tx))),
  ],
}
