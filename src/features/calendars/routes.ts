/** Calendars over HTTP. */
import type { Tx } from '../../kit/db/index.ts'
import { createPager, pageQuery, pageSchema, slicePage } from '../../kit/page.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { createAuthorizationUrl } from './authorization.ts'
import type { Calendars } from './calendar-connections.ts'
import {
  changeCalendar,
  checkNewCalendar,
  listExternal,
  storeCalendar,
  verifyChanges,
  verifyNew,
} from './connect.ts'
import { disconnectCalendar } from './disconnect.ts'
import { calendarExample, providerExample } from './examples.ts'
import { calendarNotReady, connectionProblems, tooManyCalendars } from './problems.ts'
import * as queries from './queries.ts'
import { readAndRecord } from './reads/jobs.ts'
import { readCalendarReply, toCalendar, toProviderInfo } from './reply.ts'
import {
  Calendar,
  CalendarChanges,
  CalendarFilter,
  CalendarProviderInfo,
  ExternalCalendarInfo,
  NewCalendar,
} from './schemas.ts'

const tag = 'Calendars'
const params = strictObject({ id: id('The calendar.') })

export const calendarRoutes = (calendars: Calendars): Route[] => [
  providersRoute(calendars),
  createRoute(calendars),
  listRoute,
  getRoute,
  updateRoute(calendars),
  deleteRoute(calendars),
  externalRoute(calendars),
  readRoute(calendars),
  authorizeRoute(calendars),
]

const providersRoute = (calendars: Calendars): Route =>
  route({
    method: 'GET',
    path: '/scheduling/calendar-providers',
    operation: 'listCalendarProviders',
    tag,
    summary: 'List the calendar providers, with what a calendar of each requires and can do',
    scope: 'scheduling:read',
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(CalendarProviderInfo),
    replyExample: { data: [providerExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller }) {
      const pager = createPager('calendar-providers', caller.tenantId, query)
      const { page, last } = slicePage(calendars.list(), pager, query.limit, ({ id }) => id)
      const infos = page.map(provider => toProviderInfo(provider, calendars))
      return pager.reply({ json: JSON.stringify(infos), last })
    },
  })

const createRoute = (calendars: Calendars): Route =>
  route({
    method: 'POST',
    path: '/scheduling/calendars',
    operation: 'createCalendar',
    tag,
    summary: 'Connect a calendar of an agent to an agenda',
    description:
      'The credentials are verified with the provider. If the agent has to agree on a page of the provider, the status is `AUTHORIZING`: open `authorizationUrl`. If the credentials give access to several calendars, the main one is chosen.',
    scope: 'scheduling:write',
    body: NewCalendar,
    example: {
      agendaId: calendarExample.agendaId,
      provider: 'ical_feed',
      credentials: { url: 'https://calendar.example/ana/private-5f3a/basic.ics' },
    },
    status: 201,
    reply: Calendar,
    replyExample: calendarExample,
    errors: [tooManyCalendars, ...connectionProblems],
    check: ({ body }) => checkNewCalendar(calendars, body),
    isOutgoing: true,
    async prepare({ body, caller, database, signal }) {
      await database.readTenant(caller, tx => assertAgenda(tx, body.agendaId))
      return verifyNew(body, { calendars, caller, database, signal })
    },
    async handle({ body, caller, tx, prepared }) {
      const calendarId = await storeCalendar(tx, calendars, body, prepared)
      const { tenantId } = caller
      const provider = calendars.getProvider(body.provider, caller.environment)!
      const url = prepared ? null : createAuthorizationUrl(calendars, provider, { tenantId, calendarId })
      return readCalendarReply(tx, calendarId, url)
    },
  })

async function assertAgenda(tx: Tx, agendaId: string): Promise<void> {
  if (!(await queries.hasAgenda(tx, agendaId))) throw notFound('agenda')
}

const listRoute: Route = route({
  method: 'GET',
  path: '/scheduling/calendars',
  operation: 'listCalendars',
  tag,
  summary: 'List calendars, newest first',
  scope: 'scheduling:read',
  query: CalendarFilter,
  status: 200,
  reply: pageSchema(Calendar),
  replyExample: { data: [calendarExample], nextCursor: null },
  errors: ['INVALID_CURSOR'],
  async handle({ query, caller, tx }) {
    const list = createPager('calendars', caller.tenantId, query)
    const rows = await queries.listCalendars(tx, query, list.after)
    const page = rows.slice(0, query.limit)
    return list.reply({
      json: JSON.stringify(page.map(row => ({ ...toCalendar(tx, row), authorizationUrl: null }))),
      last: rows.length > page.length ? [page.at(-1)!.id] : null,
    })
  },
})

const getRoute: Route = route({
  method: 'GET',
  path: '/scheduling/calendars/{id}',
  operation: 'getCalendar',
  tag,
  summary: 'Retrieve a calendar, with its health',
  scope: 'scheduling:read',
  params,
  status: 200,
  reply: Calendar,
  replyExample: calendarExample,
  handle: ({ params, tx }) => readCalendarReply(tx, params.id),
})

