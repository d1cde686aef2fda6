/** What campaigns decide about the messages that they queued. */
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { type CampaignDecision, campaignMessagesClaimed } from '../hooks.ts'
import type { OutgoingRow } from '../messages/outgoing-rows.ts'

/** A message as far as a campaign decides by it. */
export type DecidedMessage = Pick<
  OutgoingRow,
  'id' | 'campaignId' | 'leadId' | 'conversationId' | 'sendAt'
> & {
  lastInboundAt: Date | null
}

/** By id. Messages of no campaign are missing, and those that a person sends again. */
export async function readCampaignDecisions(
  tx: Tx,
  messages: DecidedMessage[],
): Promise<Map<string, CampaignDecision>> {
  const ofCampaigns = messages.flatMap(
    ({ id: messageId, campaignId, leadId, conversationId, lastInboundAt, sendAt }) =>
      campaignId && sendAt ? [{ messageId, campaignId, leadId, conversationId, lastInboundAt, sendAt }] : [],
  )
  if (ofCampaigns.length === 0) return new Map()
  const results = await callHook(tx, campaignMessagesClaimed, ofCampaigns)
  return new Map(results.flatMap(decisions => [...decisions]))
}
