/** The agent agrees on a page of the provider, which then redirects to the program with a code. */

import { escapeMarkup } from '../../documents/markup.ts'
import { machineNow } from '../../kit/clock/clock.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { Problem } from '../../kit/problem.ts'
import { type PublicRoute, publicRoute } from '../../kit/public-route.ts'
import type { CalendarProvider, ExternalCalendar } from '../../plugins/calendar.ts'
import type { Calendars } from './calendar-connections.ts'
import { callForRequest } from './call-provider.ts'
import { chooseExternal, finishConnecting } from './connect.ts'
import { connectionProblems, createNotConfigured, toConnectionProblem } from './problems.ts'

/** Below the base path, beside the API. The operator registers it with the provider. */
const path = '/calendar-authorization'
const validForMs = 3_600_000

interface State {
  tenantId: string
  calendarId: string
  expiresAtMs: number
}

/** The state is encrypted: nobody can connect another account to a calendar of somebody else. */
export function createAuthorizationUrl(
  calendars: Calendars,
  provider: CalendarProvider,
  calendar: Omit<State, 'expiresAtMs'>,
): string {
  const client = calendars.getClient(provider)
  if (!client) throw toConnectionProblem(createNotConfigured(provider))
  const state: State = { ...calendar, expiresAtMs: machineNow() + validForMs }
  return provider.authorization!.createUrl(
    {
      redirectUrl: toRedirectUrl(calendars, provider),
      state: calendars.cipher.encrypt(JSON.stringify(state)).toString('base64url'),
      baseUrl: calendars.getBaseUrl(provider),
    },
    client,
  )
}

const toRedirectUrl = ({ baseUrl }: Calendars, { id }: CalendarProvider) => `${baseUrl}${path}/${id}`

async function readState(calendars: Calendars, text: string): Promise<State | null> {
  try {
    const state: State = JSON.parse(await calendars.cipher.decrypt(Buffer.from(text, 'base64url')))
    return state.expiresAtMs > machineNow() ? state : null
  } catch {
    return null
  }
}

/** `token`: the provider; the resource is in the state. */
export function authorizationRoute(calendars: Calendars): PublicRoute {
  return publicRoute({
    path: `${path}/{token}`,
    kind: 'page',
    async findResource(_database, token, query) {
      const state = await readState(calendars, query.get('state') ?? '')
      return state && { ...state, provider: token, name: state.calendarId }
    },
    async get({ database, resource, query, signal, isVisit }) {
      const code = query.get('code')
      if (!isVisit) return toPage('Calendar', 'This page connects a calendar.')
      if (code === null)
        return toPage(
          'The calendar was not connected',
          'Access was refused. Close this page, and connect the calendar again.',
        )
      try {
        const name = await authorize(calendars, { database, resource, code, signal })
        return toPage(
          'The calendar is connected',
          name === null
            ? 'Choose now in the program which of your calendars it is. You can close this page.'
            : `${name} is read from now on. You can close this page.`,
        )
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return toPage('The calendar was not connected', error.message)
      }
    },
  })
}

interface Redirected {
  database: Database
  resource: State & { provider: string }
  code: string
  signal: AbortSignal
}

/** Returns the name of the calendar; null: it is to be chosen. Throws a `Problem`. */
async function authorize(
  calendars: Calendars,
  { database, resource, code, signal }: Redirected,
): Promise<string | null> {
  const { tenantId, calendarId } = resource
  const opened = await database.readTenant({ tenantId }, tx => calendars.open(tx, calendarId))
  const { provider, clockShiftMs, calendar } = opened
  if (provider.id !== resource.provider || !provider.authorization)
    throw new Problem(
      connectionProblems.at(-1)!,
      'The link belongs to another provider. Connect the calendar again.',
    )
  const redirectUrl = toRedirectUrl(calendars, provider)
  const { credentials, external } = await callForRequest(signal, async signal => {
    const context = calendars.createContext(
      { provider, tenantId, clockShiftMs, calendarId: null },
      { database, signal },
    )
    const credentials = await provider.authorization!.exchange({ code, redirectUrl }, context)
    return { credentials, external: await provider.listCalendars(credentials, context) }
  })
  const chosen = findChosen(external, calendar.externalId)
  await database.withTenant({ tenantId }, (tx: Tx) =>
    finishConnecting(tx, calendars, calendarId, { credentials, external: chosen }),
  )
  return chosen?.name ?? null
}

/** The calendar that it was before, else the only or main one. */
const findChosen = (external: ExternalCalendar[], id: string | null) =>
  external.find(calendar => calendar.id === id) ?? chooseExternal(external)

function toPage(title: string, text: string) {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(title)}</title><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(text)}</p></html>`
  return { type: 'text/html' as const, body }
}
