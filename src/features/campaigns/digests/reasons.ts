/** Why a digest is not sent to somebody. */

import type { Refusal } from '../campaigns/email-account.ts'

export const unsubscribed: Refusal = {
  code: 'UNSUBSCRIBED',
  message:
    'The person has ended these e-mails with the link in one of them. Only they can subscribe again, there.',
}
export const optedOut: Refusal = {
  code: 'OPTED_OUT',
  message: 'The address is on the suppression list. Remove it from settings.notifications.emails.',
}
export const nothingLeft: Refusal = {
  code: 'NOTHING_LEFT',
  message: 'The leads that it would have named were deleted.',
}
