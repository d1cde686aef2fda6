/** Checks a calendar provider against the contract (`calendar.ts`), and lists all its problems. */
import type { CalendarProvider } from './calendar.ts'
import { type CalendarTrial, checkCalendarBehaviour } from './check-calendar-behaviour.ts'
import { checkCalendarCalls } from './check-calendar-calls.ts'
import { checkCalendarErrors } from './check-calendar-errors.ts'
import { checkCredentials, isBaseUrl } from './check-credentials.ts'
import { isCount, isFunction, isText, listBrokenRules, type Rule } from './rules.ts'

const factRules: Rule<CalendarProvider>[] = [
  [
    '`id` must be lower-case letters, digits and _',
    ({ id }) => isText(id) && /^[a-z][a-z0-9_]{0,49}$/.test(id),
  ],
  ['`label` must be a string that is not empty', ({ label }) => isText(label)],
  [
    '`baseUrl` must be null, or an http or https URL without a trailing slash, a query and credentials',
    ({ baseUrl }) => baseUrl === null || isBaseUrl(baseUrl),
  ],
  [
    '`readIntervalMin` must be a whole number from 1 to 1440',
    ({ readIntervalMin }) => isCount(readIntervalMin) && readIntervalMin <= 1440,
  ],
  [
    '`listCalendars` and `read` must be functions',
    ({ listCalendars, read }) => isFunction(listCalendars) && isFunction(read),
  ],
  [
    '`writes` must be missing, or have functions `put`, `find` and `remove`',
    ({ writes }) => !writes || [writes.put, writes.find, writes.remove].every(isFunction),
  ],
  [
    '`authorization` must be missing, or have functions `createUrl` and `exchange`; then `baseUrl` is not null',
    ({ authorization, baseUrl }) =>
      !authorization ||
      (isFunction(authorization.createUrl) && isFunction(authorization.exchange) && baseUrl !== null),
  ],
]

/**
 * One sentence per problem, with the names of the contract. Empty if the provider is valid. Calls it with hostile servers
 * on loopback, which takes seconds. `trial`: a server with a calendar that a person uses, on which the provider is tried.
 * A provider whose facts are wrong is not called.
 */
export async function checkCalendar(
  provider: CalendarProvider,
  { trial }: { trial?: CalendarTrial } = {},
): Promise<string[]> {
  if (typeof provider !== 'object' || provider === null) return ['the provider must be an object']
  const problems = [...listBrokenRules(factRules, provider), ...checkCredentials(provider.credentials)]
  if (problems.length > 0) return problems
  return [
    ...(await checkCalendarCalls(provider)),
    ...(trial ? await checkCalendarBehaviour(provider, trial) : []),
    ...(trial ? await checkCalendarErrors(provider, trial) : []),
  ]
}
