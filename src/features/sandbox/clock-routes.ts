/** The clock of the test environment. */
import { addDays, getNow } from '../../kit/clock/clock.ts'
import { advanceClock, type ScheduledTask } from '../../kit/clock/scheduled-tasks.ts'
import { invalidInput, Problem, type ProblemType } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { strictObject, time } from '../../kit/schema.ts'
import { assertTest, testOnly } from './test-only.ts'

const Clock = strictObject({ now: time('The time of the environment.') })
const clockExample = { now: '2026-12-24T09:00:00.000Z' }

/** Further than this no clock is moved at once. */
const daysMax = 800
const timeoutMs = 55_000
/** A request that is sent again may be for a time that has just passed. */
const retryWindowMs = 600_000

const notSettled: ProblemType = {
  code: 'NOT_SETTLED',
  status: 503,
  example:
    'The clock stands at 2026-12-03T10:00:00.000Z: what is due then is not done yet. It goes on by itself; send the request again to go on.',
}

/** `tasks`: what waits for time. */
export const clockRoutes = (tasks: ScheduledTask[]): Route[] => [
  route({
    method: 'GET',
    path: '/sandbox/clock',
    operation: 'getSandboxClock',
    tag: 'Sandbox',
    summary: 'Retrieve the time of the test environment',
    scope: 'any',
    status: 200,
    reply: Clock,
    replyExample: clockExample,
    errors: [testOnly],
    async handle({ caller, tx }) {
      assertTest(caller)
      return { now: getNow(tx).toISOString() }
    },
  }),
  route({
    method: 'POST',
    path: '/sandbox/clock',
    operation: 'moveSandboxClock',
    tag: 'Sandbox',
    summary: 'Move the clock of the test environment forward',
    description: `Whatever waits for time happens as if the time had passed, in order: retries of webhooks, retention, expiries. The reply comes when all of it is done. The clock then goes on at its usual pace. It never goes back, and moves by at most ${daysMax} days at once. Signatures of webhooks, the lifetime of API keys and rate limits keep the real time. If receivers are slow or many attempts are due, the reply may be 503 \`NOT_SETTLED\`: send the request again to go on.`,
    scope: 'any',
    body: Clock,
    example: clockExample,
    status: 200,
    reply: Clock,
    replyExample: clockExample,
    errors: [testOnly, notSettled],
    isOutgoing: true,
    async prepare({ body, caller, database, signal }) {
      assertTest(caller)
      const to = new Date(body.now)
      const now = await database.readTenant(caller, async tx => getNow(tx))
      if (now.getTime() - to.getTime() > retryWindowMs)
        throw invalidInput(
          '/now',
          'NOT_ALLOWED',
          `must not be earlier than the clock, which says ${now.toISOString()}`,
        )
      if (to > addDays(now, daysMax))
        throw invalidInput(
          '/now',
          'NOT_ALLOWED',
          `must be within ${daysMax} days of the clock, which says ${now.toISOString()}`,
        )
      const move = { tenantId: caller.tenantId, to, timeoutMs, signal }
      const { now: reached, isSettled } = await advanceClock(database, tasks, move)
      if (isSettled) return
      const message = `The clock stands at ${reached.toISOString()}: what is due then is not done yet. It goes on by itself; send the request again to go on.`
      throw new Problem(notSettled, message, { headers: { 'Retry-After': '1' } })
    },
    handle: async ({ tx }) => ({ now: getNow(tx).toISOString() }),
  }),
]
