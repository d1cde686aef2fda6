/** The meaning of a provider's error code. */
import type { ChatFailure, ChatFailureCode } from '../../chat.ts'

export interface KnownError {
  code: ChatFailureCode
  scope: ChatFailure['scope']
  /** The message was certainly not sent, and the same message may succeed later. */
  retryable: boolean
  /** The wait before another attempt, if the reply names none. */
  waitMs: number
  /** What happened and what to do, for people. */
  message: string
  /** The provider's own explanation says more, such as which parameter is wrong. */
  hasDetails: boolean
  /** The reply does not prove that the message was not sent. */
  isUncertain: boolean
}

type Options = Partial<Pick<KnownError, 'retryable' | 'waitMs' | 'hasDetails' | 'isUncertain'>>

export const define =
  (scope: ChatFailure['scope']) =>
  (code: ChatFailureCode, message: string, options: Options = {}): KnownError => ({
    code,
    scope,
    message,
    retryable: false,
    waitMs: 0,
    hasDetails: false,
    isUncertain: false,
    ...options,
  })
