/** The feed of an agenda: whoever has its link can subscribe to the appointments in a calendar program. */
import { createHash } from 'node:crypto'
import { writeCalendar } from '../../../domain/icalendar/write-calendar.ts'
import { addDays, getNow, subtractDays } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { toWeakETag } from '../../../kit/etag.ts'
import { notFound } from '../../../kit/problem.ts'
import { type PublicRoute, publicRoute } from '../../../kit/public-route.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { findAppointments } from '../../scheduling/service.ts'
import {
  findShared,
  findShares,
  revokeShares,
  type ShareDependencies,
  shareObject,
  toShare,
} from '../../shares/service.ts'
import { toAgentEvent } from '../appointment-event.ts'
import { listEventTypeNames } from '../writes/queries.ts'
import { findAgenda, listAppointmentIds } from './queries.ts'

const kind = 'agenda_feed'
const collection = 'agendas'
const fileName = 'agenda.ics'
const tag = 'Calendars'
const params = strictObject({ id: id('The agenda.') })

/** Programs read a feed as a whole: the last weeks, and what is booked. */
const pastDays = 30
const futureDays = 400
const eventsMax = 2000
const refreshMin = 15

const Feed = strictObject(
  {
    url: Type.String({
      description:
        'The address of the feed. Whoever has it can read the appointments. Calendar programs also take it with `webcal:`.',
    }),
  },
  { title: 'AgendaFeed' },
)

export const feedRoutes = (dependencies: ShareDependencies): Route[] => [
  route({
    method: 'POST',
    path: '/scheduling/agendas/{id}/feed',
    operation: 'createAgendaFeed',
    tag,
    summary: 'Create the link of a calendar feed of an agenda',
    description: 'If there is a link, it stays the same. To get another one, revoke it first.',
    scope: 'scheduling:write',
    params,
    status: 201,
    reply: Feed,
    replyExample: { url: 'https://aldaba.example/share/agendas/Qm1X…/agenda.ics' },
    async handle({ params, tx }) {
      await lockAgenda(tx, params.id)
      await shareObject(tx, dependencies.cipher, { kind, objectId: params.id }, {})
      const shares = await findShares(tx, kind, [params.id])
      const baseUrl = `${dependencies.baseUrl}/share/${collection}`
      const share = await toShare(shares.get(params.id), { cipher: dependencies.cipher, baseUrl })
      return { url: `${share!.url}/${fileName}` }
    },
  }),
  route({
    method: 'DELETE',
    path: '/scheduling/agendas/{id}/feed',
    operation: 'revokeAgendaFeed',
    tag,
    summary: 'Revoke the link of the calendar feed of an agenda',
    description: 'The link stops working at once. If there is no link, nothing happens.',
    scope: 'scheduling:write',
    params,
    status: 204,
    reply: Type.Null(),
    async handle({ params, tx }) {
      await lockAgenda(tx, params.id)
      await revokeShares(tx, kind, [params.id])
      return null
    },
  }),
]

async function lockAgenda(tx: Tx, agendaId: string): Promise<void> {
  if (!(await findAgenda(tx, agendaId, { locks: true }))) throw notFound('agenda')
}

export const agendaFeed: PublicRoute = publicRoute({
  path: `/share/${collection}/{token}/${fileName}`,
  kind: 'file',
  findResource: findShared(kind),
  async get({ database, resource: { tenantId, objectId } }) {
    const text = await database.readTenant({ tenantId }, tx => writeFeed(tx, objectId))
    if (text === null) return null
    const etag = toWeakETag(createHash('sha256').update(text).digest('base64url'))
    return { type: 'text/calendar; charset=utf-8', bytes: Buffer.from(text), etag }
  },
})

async function writeFeed(tx: Tx, agendaId: string): Promise<string | null> {
  const agenda = await findAgenda(tx, agendaId)
  if (!agenda) return null
  const now = getNow(tx)
  const range = { from: subtractDays(now, pastDays), to: addDays(now, futureDays), limit: eventsMax }
  const appointments = await findAppointments(tx, await listAppointmentIds(tx, agendaId, range))
  const names = await listEventTypeNames(
    tx,
    appointments.map(({ eventTypeId }) => eventTypeId),
  )
  const events = appointments
    .toSorted((a, b) => a.start.getTime() - b.start.getTime() || (a.id < b.id ? -1 : 1))
    .map(appointment => toAgentEvent(appointment, names.get(appointment.eventTypeId) ?? '', agenda.timezone))
    .map(({ isTentative, ...event }) => ({
      ...event,
      status: isTentative ? ('TENTATIVE' as const) : ('CONFIRMED' as const),
      organizer: null,
      attendees: [],
      alarmsMin: [],
    }))
  return writeCalendar(events, { method: 'PUBLISH', now: null, feed: { name: agenda.name, refreshMin } })
}
