/** The public pages of an appointment: see, reschedule, cancel, and the iCalendar file. Its link authorizes them. */
import type { Database, Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { formBody } from '../../../kit/public-body.ts'
import {
  type PublicPage,
  type PublicReplies,
  type PublicRoute,
  publicRoute,
} from '../../../kit/public-route.ts'
import { readLogoFile } from '../../identity/service.ts'
import { findShared, type SharedResource } from '../../shares/service.ts'
import { cancelAppointment } from '../appointments/cancel.ts'
import {
  type AppointmentDependencies,
  appointmentObjectKind,
  type LinkDependencies,
} from '../appointments/links.ts'
import { readPlace, rescheduleAppointment } from '../appointments/reschedule.ts'
import { findPageUrl } from '../event-types/page-share.ts'
import type { NoticeDependencies } from '../notices/dependencies.ts'
import { writeVisitorFile } from '../notices/visitor-file.ts'
import type { TravelDependencies } from '../travel/travel-times.ts'
import { reasonName, toAppointmentPage, toCancelPage, toMovePage } from './appointment-html.ts'
import { toCalendarPage } from './booking-html.ts'
import { toStart } from './calendar-html.ts'
import { renderChange } from './change-notice.ts'
import { findMovePageDrives } from './find-drives.ts'
import { parseStart, readMonth, toSlot } from './month.ts'
import { type OpenAppointment, openAppointment, toInterval } from './open-appointment.ts'
import { type Refusal, toRefusal } from './refusal.ts'
import { toQuery } from './visit.ts'

const path = '/appointment/{token}'
const limits = { address: 120 }
const formBytesMax = 20_000
const reasonMax = 1000
const findResource = findShared(appointmentObjectKind, id => `appointment ${id}`)

interface Request {
  resource: SharedResource
  query: URLSearchParams
  headers: Parameters<typeof openAppointment>[2]['headers']
}

/** `depth`: how many folders the page is below that of the appointment. */
const open = (tx: Tx, { resource: { objectId, token }, query, headers }: Request, depth: 0 | 1) =>
  openAppointment(tx, objectId, {
    query,
    headers,
    logoPath: depth === 0 ? `${token}/logo` : `../${token}/logo`,
  })

async function showAppointment(
  tx: Tx,
  opened: OpenAppointment,
  { resource: { token }, query }: Request,
  { dependencies, depth }: { dependencies: LinkDependencies; depth: 0 | 1 },
): Promise<PublicPage> {
  const { appointment, eventType, context, status, canChange, feedback } = opened
  const pageToken = (await findPageUrl(tx, eventType, dependencies))?.split('/').at(-1)
  const own = depth === 0 ? token : `../${token}`
  return toAppointmentPage(context, {
    status,
    slot: toInterval(appointment),
    canChange,
    feedback,
    isMoved: query.get('done') === 'moved',
    videoUrl: appointment.location.url,
    instructions: appointment.location.instructions,
    cancelReason: appointment.cancelReason,
    paths: {
      feedback: `${own}/feedback`,
      reschedule: `${own}/reschedule`,
      cancel: `${own}/cancel`,
      ics: `${own}/invite.ics`,
      again: pageToken ? `${depth === 0 ? '..' : '../..'}/book/${pageToken}` : null,
    },
  })
}

const openChange = (database: Database, request: Request) =>
  database.readTenant(request.resource, tx => open(tx, request, 1))

/** Shows what changes the appointment; if it can't be changed any more, its page, which says what it is now. */
const showChange = (
  database: Database,
  request: Request,
  dependencies: LinkDependencies,
  show: (tx: Tx, opened: OpenAppointment) => PublicPage | Promise<PublicPage>,
) =>
  database.readTenant(request.resource, async tx => {
    const opened = await open(tx, request, 1)
    if (!opened) return null
    return opened.canChange
      ? show(tx, opened)
      : showAppointment(tx, opened, request, { dependencies, depth: 1 })
  })

export const appointmentPageRoutes = (
  dependencies: NoticeDependencies & TravelDependencies,
): PublicRoute[] => [
  publicRoute<SharedResource, 'page'>({
    path,
    kind: 'page',
    limits,
    findResource,
    get: ({ database, ...request }) =>
      database.readTenant(request.resource, async tx => {
        const opened = await open(tx, request, 0)
        return opened && showAppointment(tx, opened, request, { dependencies, depth: 0 })
      }),
  }),
  publicRoute<SharedResource, 'file'>({
    path: `${path}/invite.ics`,
    kind: 'file',
    limits,
    findResource,
    get: ({ database, ...request }) =>
      database.readTenant(request.resource, async tx => {
        const opened = await open(tx, request, 0)
        if (!opened) return null
        const text = await writeVisitorFile(tx, opened.appointment, opened.eventType, dependencies)
        return {
          type: 'text/calendar; charset=utf-8',
          bytes: Buffer.from(text),
          headers: { 'Content-Disposition': 'attachment; filename="invite.ics"' },
        }
      }),
  }),
  publicRoute<SharedResource, 'file'>({
    path: `${path}/logo`,
    kind: 'file',
    limits,
    findResource,
    get: ({ database, resource, signal }) => readLogoFile(database, resource.tenantId, signal),
  }),
  rescheduleRoute(dependencies),
  cancelRoute(dependencies),
]

const rescheduleRoute = (dependencies: AppointmentDependencies): PublicRoute =>
  publicRoute<SharedResource, 'page', URLSearchParams>({
    path: `${path}/reschedule`,
    kind: 'page',
    limits,
    findResource,
    async get({ database, ...request }) {
      await prepareMove(database, request, request.query, dependencies)
      return showChange(database, request, dependencies, (tx, opened) => {
        const startMs = parseStart(request.query.get('start'))
        if (startMs === null) return showCalendar(tx, opened, request)
        return showMove(opened, startMs, { problems: [], nearest: null })
      })
    },
    post: {
      body: formBody({ maxBytes: formBytesMax }),
      handle: ({ database, body, ...request }) => move(database, request, body, dependencies),
    },
  })

const prepareMove = (
  database: Database,
  { resource }: Request,
  query: URLSearchParams,
  { travelTimes }: TravelDependencies,
) =>
  travelTimes.prepare(database, resource, {
    purpose: query.has('start') ? 'booking' : 'offer',
    find: tx => findMovePageDrives(tx, resource.objectId, query),
  })

async function showCalendar(
  tx: Tx,
  opened: OpenAppointment,
  { resource, query }: Request,
): Promise<PublicPage> {
  const { appointment, eventType, context } = opened
  const { timezone, words } = context.visit
  const view = await readMonth(tx, {
    eventType,
    timezone,
    query,
    excludedSlotId: appointment.bookedSlotId,
    place: await readPlace(tx, eventType, appointment),
  })
  return toCalendarPage(context, view, {
    title: words.reschedule,
    notice: renderChange(context.visit, toInterval(appointment), `../${resource.token}`),
  })
}

function showMove(
  { appointment, eventType, context }: OpenAppointment,
  startMs: number,
  { problems, nearest }: Refusal,
): PublicPage {
  const from = toInterval(appointment)
  return toMovePage(context, {
    from,
    to: toSlot(eventType, startMs),
    isRequest: eventType.config.confirmation.required,
    problems,
    nearest: nearest?.filter(slot => slot.startMs !== from.startMs) ?? null,
  })
}

async function move(
  database: Database,
  request: Request,
  form: URLSearchParams,
  dependencies: AppointmentDependencies,
): Promise<PublicReplies['page'] | null> {
  const { resource } = request
  const opened = await openChange(database, request)
  if (!opened) return null
  const { appointment, context } = opened
  const startMs = parseStart(form.get('start'))
  if (startMs === null) return { redirect: `reschedule${toQuery(context.visit)}` }
  const done = { redirect: `../${resource.token}${toQuery(context.visit, { done: 'moved' })}` }
  if (opened.canChange && startMs === appointment.start.getTime()) return done
  const own = { redirect: `../${resource.token}${toQuery(context.visit)}` }
  if (!opened.canChange) return own
  const change = { start: toStart(startMs), timezone: context.visit.timezone, by: 'visitor' } as const
  await prepareMove(database, request, form, dependencies)
  try {
    await database.withTenant(resource, tx => rescheduleAppointment(tx, resource.objectId, change))
    return done
  } catch (error) {
    if (isOver(error)) return own
    return showMove(opened, startMs, toRefusal(error, context.visit.words))
  }
}

/** Somebody has changed it meanwhile: its page says what it is now. */
const isOver = (error: unknown): boolean => error instanceof Problem && error.code === 'INVALID_TRANSITION'

const cancelRoute = (dependencies: LinkDependencies): PublicRoute =>
  publicRoute<SharedResource, 'page', URLSearchParams>({
    path: `${path}/cancel`,
    kind: 'page',
    limits,
    findResource,
    get: ({ database, ...request }) =>
      showChange(database, request, dependencies, (_tx, opened) =>
        showCancel(opened, request, { reason: '', problem: null }),
      ),
    post: {
      body: formBody({ maxBytes: formBytesMax }),
      async handle({ database, body, ...request }) {
        const { resource } = request
        const opened = await openChange(database, request)
        if (!opened) return null
        const { visit } = opened.context
        const reason = body.get(reasonName) ?? ''
        const done = { redirect: `../${resource.token}${toQuery(visit)}` }
        if (!opened.canChange) return done
        if (reason.length > reasonMax)
          return showCancel(opened, request, { reason, problem: visit.words.errors.tooLong(reasonMax) })
        try {
          await database.withTenant(resource, tx =>
            cancelAppointment(tx, resource.objectId, { by: 'visitor', reason: reason.trim() || null }),
          )
        } catch (error) {
          if (!isOver(error)) throw error
        }
        return done
      },
    },
  })

const showCancel = (
  { appointment, context }: OpenAppointment,
  { resource }: Request,
  typed: { reason: string; problem: string | null },
) => toCancelPage(context, { slot: toInterval(appointment), back: `../${resource.token}`, ...typed })
