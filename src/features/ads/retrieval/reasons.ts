/** Why a submitted form waits, was skipped or failed. */
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { type AdError, triedAgain } from '../../../plugins/ads.ts'
import type { Reason } from '../schemas.ts'

export const testLead: Reason = {
  code: 'TEST_LEAD',
  message: 'The network made it up to test the connection. It works.',
}

export const personErased: Reason = {
  code: 'PERSON_ERASED',
  message: 'The person was erased on request and is not stored again.',
}

export const quotaExceeded: Reason = {
  code: 'QUOTA_EXCEEDED',
  message: `The leads of this month are used up. ${triedAgain}`,
}

/** `isLast`: it is not tried again. */
export const toReason = ({ code, message }: AdError, isLast: boolean): Reason => ({
  code: `AD_${code}`,
  message: sanitizeText(
    isLast ? message.replace(triedAgain, 'It was tried often and is given up.') : message,
  ),
})
