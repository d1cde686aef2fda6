/** What a change of a lead means for its place in campaigns: a sequence ends, or one that was skipped goes on. */
import { sql } from 'kysely'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { previewCampaignMessages } from '../../messaging/service.ts'
import { previewContacts } from '../../privacy/service.ts'
import { findCampaignAccount } from '../campaigns/account.ts'
import { findCampaigns } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { requestRevival } from '../held-up.ts'
import { isFinal, isLeadReason, joinConflicts, missingVariable, type Reason } from '../recipients/reasons.ts'
import { reviveRecipients } from '../recipients/revive.ts'
import { requestPlan } from '../request-plan.ts'
import { chooseTemplate } from './choose-template.ts'
import { decideStep, toSequence } from './decide-step.ts'
import type { EngineDependencies } from './dependencies.ts'
import { enqueueMessageWithdrawal } from './enqueue.ts'
import { hasActive } from './plan-queries.ts'
import { type RecipientRow, selectRecipients } from './recipient-rows.ts'
import { findChannel, toReason, toRefusedEnd } from './refusals.ts'
import { type RecipientEnd, storeEnds } from './store-ends.ts'

/**
 * Ends what a reply, an opt-out, a booking or the status of the lead ends, and revives what was refused if its reason is gone. `revivesOnly`:
 * the change ends nothing.
 */
export async function reviewLead(
  tx: Tx,
  dependencies: EngineDependencies,
  leadId: string,
  { revivesOnly = false } = {},
): Promise<void> {
  const isOfLead = sql`r.lead_id = ${leadId} and r.status in ('waiting', 'planned', 'queued', 'skipped', 'failed')`
  const present = await selectRecipients(tx, isOfLead)
  // Its identities may be others now.
  if (present.some(isHeldUp)) await requestRevival(tx, [leadId])
  if (!present.some(one => isReviewed(one) && (isRefused(one) || !revivesOnly))) return
  // Before the recipients, as all that lets leads join: a person is written to by one campaign at a time.
  await lockLeadWrites(tx)
  const recipients = await selectRecipients(tx, isOfLead, sql`order by r.id for no key update of r`)
  const known = await findCampaigns(tx, [...new Set(recipients.map(({ campaignId }) => campaignId))])
  const campaigns = known.filter(({ status }) => status !== 'completed')
  const ends: RecipientEnd[] = []
  const revived: RecipientRow[] = []
  for (const campaign of campaigns)
    for (const recipient of recipients.filter(({ campaignId }) => campaignId === campaign.id)) {
      if (!isReviewed(recipient)) continue
      const end = await findEnd(tx, dependencies, campaign, recipient)
      if (!isRefused(recipient) && end) ends.push(end)
      if (isRefused(recipient) && !end) revived.push(recipient)
    }
  await storeEnds(tx, ends)
  const endedIds = new Set(ends.map(({ id }) => id))
  await enqueueMessageWithdrawal(
    tx,
    recipients.flatMap(({ id, status, messageId }) =>
      endedIds.has(id) && status === 'queued' && messageId ? messageId : [],
    ),
  )
  await reviveRecipients(tx, campaigns, revived)
  for (const { id } of campaigns)
    if (ends.length > 0 && !(await hasActive(tx, id))) await requestPlan(tx, id, getNow(tx))
}

const isRefused = ({ status }: RecipientRow): boolean => status === 'skipped' || status === 'failed'

const isHeldUp = ({ reason }: RecipientRow): boolean => reason !== null && joinConflicts.includes(reason.code)

/** Those who were refused for a reason that is not what the lead says stay as they are. */
const isReviewed = (recipient: RecipientRow): boolean =>
  !isRefused(recipient) || (recipient.reason !== null && isLeadReason(recipient.reason.code))

/** Null: it may go on. */
async function findEnd(
  tx: Tx,
  dependencies: EngineDependencies,
  campaign: CampaignRow,
  recipient: RecipientRow,
): Promise<RecipientEnd | null> {
  const refusal = await findRefusal(tx, dependencies, campaign, recipient)
  // An opt-out says more than the reply that it is.
  if (refusal && isFinal(refusal.code)) return toRefusedEnd(recipient, refusal)
  const decision = decideStep(toSequence(campaign.settings), recipient)
  if (decision.end) return { id: recipient.id, ...decision.end }
  if (refusal) return toRefusedEnd(recipient, refusal)
  if (recipient.reason?.code !== missingVariable) return null
  const missing = await findMissingVariable(tx, dependencies, campaign, { ...recipient, step: decision.step })
  return missing && toRefusedEnd(recipient, missing)
}

/** Why the next message still cannot be written. */
async function findMissingVariable(
  tx: Tx,
  { accounts }: EngineDependencies,
  campaign: CampaignRow,
  { id, leadId, step, reason }: RecipientRow,
): Promise<Reason | null> {
  const account = await findCampaignAccount(tx, accounts, campaign)
  if (!account) return reason
  const { settings, seed } = campaign
  const { templateId } = chooseTemplate(settings.steps[step]!, { seed, recipientId: id, step })
  const [preview] = await previewCampaignMessages(tx, accounts, {
    campaignId: campaign.id,
    accountId: account.id,
    steps: [{ leadId: leadId!, templateId, step, sendAt: getNow(tx) }],
  })
  return preview?.reason?.code === missingVariable ? preview.reason : null
}

/** Why the person may not be contacted. Null: they may, or there is no account: the plan decides when there is one. */
async function findRefusal(
  tx: Tx,
  dependencies: EngineDependencies,
  campaign: CampaignRow,
  { leadId }: RecipientRow,
): Promise<Reason | null> {
  const channel = await findChannel(tx, dependencies, campaign)
  if (!channel) return null
  const [contact] = await previewContacts(tx, channel, [{ leadId }])
  return contact instanceof Problem ? toReason(contact) : null
}
