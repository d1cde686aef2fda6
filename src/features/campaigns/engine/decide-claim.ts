/** Decides, in the transaction that claims a message of a campaign and again before it is sent, whether it may be sent. */
import { sql } from 'kysely'
import { createFindOpening } from '../../../domain/sequence/window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { CampaignDecision, CampaignMessage } from '../../messaging/service.ts'
import { toSendWindow } from '../campaigns/pace.ts'
import { findCampaigns } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import {
  campaignDeleted,
  ended,
  leadDeleted,
  overdue,
  paused,
  type Reason,
  windowClosed,
} from '../recipients/reasons.ts'
import { decideStep, toSequence } from './decide-step.ts'
import { type RecipientRow, selectRecipients } from './recipient-rows.ts'

/** A message of a campaign with a throttle that is later than this is planned again: what was held up is spread. */
const lateMaxMs = 60_000

/** Handles `campaignMessagesClaimed`. */
export async function decideClaims(
  tx: Tx,
  messages: CampaignMessage[],
): Promise<Map<string, CampaignDecision>> {
  const recipients = await selectRecipients(
    tx,
    sql`r.message_id = any(${messages.map(({ messageId }) => messageId)}::uuid[])`,
  )
  const campaigns = await findCampaigns(tx, [...new Set(messages.map(({ campaignId }) => campaignId))])
  const isOpen = new Map<string, boolean>()
  for (const campaign of campaigns) isOpen.set(campaign.id, await isWindowOpen(campaign, getNow(tx)))
  const recipientByMessage = new Map(recipients.map(each => [each.messageId, each]))
  const campaignById = new Map(campaigns.map(each => [each.id, each]))
  return new Map(
    messages.map(message => {
      const { messageId, campaignId } = message
      const failure = findRefusal(message, {
        campaign: campaignById.get(campaignId),
        recipient: recipientByMessage.get(messageId),
        isOpen: isOpen.get(campaignId) ?? false,
        now: getNow(tx),
      })
      return [messageId, failure ? { kind: 'withdraw', failure } : { kind: 'send' }]
    }),
  )
}

interface Facts {
  campaign: CampaignRow | undefined
  recipient: RecipientRow | undefined
  isOpen: boolean
  now: Date
}

function findRefusal(
  { lastInboundAt, sendAt }: CampaignMessage,
  { campaign, recipient, isOpen, now }: Facts,
): Reason | null {
  if (!campaign) return campaignDeleted
  if (!recipient) return leadDeleted
  if (recipient.status !== 'queued') return recipient.reason ?? ended
  const { settings, status } = campaign
  const endAt = settings.schedule?.endAt
  if (status === 'completed' || (endAt && new Date(endAt) <= now)) return ended
  const isReply = lastInboundAt !== null && lastInboundAt > recipient.joinedAt
  const repliedAt = recipient.repliedAt ?? (isReply ? lastInboundAt : null)
  const decision = decideStep(toSequence(settings), { ...recipient, repliedAt })
  if (decision.end) return decision.end.reason ?? ended
  // Its step is only for people who have not replied: it is planned again, which leaves it out.
  if (decision.step !== recipient.step) return overdue
  if (status !== 'running') return paused
  // A person sends the tasks of other campaigns when they like.
  if (campaign.contactMode !== 'chat') return null
  if (!isOpen) return windowClosed
  const isLate = now.getTime() - sendAt.getTime() > lateMaxMs
  return settings.throttlePerMinute !== null && isLate ? overdue : null
}

/** By campaign and version: every message of a campaign is checked twice. */
const windows = new Map<string, ReturnType<typeof createFindOpening>>()
const windowsMax = 500

async function isWindowOpen({ id, version, settings }: CampaignRow, now: Date): Promise<boolean> {
  if (settings.sendWindow === null) return true
  const key = `${id} ${version} ${now.getUTCFullYear()}`
  let findOpening = windows.get(key)
  if (!findOpening) {
    findOpening = createFindOpening(await toSendWindow(settings.sendWindow, now.getTime()))
    if (windows.size >= windowsMax) windows.clear()
    windows.set(key, findOpening)
  }
  return findOpening(now.getTime()) === now.getTime()
}