const updateRoute = (calendars: Calendars): Route =>
  route({
    method: 'PATCH',
    path: '/scheduling/calendars/{id}',
    operation: 'updateCalendar',
    tag,
    summary: 'Rename a calendar, choose another one, or replace its credentials',
    description:
      'Omitted fields keep their value. New credentials are verified, and replace all old ones. With `receives: true`, the appointments to come are written.',
    scope: 'scheduling:write',
    params,
    body: CalendarChanges,
    example: { blocks: false },
    status: 200,
    reply: Calendar,
    replyExample: { ...calendarExample, blocks: false },
    errors: [calendarNotReady, ...connectionProblems],
    isOutgoing: true,
    prepare: ({ params, body, caller, database, signal }) =>
      verifyChanges(params.id, body, { calendars, caller, database, signal }),
    async handle({ params, body, tx, prepared }) {
      await changeCalendar(tx, calendars, { id: params.id, body, verified: prepared })
      return readCalendarReply(tx, params.id)
    },
  })

const deleteRoute = (calendars: Calendars): Route =>
  route({
    method: 'DELETE',
    path: '/scheduling/calendars/{id}',
    operation: 'deleteCalendar',
    tag,
    summary: 'Disconnect a calendar',
    description:
      'Its credentials and busy times are erased. Appointments that were written to it stay there, without those that were cancelled: if such an event is still to be deleted, the credentials are kept until it is, for an hour at most.',
    scope: 'scheduling:write',
    params,
    status: 204,
    reply: Type.Null(),
    async handle({ params, tx }) {
      const { calendar } = await calendars.open(tx, params.id)
      await disconnectCalendar(tx, calendar)
      return null
    },
  })

const externalRoute = (calendars: Calendars): Route =>
  route({
    method: 'GET',
    path: '/scheduling/calendars/{id}/external',
    operation: 'listExternalCalendars',
    tag,
    summary: 'List the calendars that the credentials give access to',
    description: 'Choose one with `PATCH /scheduling/calendars/{id}` and its `externalId`.',
    scope: 'scheduling:write',
    params,
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(ExternalCalendarInfo),
    replyExample: {
      data: [{ id: 'feed', name: 'Ana', isPrimary: true, isWritable: false, timezone: 'Europe/Madrid' }],
      nextCursor: null,
    },
    errors: ['INVALID_CURSOR', calendarNotReady, ...connectionProblems],
    isOutgoing: true,
    async prepare({ params, query, caller, database, signal }) {
      const pager = createPager(`external-calendars ${params.id}`, caller.tenantId, query)
      const opened = await database.readTenant(caller, tx => calendars.open(tx, params.id))
      return { pager, all: await listExternal(opened, { calendars, database, signal }) }
    },
    async handle({ query, prepared: { pager, all } }) {
      const { page, last } = slicePage(all, pager, query.limit, ({ id }) => id)
      return pager.reply({ json: JSON.stringify(page), last })
    },
  })

const readRoute = (calendars: Calendars): Route =>
  route({
    method: 'POST',
    path: '/scheduling/calendars/{id}/read',
    operation: 'readCalendar',
    tag,
    summary: 'Read a calendar now',
    description:
      'The reply has the new `status`, also if the calendar could not be read. Calendars are also read by themselves, see `readIntervalMin` of the provider.',
    scope: 'scheduling:write',
    params,
    status: 200,
    reply: Calendar,
    replyExample: calendarExample,
    errors: [calendarNotReady],
    isOutgoing: true,
    async prepare({ params, caller, database, signal }) {
      const { calendar } = await database.readTenant(caller, tx => calendars.open(tx, params.id))
      if (calendar.status === 'AUTHORIZING' || calendar.externalId === null)
        throw new Problem(calendarNotReady, calendarNotReady.example)
      await readAndRecord(calendars, params.id, { database, tenantId: caller.tenantId, signal })
    },
    handle: ({ params, tx }) => readCalendarReply(tx, params.id),
  })

const authorizeRoute = (calendars: Calendars): Route =>
  route({
    method: 'POST',
    path: '/scheduling/calendars/{id}/authorize',
    operation: 'authorizeCalendar',
    tag,
    summary: 'Create a link with which the agent agrees again',
    description:
      'For providers that authorize on a page, when the status is `AUTHORIZING` or `EXPIRED`. `authorizationUrl` is null if the provider needs no page: send new credentials with `PATCH`.',
    scope: 'scheduling:write',
    params,
    status: 200,
    reply: Calendar,
    replyExample: {
      ...calendarExample,
      provider: 'google',
      status: 'EXPIRED',
      statusReason: 'Google gives no access to the calendar. Correct the credentials, or authorize it again.',
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=…',
    },
    errors: connectionProblems,
    async handle({ params, caller, tx }) {
      const { provider } = await calendars.open(tx, params.id)
      if (!provider.authorization) return readCalendarReply(tx, params.id)
      const { tenantId } = caller
      const url = createAuthorizationUrl(calendars, provider, { tenantId, calendarId: params.id })
      return readCalendarReply(tx, params.id, url)
    },
  })
