/** A feature that decides about the messages of campaigns as a test says, and notes their ends. */
import {
  type CampaignDecision,
  type CampaignMessage,
  type CampaignMessageEnd,
  campaignMessagesClaimed,
  campaignMessagesEnded,
} from '../src/features/messaging/service.ts'
import type { Tx } from '../src/kit/db/index.ts'
import type { Feature } from '../src/kit/feature.ts'
import { on } from '../src/kit/hook.ts'

export interface CampaignTrial {
  feature: Feature
  /** Replace it to let messages be withdrawn or deferred. */
  decide: (message: CampaignMessage, tx: Tx) => CampaignDecision | Promise<CampaignDecision>
  /** The messages that were decided, in this order. */
  decided: CampaignMessage[]
  ends: CampaignMessageEnd[]
}

export function createCampaignTrial(): CampaignTrial {
  const trial: Omit<CampaignTrial, 'feature'> = { decide: () => ({ kind: 'send' }), decided: [], ends: [] }
  const hooks = [
    on(campaignMessagesClaimed, async (tx, messages) => {
      trial.decided.push(...messages)
      const decisions = new Map<string, CampaignDecision>()
      for (const message of messages) decisions.set(message.messageId, await trial.decide(message, tx))
      return decisions
    }),
    on(campaignMessagesEnded, async (_tx, ends) => {
      trial.ends.push(...ends)
    }),
  ]
  return Object.assign(trial, {
    feature: { name: 'campaign-trial', routes: [], jobs: [], events: [], hooks },
  })
}
