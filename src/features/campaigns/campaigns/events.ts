/** The events of campaigns. */
import { type EmbeddedObject, type EventDefinition, event } from '../../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject } from '../../../kit/schema.ts'
import { campaignExample } from './examples.ts'
import { findCampaigns } from './queries.ts'
import { toReplies } from './reply.ts'
import { Campaign, pauseCodes, status } from './schemas.ts'

const embeds: EmbeddedObject = {
  name: 'campaign',
  schema: Campaign,
  example: campaignExample,
  async read(tx, ids, maxBytes) {
    const replies = await toReplies(tx, await findCampaigns(tx, ids))
    const texts = replies.map(reply => [reply.id, JSON.stringify(reply)] as const)
    return new Map(texts.map(([id, json]) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
  },
}

const fields = {
  campaignId: id('The campaign.'),
  status,
  previousStatus: { ...status, description: 'The status before.' },
}
const shared = { object: ['campaignId' as const], embeds }
const example = { campaignId: campaignExample.id, status: 'running', previousStatus: 'draft' } as const

export const campaignStarted = event({
  ...shared,
  type: 'campaign.started',
  summary: 'A campaign was started, or resumed after a pause',
  data: strictObject(fields),
  example,
})

export const campaignPaused = event({
  ...shared,
  type: 'campaign.paused',
  summary: 'A campaign was paused; the embedded campaign has the reason',
  data: strictObject({
    ...fields,
    reason: nullable(
      oneOf(pauseCodes, { description: 'Why the program paused it; null: a user paused it.' }),
    ),
  }),
  example: { ...example, status: 'paused', previousStatus: 'running', reason: 'HIGH_OPT_OUT_RATE' },
})

export const campaignCompleted = event({
  ...shared,
  type: 'campaign.completed',
  summary: 'A campaign has ended: its source can bring no more, or its end date has passed',
  data: strictObject(fields),
  example: { ...example, status: 'completed', previousStatus: 'running' },
})

export const campaignEvents: EventDefinition[] = [campaignStarted, campaignPaused, campaignCompleted]
