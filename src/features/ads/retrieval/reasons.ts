/** Why a submitted form waits, was skipped or failed. */
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import { type AdError, type AdErrorCode, triedAgain } from '../../../plugins/ads.ts'
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

const codes: Record<AdErrorCode, string> = {
  INVALID_CREDENTIALS: 'AD_INVALID_CREDENTIALS',
  PERMISSION_MISSING: 'AD_PERMISSION_MISSING',
  NOT_FOUND: 'AD_NOT_FOUND',
  RATE_LIMITED: 'AD_RATE_LIMITED',
  UNAVAILABLE: 'AD_UNAVAILABLE',
  REJECTED: 'AD_REJECTED',
}

/** `isLast`: it is not tried again. */
export const toReason = ({ code, message }: AdError, isLast: boolean): Reason => ({
  code: codes[code],
  message: sanitizeText(
    isLast ? message.replace(triedAgain, 'It was tried often and is given up.') : message,
  ),
})
