/** The replies of calendar servers as errors of the contract, each with a sentence for people. */
import { HttpFailure, type HttpReply, parseRetryAfterMs } from '../../kit/http/client.ts'
import { truncate } from '../../kit/json-values.ts'
import { CalendarError, type CalendarErrorCode, triedAgain } from '../calendar.ts'

const reasonMax = 300

/** `label`: the name of the provider. */
const sentences: Record<CalendarErrorCode, (label: string) => string> = {
  INVALID_CREDENTIALS: label =>
    `${label} gives no access to the calendar. Correct the credentials, or authorize it again.`,
  FORBIDDEN_HOST: () => 'The address is inside a private network. Use the public address of the server.',
  NOT_FOUND: label => `The calendar does not exist at ${label}. Check its address, or choose another one.`,
  NOT_A_CALENDAR: label => `${label} has no calendars at this address. Check the address.`,
  TOO_LARGE: label => `The calendar at ${label} has too many events. Connect one that has fewer.`,
  READ_ONLY: label => `${label} does not let this program write to the calendar. Choose one that you own.`,
  CONFLICT: label => `The event was changed at ${label} meanwhile. It is read again before it is written.`,
  CURSOR_EXPIRED: label => `${label} no longer knows what was read last. The calendar is read anew.`,
  RATE_LIMITED: label => `${label} accepts no more requests at the moment. ${triedAgain}`,
  UNAVAILABLE: label => `${label} does not answer at the moment. ${triedAgain}`,
  REJECTED: label => `${label} does not accept the request. Check the calendar there.`,
  NOT_CONFIGURED: label =>
    `This installation is not registered with ${label}. Its operator sets the client in CALENDAR_CLIENTS.`,
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `says`: the reason in the words of the provider. */
export function fail(
  code: CalendarErrorCode,
  label: string,
  { says = '', ...options }: { says?: string; retryAfterMs?: number; cause?: unknown } = {},
): CalendarError {
  const reason = truncate(says.replace(/\s+/g, ' ').trim(), reasonMax)
  const suffix = reason ? ` ${capitalize(label)} says: ${reason.replace(/[.?!]?$/, '.')}` : ''
  return new CalendarError(code, `${capitalize(sentences[code](label))}${suffix}`, options)
}

const codes: Record<number, CalendarErrorCode> = {
  401: 'INVALID_CREDENTIALS',
  403: 'READ_ONLY',
  404: 'NOT_FOUND',
  408: 'UNAVAILABLE',
  410: 'CURSOR_EXPIRED',
  412: 'CONFLICT',
  413: 'TOO_LARGE',
  423: 'UNAVAILABLE',
  425: 'UNAVAILABLE',
  429: 'RATE_LIMITED',
}

/** The error of a reply without a result. `code`: what the provider means by it, if the status does not say it. */
export function toReplyError(
  label: string,
  reply: HttpReply,
  { code, says = '' }: { code?: CalendarErrorCode | undefined; says?: string } = {},
): CalendarError {
  const { status } = reply
  const meant = code ?? codes[status] ?? (status >= 400 && status < 500 ? 'REJECTED' : 'UNAVAILABLE')
  const isWaiting = meant === 'RATE_LIMITED' || meant === 'UNAVAILABLE'
  return fail(meant, label, {
    says: meant === 'REJECTED' ? says : '',
    retryAfterMs: isWaiting ? parseRetryAfterMs(reply) : 0,
  })
}

/** The error of a request without a reply; a reason to stop stays what it is. */
export function toCallError(label: string, error: unknown): unknown {
  if (!(error instanceof HttpFailure)) return error
  const code =
    error.kind === 'address-refused'
      ? 'FORBIDDEN_HOST'
      : error.kind === 'too-large'
        ? 'TOO_LARGE'
        : 'UNAVAILABLE'
  return fail(code, label, { cause: error })
}
