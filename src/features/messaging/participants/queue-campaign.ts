/** Queues the messages of campaigns: many at once, by the rules of `queueMessage`. */
import { recordLockAcquired } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { invalidInputs, Problem } from '../../../kit/problem.ts'
import { createQuotaExceeded, reserveUpTo } from '../../../kit/quota.ts'
import { attempt, mapAccepted, type Result, selectAccepted } from '../../../kit/results.ts'
import { shareLeads } from '../../../kit/writer.ts'
import { assertAccount, type ChatAccounts } from '../../accounts/service.ts'
import { getAccountProvider } from '../account-provider.ts'
import { findConversations, lockConversations } from '../conversations/queries.ts'
import { findIdentitiesOfLeads } from '../lead-identities.ts'
import type { MessageFailure } from '../message-types.ts'
import { checkPeople } from '../messages/check-people.ts'
import type { Sender } from '../messages/prepare-content.ts'
import {
  type OpenRequest,
  type PreparedMessage,
  prepareMessages,
  type TargetConversation,
} from '../messages/prepare-messages.ts'
import { insertQueued } from '../messages/queue-message.ts'
import { messagesPerMonth } from '../quotas.ts'
import { type PlannedConversation, planConversations, storeConversations } from './conversations-of-leads.ts'
import { createNoIdentity, unknownLead } from './open-conversation.ts'

export interface CampaignStep {
  leadId: string
  templateId: string
  /** The step in the campaign, from 0. */
  step: number
  /** It is not sent before. */
  sendAt: Date
}

/** Why a person gets no message. */
export type StepRefusal = Pick<MessageFailure, 'code' | 'message'>

export type StepResult = { messageId: string; reason: null } | { messageId: null; reason: StepRefusal }

interface CampaignSteps {
  campaignId: string
  accountId: string
  steps: readonly CampaignStep[]
}

/**
 * Queues a template to each lead, in a conversation of the account, which is created if there is none. One that is refused
 * keeps no other from being queued, and gets no conversation. Returns the results in their order. Call it with at most a
 * hundred, and last: it locks the quota, for which other transactions of the tenant wait.
 */
export async function queueCampaignMessages(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  { campaignId, accountId, steps }: CampaignSteps,
): Promise<StepResult[]> {
  if (steps.length === 0) return []
  await shareLeads(tx)
  const sender = await findSender(tx, accounts, accountId)
  if (sender instanceof Problem) return steps.map(() => toStepResult(sender))
  const opened = await openAll(tx, sender, steps)
  const prepared = await mapAccepted(opened, each => prepareAll(tx, sender, { campaignId, opened: each }))
  await lockConversations(
    tx,
    selectAccepted(prepared).map(({ request }) => request.conversationId),
  )
  recordLockAcquired(tx)
  const checked = await mapAccepted(prepared, each => checkPeople(tx, sender.provider, each))
  const granted = await mapAccepted(checked, each => reserveQuota(tx, each))
  const queued = selectAccepted(granted)
  const planned = new Map(selectAccepted(opened).map(each => [each.step, each.planned]))
  await storeConversations(
    tx,
    accountId,
    queued.map(({ request }) => planned.get((request as CampaignRequest).step)!),
  )
  const inserted = queued.length === 0 ? [] : await insertQueued(tx, sender, queued)
  return (await mapAccepted(granted, () => inserted)).map(toStepResult)
}

export interface StepPreview {
  /** What the message would say, without the privacy notice; null: it has no text, or is refused. */
  text: string | null
  reason: StepRefusal | null
}

/**
 * Returns what `queueCampaignMessages` would queue or refuse, in the order of the steps, and changes nothing. The quota is not
 * looked at.
 */
export async function previewCampaignMessages(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  { campaignId, accountId, steps }: CampaignSteps,
): Promise<StepPreview[]> {
  if (steps.length === 0) return []
  const sender = await findSender(tx, accounts, accountId)
  if (sender instanceof Problem) return steps.map(() => ({ text: null, reason: toRefusal(sender) }))
  const opened = await openAll(tx, sender, steps)
  const prepared = await mapAccepted(opened, each => prepareAll(tx, sender, { campaignId, opened: each }))
  const checked = await mapAccepted(prepared, each => checkPeople(tx, sender.provider, each))
  return checked.map(result =>
    result instanceof Problem
      ? { text: null, reason: toRefusal(result) }
      : { text: result.content.text, reason: null },
  )
}

