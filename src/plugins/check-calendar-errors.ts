/** Checks the errors of a calendar provider, on a server that refuses requests as the real one does. */
import type { CalendarError, CalendarErrorCode, CalendarProvider } from './calendar.ts'
import { type CalendarTrial, openTrial } from './check-calendar-behaviour.ts'
import { exampleEvent, findErrorProblem } from './check-calendar-calls.ts'

const retryAfterSeconds = 30

/** What the statuses mean to a read. */
const meanings: [status: number, code: CalendarErrorCode][] = [
  [404, 'NOT_FOUND'],
  [429, 'RATE_LIMITED'],
  [500, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
]

/** One sentence per problem. */
export async function checkCalendarErrors(
  provider: CalendarProvider,
  trial: CalendarTrial,
): Promise<string[]> {
  const { faults } = trial
  if (!faults) return []
  const problems: string[] = []
  const opened = openTrial(provider, trial)
  const expectError = async (what: string, code: CalendarErrorCode, call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (thrown: CalendarError) => thrown,
    )
    const problem = error ? findErrorProblem(error) : 'must fail'
    if (problem) problems.push(`${what} ${problem}`)
    else if (error?.code !== code) problems.push(`${what} must fail with ${code}, not ${error?.code}`)
    return error
  }
  const expectSuccess = async (what: string, call: Promise<unknown>) => {
    await call.catch((error: Error) => problems.push(`${what} must succeed: ${error.message}`))
  }

  await expectSuccess('`read`', opened.read(true))
  for (const [status, code] of meanings) {
    faults.refuse({ status, retryAfterSeconds })
    const error = await expectError(`\`read\` that is refused with ${status}`, code, opened.read())
    const waitMs = status === 429 || status === 503 ? retryAfterSeconds * 1000 : error?.retryAfterMs
    if (error && error.retryAfterMs !== waitMs)
      problems.push(`\`read\` that is refused with ${status} must have the wait of Retry-After`)
    if (provider.writes) {
      faults.refuse({ status: status === 404 ? 503 : status })
      const expected = status === 404 ? 'UNAVAILABLE' : code
      await expectError(`\`put\` that is refused with ${status}`, expected, opened.put(exampleEvent, null))
    }
  }
  faults.expireCursors()
  await expectError('`read` with a cursor that has expired', 'CURSOR_EXPIRED', opened.read())
  await expectSuccess('`read` after the cursor has expired', opened.read(true))
  if (provider.writes && trial.readOnlyCalendarId) {
    const put = opened.put(exampleEvent, null, trial.readOnlyCalendarId)
    await expectError('`put` to a calendar of somebody else', 'READ_ONLY', put)
  }
  if (faults.expireAccess) {
    faults.expireAccess()
    const before = opened.credentials
    await expectSuccess('`read` after the access has ended', opened.read())
    if (before === opened.credentials) problems.push('renewed credentials must be saved')
    await expectSuccess('`read` with the renewed credentials', opened.read())
  }
  faults.revoke()
  await expectError('`read` after the access was taken back', 'INVALID_CREDENTIALS', opened.read())
  await expectError(
    '`listCalendars` after the access was taken back',
    'INVALID_CREDENTIALS',
    opened.listCalendars(),
  )
  return problems
}
