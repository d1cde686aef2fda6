/** The reply of a preview. */

import { toCommonMessage } from '../recipients/reasons.ts'
import type { CheckedSend } from './check-texts.ts'
import type { CampaignPreview } from './schemas.ts'
import { leadsMax, type SkippedLeads } from './skipped-leads.ts'

export const toSends = (sends: readonly CheckedSend[], limit: number): CampaignPreview['sends'] =>
  sends.slice(0, limit).map(({ recipientId, leadId, step, atMs, isQueued, templateId, variant, text }) => ({
    recipientId,
    leadId,
    step,
    at: new Date(atMs).toISOString(),
    isQueued,
    templateId,
    variant,
    text,
  }))

/** Days in a time zone. */
export function toDays(sends: readonly CheckedSend[], timezone: string): CampaignPreview['days'] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
  return [...Map.groupBy(sends, ({ atMs }) => format.format(atMs))].map(([date, own]) => ({
    date,
    messages: own.length,
    starts: own.filter(({ lastSentAtMs }) => lastSentAtMs === null).length,
  }))
}

export const toSteps = (sends: readonly CheckedSend[]): CampaignPreview['steps'] =>
  [...Map.groupBy(sends, ({ step }) => step)]
    .map(([step, own]) => ({ step, messages: own.length }))
    .sort((one, other) => one.step - other.step)

/** The most frequent reason first. People whose reason differs in words, such as by the variables that are missing, are counted apart. */
export const toSkipped = (skipped: readonly SkippedLeads[]): CampaignPreview['skipped'] =>
  [...Map.groupBy(skipped, ({ reason }) => toCommonMessage(reason))]
    .map(([message, own]) => ({
      code: own[0]!.reason.code,
      message,
      count: own.reduce((sum, { count }) => sum + count, 0),
      leadIds: own.flatMap(({ leadIds }) => leadIds).slice(0, leadsMax),
    }))
    .sort((one, other) => other.count - one.count)
