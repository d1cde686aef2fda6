/** Calls a provider within a timeout. */
import { CalendarError, triedAgain } from '../../plugins/calendar.ts'
import { toConnectionProblem } from './problems.ts'

/** Throws CalendarError, also if the provider does not answer in time; the reason of the signal. */
export async function callWithin<T>(
  signal: AbortSignal,
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await call(AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (error instanceof CalendarError || !timeout.aborted || signal.aborted) throw error
    const message = `The calendar did not answer within ${timeoutMs / 1000} s. ${triedAgain}`
    throw new CalendarError('UNAVAILABLE', message, { cause: error })
  }
}

const answerTimeoutMs = 30_000

/** For people who wait: a refusal becomes a `Problem`. */
export const callForRequest = <T>(
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  callWithin(signal, answerTimeoutMs, call).catch((error: unknown) => {
    throw error instanceof CalendarError ? toConnectionProblem(error) : error
  })
