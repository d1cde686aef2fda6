/** The HTTP routes of the test environment's clock. */
import { addDays, getNow } from '../../kit/clock/clock.ts'
import { advanceClock, type ScheduledTask } from '../../kit/clock/scheduled-tasks.ts'
import { invalidInput } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { strictObject, time } from '../../kit/schema.ts'
import { assertTest, testOnly } from '../../kit/test-only.ts'
import { createNotSettled, notSettled } from './not-settled.ts'

const Clock = strictObject({ now: time('The time of the environment.') })
const clockExample = { now: '2026-12-24T09:00:00.000Z' }

/** The most days that one request moves the clock. */
const daysMax = 800
const timeoutMs = 55_000
/** A repeated request may name a time that is in the past by now. */
const retryWindowMs = 600_000

/** `tasks`: the time-dependent work that runs when the clock is moved. */
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
    description: `Runs everything that is due until then, in order: queued messages, webhook retries, retention, expiries. The reply comes when all of it is done; after that the clock runs at its usual pace. It never goes back, and moves by at most ${daysMax} days per request. Webhook signatures, the lifetime of API keys and rate limits use the real time. If receivers are slow or many attempts are due, the reply may be 503 \`NOT_SETTLED\`: send the request again to continue.`,
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
          `must not be earlier than the time of the clock, ${now.toISOString()}`,
        )
      if (to > addDays(now, daysMax))
        throw invalidInput(
          '/now',
          'NOT_ALLOWED',
          `must be at most ${daysMax} days after the time of the clock, ${now.toISOString()}`,
        )
      const move = { tenantId: caller.tenantId, to, timeoutMs, signal }
      const { now: reached, isSettled } = await advanceClock(database, tasks, move)
      if (isSettled) return
      const message = `The clock has reached ${reached.toISOString()}; the work due then is not done yet and continues in the background. Send the request again to move on.`
      throw createNotSettled(message)
    },
    handle: async ({ tx }) => ({ now: getNow(tx).toISOString() }),
  }),
]
