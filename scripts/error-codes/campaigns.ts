/** The codes of campaigns. */
import type { ErrorCodes } from './error-codes.ts'

/** `wait.code` of a campaign: why messages that are due wait. */
export const campaignWaits: ErrorCodes = {
  WINDOW: [
    'The send window is closed.',
    'Wait until it opens, or change `settings.sendWindow` of the campaign.',
  ],
  PACE: [
    'The messages are sent one after the other.',
    'Wait, or raise `settings.throttlePerMinute` of the campaign.',
  ],
  DAILY_START_LIMIT: [
    'As many people as allowed have got their first message today.',
    'Wait for the next day, or raise `settings.dailyLeadLimit` of the campaign.',
  ],
  DAILY_BUDGET: [
    'The account has written to as many people as it may today.',
    'Wait for the next day, or raise the `dailyBudget` of the account.',
  ],
  NO_WINDOW: [
    'The send window does not open within a year.',
    'Change the days and holidays of `settings.sendWindow`.',
  ],
  ENDED: ['The campaign ends before the messages may be sent.', 'Choose a later `settings.schedule.endAt`.'],
}

/** `wait.code` of a campaign: why it does nothing though no messages are due. */
export const campaignIdle: ErrorCodes = {
  NOT_BEGUN: [
    'The campaign begins later.',
    'Wait, or change `settings.schedule.startAt` or `segmentation.messageRestartDate`.',
  ],
  NO_RECIPIENTS: ['The campaign has no recipients yet.', 'Send rows or leads to its recipients.'],
}

/** `pauseReason.code` of a campaign: why the program paused it. */
export const pauseReasons: ErrorCodes = {
  ACCOUNT_NOT_CONNECTED: [
    'The account that sends is no longer connected. As `missing[].code`: it is not connected.',
    'Connect it again, then resume the campaign.',
  ],
  HIGH_FAILURE_RATE: [
    'Too many messages failed.',
    'See the failures of its recipients, correct them, then resume it.',
  ],
  HIGH_OPT_OUT_RATE: [
    'Too many recipients opted out.',
    'Write to fewer people, or something else, then resume it.',
  ],
  HIGH_BLOCK_RATE: [
    'Too many recipients block the account.',
    'Write to fewer people, or something else, then resume it.',
  ],
}

/** `missing[].code` of 422 CAMPAIGN_NOT_READY, besides the codes of invalid filters. */
export const campaignGaps: ErrorCodes = {
  BATCH_SIZE_MISSING: ['A `csv_import` has no `segmentation.batchSize`.', 'Set it, 1 to 25.'],
  FILTERS_MISSING: ['The search has no filters.', 'Set `segmentation.filters`.'],
  WIDGET_NOT_CONFIGURED: [
    'The form of a campaign of the platform `widget` was never configured.',
    'Send `PUT /campaigns/{id}/widget`.',
  ],
  CONTACT_MODE_MISSING: ['It is not chosen how messages are sent.', 'Set `contactMode`.'],
  STEPS_MISSING: ['The sequence has no step.', 'Add a step to `settings.steps`.'],
  NO_ACCOUNT: ['No account of the contact mode is connected.', 'Connect one with `POST /accounts`.'],
  SEVERAL_ACCOUNTS: ['Several accounts of the contact mode are connected.', 'Choose one: set `accountId`.'],
  TEMPLATE_NOT_APPROVED: [
    'The provider of the account has not approved the template.',
    'Submit it with `POST /templates/{id}/submit`, and wait for the approval.',
  ],
  NEEDS_VALUES: [
    'The template has variables that no lead fills, without a fallback.',
    'Give them a fallback, or choose another template.',
  ],
  END_DATE_PASSED: ['The end of the campaign has passed.', 'Choose a later `settings.schedule.endAt`.'],
  WINDOW_NEVER_OPENS: [
    'The send window does not open within a year, or before the end of the campaign.',
    'Change `settings.sendWindow`.',
  ],
}

/** `reason.code` of a recipient whose sequence has ended. */
export const sequenceEnds: ErrorCodes = {
  ALREADY_JOINED: [
    'The lead is or was in the campaign.',
    'Nothing, or set `settings.reentryAfterDays` of the campaign.',
  ],
  IN_ANOTHER_CAMPAIGN: ['Another campaign writes to the person.', 'Retry when it has ended for them.'],
  BOOKED: ['The person has booked an appointment.', 'Nothing: the sequence has reached its aim.'],
  CLOSED: ['The lead is won, lost or discarded.', 'Nothing, or change the status of the lead.'],
  REPLIED: ['The person has replied.', 'Answer in the inbox.'],
}
