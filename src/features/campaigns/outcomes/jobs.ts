/** Reacts to what people do after a message. */
import { defineEventHandler } from '../../../kit/events/dispatcher.ts'
import { leadOptedOut, leadReplied } from '../../leads/events.ts'
import { messageFailed } from '../../messaging/events.ts'
import { appointmentBooked } from '../../scheduling/events.ts'
import { checkHealth } from '../health/check-health.ts'
import { isRefusal, recordOutcome } from './record-outcome.ts'

export const recordReplies = defineEventHandler({
  name: 'record-campaign-replies',
  on: [leadReplied],
  async handle(tx, { data: { leadId, messageId } }) {
    if (!(await isRefusal(tx, messageId))) await recordOutcome(tx, leadId, 'reply')
  },
})

export const recordBookings = defineEventHandler({
  name: 'record-campaign-bookings',
  on: [appointmentBooked],
  handle: async (tx, { data: { leadId } }) => leadId && recordOutcome(tx, leadId, 'booking'),
})

export const recordOptOuts = defineEventHandler({
  name: 'record-campaign-opt-outs',
  on: [leadOptedOut],
  async handle(tx, { data: { leadId } }) {
    const campaignId = await recordOutcome(tx, leadId, 'optOut')
    if (campaignId) await checkHealth(tx, campaignId)
  },
})

export const watchFailures = defineEventHandler({
  name: 'watch-campaign-failures',
  on: [messageFailed],
  handle: async (tx, { data: { campaignId } }) => campaignId && checkHealth(tx, campaignId),
})
