/** Decides what becomes of due messages: sent, failed, or deferred. */
import { isRecentAnswer } from '../../../domain/messaging/reply-window.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { ChatProvider } from '../../../plugins/chat.ts'
import {
  isAllowed,
  type LocalDay,
  type OpenAccount,
  readLocalDay,
  reserveBudget,
} from '../../accounts/service.ts'
import type { CampaignDecision } from '../hooks.ts'
import { getWindowStart } from '../identities.ts'
import type { FileRow } from '../media/queries.ts'
import type { MessageFailure, WaitReason } from '../message-types.ts'
import { findCounted } from '../messages/budget-days.ts'
import type { StatusChange } from '../messages/change-status.ts'
import type { Report } from '../messages/message-progress.ts'
import type { OutgoingRow } from '../messages/outgoing-rows.ts'
import { toUnknown, toWithdrawal } from '../messages/to-failure.ts'
import { readCampaignDecisions } from './campaign-decisions.ts'
import { findNoticedTexts, type Permission, readPermissions } from './check-message.ts'
import type { ClaimedMessage } from './claimed-message.ts'
import type { DueMessage } from './due-messages.ts'
import { budgetExhausted, campaignBudgetExhausted, resultAwaited, toRestricted } from './wait-reasons.ts'

/** After this time, a message whose result was lost is `unknown`. */
export const undecidedMs = 15 * 60_000

export interface DueCandidate {
  message: DueMessage
  file: FileRow | null
}

export interface NewClaim extends DueCandidate {
  task: ClaimedMessage['task']
  claimedAt: Date
  reservedDay: string | null
  /** The text with the privacy notice; null: it stays as it is. */
  noticedText: string | null
}

export interface Decisions {
  claims: NewClaim[]
  deferred: Deferral[]
  changes: StatusChange[]
}

interface Deferral {
  message: DueMessage
  nextAttemptAt: Date
  waitReason: WaitReason
  /** By its campaign, until then. */
  deferredUntil?: Date
}

type Outcome = Partial<Decisions>

export async function decideDue(tx: Tx, candidates: DueCandidate[], opened: OpenAccount): Promise<Decisions> {
  const { provider } = opened
  const permissions = await readPermissions(
    tx,
    candidates.map(({ message }) => message),
    provider,
  )
  const decisions = await readCampaignDecisions(
    tx,
    candidates.map(({ message }) => message).filter(({ id }) => permissions.get(id)!.failure === null),
  )
  const allowed = candidates.map(candidate => ({ ...candidate, ...permissions.get(candidate.message.id)! }))
  const checked = allowed.map(each => withCampaign(each, decisions.get(each.message.id)))
  const isNew = ({ message }: DueCandidate) => message.claimedAt === null
  const permitted = checked.flatMap(each =>
    isNew(each) && each.failure === null && !each.deferral ? each : [],
  )
  const texts = await findNoticedTexts(
    tx,
    permitted.filter(({ needsNotice }) => needsNotice),
    provider,
  )
  const fitting = permitted.filter(({ message }) => !texts.get(message.id)?.failure)
  return mergeOutcomes([
    ...checked.filter(each => !isNew(each)).map(each => recover(tx, each, provider)),
    ...checked.filter(isNew).map(({ message, failure, deferral }) => {
      if (failure) return fail(tx, message, failure)
      return deferral ? defer(message, deferral) : {}
    }),
    ...permitted.map(({ message }) => {
      const failure = texts.get(message.id)?.failure
      return failure ? fail(tx, message, failure) : {}
    }),
    await reserveDays(
      tx,
      fitting.map(({ message, file }) => ({
        message,
        file,
        noticedText: texts.get(message.id)?.text ?? null,
      })),
      opened,
    ),
  ])
}

type Checked = DueCandidate & Permission & { deferral?: CampaignDecision & { kind: 'defer' } }

/** Adds what the campaign of the message says. */
function withCampaign(checked: DueCandidate & Permission, decision?: CampaignDecision): Checked {
  if (decision?.kind === 'withdraw') return { ...checked, failure: toWithdrawal(decision.failure) }
  return decision?.kind === 'defer' ? { ...checked, deferral: decision } : checked
}

const mergeOutcomes = (outcomes: Outcome[]): Decisions => ({
  claims: outcomes.flatMap(({ claims = [] }) => claims),
  deferred: outcomes.flatMap(({ deferred = [] }) => deferred),
  changes: outcomes.flatMap(({ changes = [] }) => changes),
})

const fail = (tx: Tx, message: DueMessage, failure: MessageFailure): Outcome => ({
  changes: [toFailed(tx, message, failure)],
})

const toFailed = (tx: Tx, message: DueMessage, failure: MessageFailure): StatusChange => ({
  message,
  report: { status: 'failed', at: getNow(tx), providerMessageId: null, failure },
})

const defer = (
  message: DueMessage,
  { until, waitReason }: CampaignDecision & { kind: 'defer' },
): Outcome => ({
  deferred: [{ message, nextAttemptAt: until, waitReason, deferredUntil: until }],
})

