/** Why queued messages wait until their next attempt. `waiting.ts` of messages adds what the account says. */
import type { AccountRow } from '../../accounts/service.ts'
import type { WaitReason } from '../message-types.ts'

export const budgetExhausted: WaitReason = {
  code: 'BUDGET_EXHAUSTED',
  message:
    'The account has written to as many people today as it may: see its `dailyBudget`. The message is sent when the next day begins, at once if the person writes, or if the limit is raised.',
}

/** A campaign takes its message back with this reason. */
export const campaignBudgetExhausted: WaitReason = {
  code: budgetExhausted.code,
  message:
    'The account has written to as many people today as it may: see its `dailyBudget`. The campaign plans the message again.',
}

export const resultAwaited: WaitReason = {
  code: 'RESULT_AWAITED',
  message:
    'The result of the call was lost, so the message may have been sent. The provider decides it, by a report or when the program checks.',
}

export const rateExceeded: WaitReason = {
  code: 'ACCOUNT_RATE',
  message: 'Other messages of the account come first: see its `messagesPerSecond`.',
}

/** The account may only answer people who have written lately. */
export const toRestricted = ({ statusReason }: Pick<AccountRow, 'statusReason'>): WaitReason => ({
  code: 'ACCOUNT_RESTRICTED',
  message: statusReason ?? 'The provider has restricted the account: it may only answer people.',
})
