/** The error codes of calendars. */
import { Problem, type ProblemType } from '../../kit/problem.ts'
import {
  CalendarError,
  type CalendarErrorCode,
  type CalendarProvider,
  triedAgain,
} from '../../plugins/calendar.ts'

export const calendarsMax = { all: 1000, ofAgenda: 20 }

export const tooManyCalendars: ProblemType = {
  code: 'TOO_MANY_CALENDARS',
  status: 422,
  meaning: 'The agenda, or the environment, has as many calendars as it may.',
  action: 'Delete a calendar that is no longer used.',
  example: `The agenda has ${calendarsMax.ofAgenda} calendars already, the maximum. Delete one that is no longer used.`,
}

export const calendarNotReady: ProblemType = {
  code: 'CALENDAR_NOT_READY',
  status: 409,
  meaning:
    'The calendar cannot be read or written yet: the agent has not agreed, or it is not chosen which calendar it is.',
  action:
    'Open `authorizationUrl`, or choose a calendar: `GET …/external`, then `PATCH` with its `externalId`.',
  example: 'No calendar is chosen. Send the externalId of one of GET /scheduling/calendars/{id}/external.',
}

const refusal = (
  code:
    | Exclude<CalendarErrorCode, 'CONFLICT' | 'CURSOR_EXPIRED' | 'RATE_LIMITED' | 'UNAVAILABLE' | 'REJECTED'>
    | 'CALENDAR_UNAVAILABLE'
    | 'CALENDAR_REFUSED',
  meaning: string,
  action: string,
  example: string,
): ProblemType => ({ code, status: 422, meaning, action, example })

/** All codes with which a refusal of a provider is reported. */
export const connectionProblems: ProblemType[] = [
  refusal(
    'INVALID_CREDENTIALS',
    'The provider does not accept the credentials.',
    'Correct them, or authorize the calendar again.',
    'The feed gives no access to the calendar. Correct the credentials, or authorize it again.',
  ),
  refusal(
    'FORBIDDEN_HOST',
    'A host in the credentials is unknown or inside a private network.',
    'Enter a host that can be reached on the internet. The operator may allow private networks with `ALLOWED_PRIVATE_RANGES`.',
    'The address is inside a private network. Use the public address of the server.',
  ),
  refusal(
    'NOT_A_CALENDAR',
    'The address answers with something else, such as a web page.',
    'Enter the address of the feed or of the calendar server.',
    'The address shows a web page, not a calendar. Copy the address of the iCalendar feed, which often ends in .ics.',
  ),
  refusal(
    'TOO_LARGE',
    'The calendar is too large, or its events repeat too often.',
    'Remove old events from it, or choose another calendar.',
    'The calendar has more than 10 MB. Remove old events from it, or choose another calendar.',
  ),
  refusal(
    'READ_ONLY',
    'The provider does not let the program write to the calendar.',
    'Choose another calendar, or send `receives: false`.',
    'iCalendar feed cannot be written. Send receives: false, or choose another provider.',
  ),
  refusal(
    'NOT_CONFIGURED',
    'The operator has not registered the deployment with the provider.',
    'Ask the operator to set `CALENDAR_CLIENTS`, or choose another provider.',
    'This installation is not registered with Google. Its operator sets the client in CALENDAR_CLIENTS.',
  ),
  refusal(
    'CALENDAR_UNAVAILABLE',
    'The provider did not answer, or failed.',
    'Try again later.',
    'The feed does not answer at the moment. Try again later.',
  ),
  refusal(
    'CALENDAR_REFUSED',
    'The provider refused the calendar for another reason.',
    'See the message.',
    'The calendar does not exist at the feed. Check its address, or choose another one.',
  ),
]

const codes: Partial<Record<CalendarErrorCode, string>> = {
  RATE_LIMITED: 'CALENDAR_UNAVAILABLE',
  UNAVAILABLE: 'CALENDAR_UNAVAILABLE',
  CURSOR_EXPIRED: 'CALENDAR_UNAVAILABLE',
}

/** The reply for a failed call of the provider: our code, and the provider's reason as a sentence. Only the caller can try again. */
export function toConnectionProblem({ code, message, retryAfterMs }: CalendarError): Problem {
  const wanted = codes[code] ?? code
  const type = connectionProblems.find(({ code }) => code === wanted) ?? connectionProblems.at(-1)!
  const headers = retryAfterMs > 0 ? { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } : {}
  return new Problem(type, message.replace(triedAgain, 'Try again later.'), { headers })
}

export const createNotConfigured = ({ label }: CalendarProvider): CalendarError =>
  new CalendarError(
    'NOT_CONFIGURED',
    `This installation is not registered with ${label}. Its operator sets the client in CALENDAR_CLIENTS.`,
  )