/**
 * A process died while it sent the message. If the provider recognizes a repeated message, it is sent again as it was,
 * with the notice or without; otherwise the provider says if it has it, or its callback decides. After a quarter of an
 * hour a person has to decide.
 */
function recover(
  tx: Tx,
  { message, file, failure, deferral }: Checked,
  { capabilities, reconcile }: ChatProvider,
): Outcome {
  const { reservedDay } = message
  const claim = { message, file, reservedDay, noticedText: null }
  if (capabilities.idempotent && failure === null && !deferral)
    return { claims: [{ ...claim, task: 'send', claimedAt: getNow(tx) }] }
  if (reconcile) return { claims: [{ ...claim, task: 'reconcile', claimedAt: message.claimedAt! }] }
  const nextAttemptAt = findDecisionTime(tx, message)
  if (nextAttemptAt) return { deferred: [{ message, nextAttemptAt, waitReason: resultAwaited }] }
  return { changes: [{ message, report: reportLost(tx) }] }
}

export const reportLost = (tx: Tx): Report => ({
  status: 'unknown',
  at: getNow(tx),
  providerMessageId: null,
  failure: toUnknown('the process that sent it ended, or the connection broke'),
})

/**
 * When a claimed message becomes `unknown`, if the provider's callback does not decide it before; null: now. `checkAfterMs`:
 * the program checks before with the provider.
 */
export function findDecisionTime(
  tx: Tx,
  { claimedAt }: Pick<OutgoingRow, 'claimedAt'>,
  checkAfterMs = undecidedMs,
): Date | null {
  const now = getNow(tx).getTime()
  const decidedAt = (claimedAt?.getTime() ?? now) + undecidedMs
  return decidedAt > now ? new Date(Math.min(decidedAt, now + checkAfterMs)) : null
}

type PermittedCandidate = DueCandidate & Pick<NewClaim, 'noticedText'>

/**
 * Reserves the budget of messages that answer nobody. What it is too small for waits for the next day, and so do all of them
 * while the account may only answer. A campaign takes its message back: it knows its other limits, and says that it waits.
 */
async function reserveDays(
  tx: Tx,
  candidates: PermittedCandidate[],
  { account, provider }: OpenAccount,
): Promise<Outcome> {
  const isRestricted = !isAllowed(account, false)
  const needing = candidates.filter(
    ({ message }) =>
      (message.reservedDay === null || isRestricted) && !isAnswer(message, provider, getNow(tx)),
  )
  if (needing.length === 0) return { claims: candidates.map(candidate => toClaim(tx, candidate)) }
  const today = await readLocalDay(tx)
  const allowed = isRestricted ? new Set<string>() : await reserveToday(tx, account, { needing, today })
  const needsDay = new Set(needing)
  const isWaiting = (candidate: PermittedCandidate) =>
    needsDay.has(candidate) && !allowed.has(candidate.message.conversationId)
  const isTakenBack = ({ message: { campaignId, sendAt } }: PermittedCandidate) =>
    !isRestricted && campaignId !== null && sendAt !== null
  const waiting = candidates.filter(isWaiting)
  return {
    claims: candidates
      .filter(candidate => !isWaiting(candidate))
      .map(candidate => ({
        ...toClaim(tx, candidate),
        ...(needsDay.has(candidate) ? { reservedDay: today.day } : {}),
      })),
    changes: waiting
      .filter(isTakenBack)
      .map(({ message }) => toFailed(tx, message, toWithdrawal(campaignBudgetExhausted))),
    deferred: waiting
      .filter(candidate => !isTakenBack(candidate))
      .map(({ message }) => ({
        // By this, `hastenNext` and `hastenAccount` know it.
        message: { ...message, attempts: 0 },
        nextAttemptAt: today.endsAt,
        waitReason: isRestricted ? toRestricted(account) : budgetExhausted,
      })),
  }
}

const toClaim = (tx: Tx, candidate: PermittedCandidate): NewClaim => ({
  ...candidate,
  task: 'send',
  claimedAt: getNow(tx),
  reservedDay: candidate.message.reservedDay,
})

/** Returns the conversations that today's budget counts already, and those for which it has been reserved. */
async function reserveToday(
  tx: Tx,
  account: OpenAccount['account'],
  { needing, today }: { needing: DueCandidate[]; today: LocalDay },
): Promise<Set<string>> {
  const ids = [...new Set(needing.map(({ message }) => message.conversationId))]
  const counted = await findCounted(tx, ids, today.day)
  const others = ids.filter(id => !counted.has(id))
  const granted = others.length > 0 ? await reserveBudget(tx, account, { count: others.length, today }) : 0
  return new Set([...counted, ...others.slice(0, granted)])
}

/** True if the person has written lately with the identity to which the message goes: then it needs no budget. */
export const isAnswer = (
  { nature, identities }: Pick<DueMessage, 'nature' | 'identities'>,
  { capabilities }: ChatProvider,
  now: Date,
): boolean =>
  nature === 'opt_out_confirmation' ||
  isRecentAnswer(getWindowStart(identities, capabilities.identities), capabilities.replyWindowHours, now)
