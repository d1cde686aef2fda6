/** The codes of chat messages. */
import type { ErrorCodes } from './error-codes.ts'

/** `failure.code` of a message, and what a provider refuses. */
export const chatFailures: ErrorCodes = {
  ACCOUNT_LIMIT: [
    'The account has reached a limit of the provider.',
    'Nothing: it sends again when the provider allows it.',
  ],
  RECIPIENT_UNREACHABLE: ['The person cannot be reached on this channel.', 'Use another channel.'],
  RECIPIENT_BLOCKED: ['The person has blocked the account.', 'Do not write to them again.'],
  RECIPIENT_OPTED_OUT: [
    'The person has refused such messages with the provider.',
    'Do not write to them again.',
  ],
  RECIPIENT_LIMIT: [
    'The person has received too many messages lately, by the rules of the provider.',
    'Wait a day.',
  ],
  WINDOW_CLOSED: [
    'The person has not written for too long: only an approved template may be sent.',
    'Send a template.',
  ],
  TEMPLATE_NOT_FOUND: [
    'The provider does not have the template in this language.',
    'Submit it for approval.',
  ],
  TEMPLATE_PAUSED: ['The provider has paused or disabled the template.', 'Use another one.'],
  TEMPLATE_MISMATCH: ['The values do not fit the approved template.', 'Synchronize the templates.'],
  MEDIA_REJECTED: ['The provider does not accept the file.', 'Send another format or a smaller file.'],
  MESSAGE_REJECTED: ['The provider refuses the message.', 'See the message of the failure.'],
  UNSUPPORTED: ['The provider cannot send this kind of message.', 'See `capabilities` of the account.'],
  WITHDRAWN: ['Somebody withdrew the message before it was sent.', 'Nothing, or send it again.'],
  TASK_SKIPPED: ['Somebody decided not to send the message by hand.', 'Nothing, or send it again.'],
  EXPIRED: [
    'The message could not be sent in time: a text within 24 hours, a template within 72.',
    'Send it again if it still matters.',
  ],
  RESULT_UNKNOWN: [
    'The result of the call was lost: the message may have been sent.',
    "Look in the provider's own program if it shows the conversation, or ask the person. Send it again if it did not arrive.",
  ],
  MESSAGE_ERASED: [
    'The message mentioned a person who was erased before it was sent.',
    'Write it again without them.',
  ],
  TASK_EXPIRED: ['Nobody sent the message by hand in time.', 'Send it again if it still matters.'],
  PAYMENT_REQUIRED: ['The account has no valid means of payment.', 'Add one with the provider.'],
}

/** `waiting.code` of a queued message. */
export const chatWaits: ErrorCodes = {
  BUDGET_EXHAUSTED: [
    'The account has written to as many people today as it may.',
    'Wait for the next day, or raise `dailyLimit`. A campaign takes its message back, and plans it again.',
  ],
  ACCOUNT_RATE: ['Other messages of the account come first.', 'Nothing, or raise `messagesPerSecond`.'],
  ACCOUNT_PAUSED: ['Somebody has paused the account.', 'End the pause, or withdraw the message.'],
  SCHEDULED: ['A campaign sends the message at this time.', 'Nothing, or withdraw it.'],
  EARLIER_MESSAGE: [
    'An earlier message of the conversation comes first.',
    'See its `waiting`. Withdraw it if it must not delay this one.',
  ],
  RESULT_AWAITED: [
    'The result of the call was lost, and the program waits for what the provider says.',
    'Nothing: the message is `unknown` after 15 minutes at most.',
  ],
  TASK_OPEN: ['A person of the agency sends the message by hand.', 'See `GET /messaging/tasks`.'],
}
