/** The codes of appointments. */
import type { ErrorCodes } from './error-codes.ts'

/** `slotReason` of an error: why a time cannot be booked. */
export const slotReasons: ErrorCodes = {
  NOTICE: [
    'The time is over, or too soon for the notice that the event type requires.',
    'Choose a later slot.',
  ],
  HORIZON: ['The time is later than the event type can be booked.', 'Choose an earlier slot.'],
  CLOSED: ['The day is a public holiday, or has no hours.', 'Choose another day.'],
  OUTSIDE_HOURS: [
    'The time is outside of the hours of the event type or of the agent.',
    'Choose another slot.',
  ],
  NOT_A_SLOT_START: ['No slot begins at this time.', 'Choose the beginning of a slot.'],
  NO_AGENDA: ['No agent goes to the place of the appointment.', 'Add its postcode to the areas of a member.'],
  DAILY_LIMIT: ['The agent has as many appointments on that day as they take.', 'Choose another day.'],
  TRAVEL: ['The way from or to another appointment takes too long.', 'Choose another slot.'],
  BUSY: ['Somebody has booked or holds the time, or the agent is busy.', 'Choose another slot.'],
  JOIN_OPEN_SLOT: [
    'A group viewing at nearly the same time has free seats.',
    'Choose one of `nearestSlots`.',
  ],
  NO_SEATS: ['The group viewing is full.', 'Choose another slot.'],
}

/** What is wrong with an answer to a question of the event type. */
export const answerErrors: ErrorCodes = {
  UNKNOWN_QUESTION: ['The event type has no such question.', 'Send answers to its `config.questions` only.'],
}

/** `reason` of a notice that was not sent. */
export const noticeReasons: ErrorCodes = {
  SUPERSEDED: ['The appointment changed before the notice was sent.', 'Nothing: another notice says so.'],
  CANCELLED: [
    'The appointment was cancelled before the notice was sent.',
    'Nothing: another notice says so.',
  ],
  MESSAGE_DELETED: [
    'The message was deleted since then, with the data of the person or after its retention period.',
    'Nothing: nobody knows any more if it was sent.',
  ],
  TOO_LATE: ['The notice could not be sent before the appointment.', 'Tell the visitor by other means.'],
  NO_ADDRESS: [
    'The visitor left no e-mail address or phone number, or the agent is no longer a user.',
    'Add one to the visitor of the appointment.',
  ],
  NO_EMAIL_ACCOUNT: [
    'No e-mail account is connected, or several are and none is chosen.',
    'Connect one with `POST /accounts`, or choose one in `config.notices.emailAccountId`.',
  ],
  NO_CHAT_ACCOUNT: [
    'No chat account is connected, or several are and none is chosen.',
    'Connect one with `POST /accounts`, or choose one in `config.notices.chatAccountId`.',
  ],
}