async function findSender(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  accountId: string,
): Promise<Result<Sender>> {
  const account = await assertAccount(tx, accountId)
  return attempt(() => ({ account, provider: getAccountProvider(accounts, account) }))
}

interface OpenedStep {
  step: CampaignStep
  planned: PlannedConversation
  own: TargetConversation
}

/** Finds the conversations, or what they will be. */
async function openAll(
  tx: Tx,
  { account, provider }: Sender,
  steps: readonly CampaignStep[],
): Promise<Result<OpenedStep>[]> {
  const kinds = provider.capabilities.identities
  const leadIds = [...new Set(steps.map(({ leadId }) => leadId))]
  const identities = await findIdentitiesOfLeads(tx, leadIds, kinds)
  const known = steps.filter(({ leadId }) => identities.has(leadId))
  const planned = await planConversations(
    tx,
    account.id,
    known.map(({ leadId }) => ({ leadId, identities: identities.get(leadId)! })),
  )
  const plans = new Map(known.map((step, index) => [step, planned[index]!]))
  const existing = planned.flatMap(plan => (plan && !plan.isNew ? plan.id : []))
  const rows = new Map((await findConversations(tx, existing)).map(row => [row.id, row]))
  return steps.map(step =>
    attempt(() => {
      const plan = plans.get(step)
      if (plan === undefined) throw invalidInputs([unknownLead])
      if (plan === null) throw createNoIdentity(provider)
      return { step, planned: plan, own: toTarget(plan, rows.get(plan.id)) }
    }),
  )
}

/** The conversation as it will be. `row`: as it is. */
function toTarget(
  { id, leadId, identities }: PlannedConversation,
  row: TargetConversation = {
    id,
    leadId,
    identities: [],
    lastInboundAt: null,
    unreadCount: 0,
    assignedUserId: null,
  },
): TargetConversation {
  const isKnown = (identity: (typeof identities)[number]) =>
    row.identities.some(({ kind, value }) => kind === identity.kind && value === identity.value)
  const added = identities.filter(identity => !isKnown(identity))
  return {
    ...row,
    leadId,
    identities: [...added.map(identity => ({ ...identity, lastInboundAt: null })), ...row.identities],
  }
}

type CampaignRequest = OpenRequest & { step: CampaignStep }

function prepareAll(
  tx: Tx,
  sender: Sender,
  { campaignId, opened }: { campaignId: string; opened: OpenedStep[] },
): Promise<Result<PreparedMessage>[]> {
  const requests = opened.map(({ step, own }): CampaignRequest => {
    const { leadId, templateId, sendAt } = step
    return {
      conversationId: own.id,
      own,
      leadId,
      input: { kind: 'template', templateId, variables: {}, language: null, header: null },
      author: null,
      campaignId,
      campaignStep: step.step,
      sendAt,
      step,
    }
  })
  return prepareMessages(tx, sender, requests)
}

/** The last ones get nothing if the quota is too small for all. */
async function reserveQuota(tx: Tx, messages: PreparedMessage[]): Promise<Result<PreparedMessage>[]> {
  if (messages.length === 0) return []
  const granted = await reserveUpTo(tx, messagesPerMonth, messages.length)
  if (granted === messages.length) return messages
  const exceeded = await createQuotaExceeded(tx, messagesPerMonth)
  return messages.map((message, index) => (index < granted ? message : exceeded))
}

const toStepResult = (result: Result<{ id: string }>): StepResult =>
  result instanceof Problem
    ? { messageId: null, reason: toRefusal(result) }
    : { messageId: result.id, reason: null }

/** The reason in privacy, such as `OPTED_OUT`, says more than the code of the problem. */
const toRefusal = ({ code, message, details, errors }: Problem): StepRefusal => ({
  code: String(details.reason ?? errors?.[0]?.code ?? code),
  message: errors?.[0]?.message ?? message,
})
