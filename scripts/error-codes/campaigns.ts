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

/** `reason.code` of a recipient whose sequence has ended. */
export const sequenceEnds: ErrorCodes = {
  BOOKED: ['The person has booked an appointment.', 'Nothing: the sequence has reached its aim.'],
  CLOSED: ['The lead is won, lost or discarded.', 'Nothing, or change the status of the lead.'],
  REPLIED: ['The person has replied.', 'Answer in the inbox.'],
}
