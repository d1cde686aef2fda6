/** Queues the messages that are planned: a batch in one transaction, in which a recipient that is refused does not stop the others. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { queueCampaignMessages } from '../../messaging/service.ts'
import { findCampaignAccount } from '../campaigns/account.ts'
import { findCampaign } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { isHeld } from '../recipients/reasons.ts'
import { requestPlan } from '../request-plan.ts'
import { type ChosenTemplate, chooseTemplate } from './choose-template.ts'
import { decideStep, toSequence } from './decide-step.ts'
import type { EngineDependencies } from './dependencies.ts'
import { queueBatch } from './enqueue.ts'
import {
  holdBack,
  lockPlanned,
  releasePlanned,
  type StepSend,
  storeQueued,
  storeSends,
} from './queue-queries.ts'
import type { RecipientRow } from './recipient-rows.ts'
import { findChannel, preferOptOuts, type RecipientEnding, toRefusedEnd } from './refusals.ts'
import { type RecipientEnd, storeEnds } from './store-ends.ts'

/** A message of a campaign with a throttle whose time is so long past is planned again: what was held up is spread. */
const lateMaxMs = 60_000

/** The quota was used up, or the account stopped, after the plan: the next plan knows it. */
const heldMs = 60_000

/** Returns true if more may be planned. */
export async function queuePlanned(
  tx: Tx,
  dependencies: EngineDependencies,
  campaignId: string,
): Promise<boolean> {
  const { accounts } = dependencies
  // Before the recipients, as a change of a lead does: see insert-message.ts for the order of locks.
  await shareLeads(tx)
  const campaign = await findCampaign(tx, campaignId)
  if (campaign?.status !== 'running') return false
  const planned = await lockPlanned(tx, campaignId, queueBatch)
  if (planned.length === 0) return false
  const account = await findCampaignAccount(tx, accounts, campaign)
  const { due, ended, again } = sortOut(campaign, planned, getNow(tx))
  const ends = await preferOptOuts(tx, () => findChannel(tx, dependencies, campaign), ended)
  const sends = account ? due : []
  const released = account ? again : [...again, ...due.map(({ recipient }) => recipient)]
  const results = account
    ? await queueCampaignMessages(tx, accounts, {
        campaignId,
        accountId: account.id,
        steps: sends.map(({ recipient, templateId }) => ({
          leadId: recipient.leadId!,
          templateId,
          step: recipient.step,
          sendAt: recipient.plannedAt!,
        })),
      })
    : []
  const answered = sends.map((send, index) => ({ ...send, ...results[index]! }))
  const held = answered.filter(({ reason }) => reason !== null && isHeld(reason.code))
  const refused = await storeResults(
    tx,
    answered.filter(each => !held.includes(each)),
    ends,
  )
  released.push(...held.map(({ recipient }) => recipient))
  await releasePlanned(
    tx,
    released.map(({ id }) => id),
  )
  if (held.length > 0) await holdBack(tx, campaignId, new Date(getNow(tx).getTime() + heldMs))
  // What was left out gives its place to others, or was the last one.
  if (released.length + refused > 0) await requestPlan(tx, campaignId, getNow(tx))
  return planned.length === queueBatch
}

interface DueSend extends ChosenTemplate {
  recipient: RecipientRow
}

/** `again`: their step is planned again. */
function sortOut(campaign: CampaignRow, planned: RecipientRow[], now: Date) {
  const { settings, seed } = campaign
  const sequence = toSequence(settings)
  const due: DueSend[] = []
  const ended: RecipientEnding[] = []
  const again: RecipientRow[] = []
  for (const recipient of planned) {
    const decision = decideStep(sequence, recipient)
    const isLate = now.getTime() - recipient.plannedAt!.getTime() > lateMaxMs
    if (decision.end) ended.push({ recipient, end: decision.end })
    else if (decision.step !== recipient.step || (isLate && settings.throttlePerMinute !== null))
      again.push(recipient)
    else
      due.push({
        recipient,
        ...chooseTemplate(settings.steps[recipient.step]!, {
          seed,
          recipientId: recipient.id,
          step: recipient.step,
        }),
      })
  }
  return { due, ended, again }
}

/** Returns how many have ended. */
async function storeResults(
  tx: Tx,
  sends: (DueSend & Pick<StepSend, 'messageId' | 'reason'>)[],
  ends: RecipientEnd[],
): Promise<number> {
  await storeSends(tx, sends)
  await storeQueued(
    tx,
    sends.flatMap(({ recipient: { id }, messageId }) => (messageId ? { id, messageId } : [])),
  )
  const refused = sends.flatMap(({ recipient, reason }) => (reason ? toRefusedEnd(recipient, reason) : []))
  await storeEnds(tx, [...ends, ...refused])
  return ends.length + refused.length
}
