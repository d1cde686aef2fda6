/** Converts failures of providers and refusals of this program to the failure of a message. */
import type { Problem } from '../../../kit/problem.ts'
import type { ChatFailure } from '../../../plugins/chat.ts'
import type { MessageFailure } from '../message-types.ts'

const sentenceMax = 1000

/** Null: the provider gave no reason. */
export function toMessageFailure(failure: ChatFailure | null): MessageFailure {
  if (!failure)
    return {
      code: 'MESSAGE_REJECTED',
      providerCode: null,
      message: 'The provider did not deliver the message and gave no reason.',
      retryable: false,
      isWithdrawn: false,
    }
  const { code, providerCode, message, retryable } = failure
  return { code, providerCode, message: message.slice(0, sentenceMax), retryable, isWithdrawn: false }
}

/** The failure of the last attempt to send a message. */
export function toLastFailure(failure: ChatFailure | null, attempts: number): MessageFailure {
  const last = toMessageFailure(failure)
  if (!last.retryable) return last
  return {
    ...last,
    message: `${last.message} It was tried ${attempts === 1 ? 'once' : `${attempts} times`}: send it again if it still matters.`,
  }
}

/** A refusal before the message reached the provider. */
export const toRefusal = (code: string, message: string, retryable = false): MessageFailure => ({
  code,
  providerCode: null,
  message,
  retryable,
  isWithdrawn: false,
})

/** The failure of a message that is withdrawn before it is sent. */
export const toWithdrawal = ({
  code,
  message,
}: Pick<MessageFailure, 'code' | 'message'>): MessageFailure => ({
  ...toRefusal(code, message),
  isWithdrawn: true,
})

/** The failure of a message that waited for too long. */
export const expired = toRefusal(
  'EXPIRED',
  'The message could not be sent in time. Send it again if it still matters.',
  true,
)

export const withdrawn = toWithdrawal({
  code: 'WITHDRAWN',
  message: 'Somebody withdrew the message before it was sent.',
})

/** The failure of a message whose status is `unknown`. `reason`: why its result was lost. */
export const toUnknown = (reason: string): MessageFailure =>
  toRefusal(
    'RESULT_UNKNOWN',
    `The message may have been sent, because its result was lost: ${reason.replace(/\.$/, '').slice(0, sentenceMax / 2)}. Look in the provider's own program if it shows the conversation, or ask the person, and send it again if it did not arrive.`,
  )

/** `details.reason` of a problem is the reason in privacy, such as `OPTED_OUT`. */
export const fromProblem = ({ code, message, details }: Problem): MessageFailure =>
  toRefusal(String(details.reason ?? code), message)
