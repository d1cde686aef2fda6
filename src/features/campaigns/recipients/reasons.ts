/** Why recipients wait, are skipped or ended: the same words in the preview, the ledger and the conversation. */
import { type ReasonCode, reasonCodes, reasons } from '../../../domain/contactability/reasons.ts'

export interface Reason {
  code: string
  /** For users. */
  message: string
}

export const unknownLead: Reason = { code: 'UNKNOWN_LEAD', message: 'There is no lead with this id.' }

export const alreadyJoined: Reason = {
  code: 'ALREADY_JOINED',
  message: 'The lead is or was in the campaign. See `settings.reentryAfterDays`.',
}

export const inAnotherCampaign: Reason = {
  code: 'IN_ANOTHER_CAMPAIGN',
  message: 'The person is in another campaign. They go on here when it has ended for them.',
}

export const samePerson: Reason = {
  code: 'SAME_PERSON',
  message: 'Another lead of this person is in the campaign already, and a person gets its messages once.',
}

/** The reasons of people to whom a campaign writes already: they may join when it has ended for them. */
export const joinConflicts: readonly string[] = [inAnotherCampaign.code, samePerson.code]

export const beforeRestart: Reason = {
  code: 'BEFORE_RESTART_DATE',
  message: 'The listing is older than `segmentation.messageRestartDate`, so the person is not written to.',
}

export const campaignEnded: Reason = {
  code: 'CAMPAIGN_COMPLETED',
  message: 'The campaign had completed before the person could join.',
}

export const replied: Reason = { code: 'REPLIED', message: 'The person has replied.' }

export const booked: Reason = { code: 'BOOKED', message: 'The person has booked an appointment.' }

export const closed: Reason = { code: 'CLOSED', message: 'The lead was won, lost or discarded.' }

export const optedOut: Reason = { code: 'OPTED_OUT', message: reasons.OPTED_OUT.message }

export const takenOut: Reason = {
  code: 'TAKEN_OUT',
  message: 'Somebody took the person out of the campaign.',
}

export const importUndone: Reason = {
  code: 'IMPORT_UNDONE',
  message: 'The import of the file by which the person had joined was undone.',
}

export const leadDeleted: Reason = { code: 'LEAD_DELETED', message: 'The lead was deleted.' }

export const ended: Reason = { code: 'ENDED', message: 'The campaign ended before the next message.' }

export const campaignDeleted: Reason = { code: 'CAMPAIGN_DELETED', message: 'The campaign was deleted.' }

/** The code of leads without a lawful basis. */
export const noLawfulBasis = 'NO_LAWFUL_BASIS' satisfies ReasonCode

/** What is wrong with the lawful basis of a lead. */
export const basisCodes: readonly string[] = [
  noLawfulBasis,
  'BASIS_EXPIRED',
  'BASIS_NOT_PROVEN',
  'CHANNEL_NOT_COVERED',
] satisfies ReasonCode[]

/** A step that is only for people who have not replied. */
export const hasReplied: Reason = {
  code: 'HAS_REPLIED',
  message: 'The step is only for people who have not replied.',
}

/** The messages of these are planned again: nothing is wrong with the recipient. */
export const paused: Reason = { code: 'CAMPAIGN_PAUSED', message: 'The campaign was paused.' }

export const windowClosed: Reason = {
  code: 'SEND_WINDOW',
  message: 'The send window of the campaign closed before the message was sent.',
}

export const overdue: Reason = {
  code: 'OVERDUE',
  message: 'The message could not be sent in time. It is planned again, so that messages are not poured.',
}

/** The code of messages that found the budget of the day used up. */
export const budgetExhausted = 'BUDGET_EXHAUSTED'

/** What the failure of a message says of its recipient: nothing; it is planned again. */
export const isPlannedAgain = (code: string): boolean =>
  [paused.code, windowClosed.code, overdue.code, budgetExhausted, 'ACCOUNT_NOT_SENDING'].includes(code)

/** Nothing can be queued at present, to nobody. */
export const isHeld = (code: string): boolean => ['QUOTA_EXCEEDED', 'ACCOUNT_NOT_SENDING'].includes(code)

/** The code of leads that lack what the template needs. */
export const missingVariable = 'MISSING_VARIABLE'

/** Reasons of messages that never reached a provider. */
const refusals: readonly string[] = [
  ...reasonCodes,
  'NO_IDENTITY',
  'NOT_CONTACTABLE',
  missingVariable,
  'NOTICE_MISSING',
  'TEMPLATE_LANGUAGE_MISSING',
  'TEMPLATE_ARCHIVED',
  'TEMPLATE_FAILED',
  'TEXT_TOO_LONG',
  'UNSUPPORTED_MESSAGE',
  'WINDOW_CLOSED',
  'LEAD_AMBIGUOUS',
]

export const isRefusal = (code: string): boolean => refusals.includes(code)

/** Nothing that is recorded later changes these. */
export const finalCodes: readonly string[] = reasonCodes.filter(code => reasons[code].isFinal)

export const isFinal = (code: string): boolean => finalCodes.includes(code)

/** Somebody was left out, for a reason that can change. The person of `SAME_PERSON` and `TAKEN_OUT` was not. */
export const isLeftOut = (code: string): boolean =>
  !isFinal(code) &&
  ![beforeRestart.code, campaignEnded.code, leadDeleted.code, samePerson.code, takenOut.code].includes(code)

/** In words that hold for everybody: without the source of one person's opt-out. */
export const toCommonMessage = ({ code, message }: Reason): string =>
  Object.hasOwn(reasons, code) && reasons[code as ReasonCode].suppressedBy
    ? reasons[code as ReasonCode].message
    : message

/** What the data of the lead say: it may change with the lead. */
export const isLeadReason = (code: string): boolean =>
  code === closed.code ||
  code === missingVariable ||
  ((reasonCodes as readonly string[]).includes(code) && !isFinal(code))
