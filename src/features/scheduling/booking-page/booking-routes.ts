/** The public page of an event type: the calendar, the form, and the booking. */
import type { Tx } from '../../../kit/db/index.ts'
import { issueTicket } from '../../../kit/form-ticket.ts'
import { formBody } from '../../../kit/public-body.ts'
import { type PublicPage, type PublicRoute, publicRoute } from '../../../kit/public-route.ts'
import { readLogoFile } from '../../identity/service.ts'
import { findShared } from '../../shares/service.ts'
import type { AppointmentDependencies, LinkDependencies } from '../appointments/links.ts'
import { eventTypeKind, pagePath } from '../event-types/page-share.ts'
import { findEventType } from '../event-types/queries.ts'
import { getFreeSlot } from '../slots/free-slot.ts'
import { getOwnPlace } from '../slots/place.ts'
import { aboutView, toAboutPage, toCalendarPage, toClosedPage, toFormPage } from './booking-html.ts'
import { type OpenPage, type PageRequest, readContext } from './context.ts'
import { createFields } from './fields.ts'
import { findPageDrives } from './find-drives.ts'
import { parseStart, readMonth, toSlot } from './month.ts'
import { receiveForm } from './receive-form.ts'
import { type Refusal, toRefusal } from './refusal.ts'

/** The longest answers to all questions do not fit; nobody writes them. */
const formBytesMax = 256_000
const limits = { address: 120, token: 600 }
const findResource = findShared(eventTypeKind, id => `booking page ${id}`)

async function openPage(tx: Tx, eventTypeId: string, request: PageRequest): Promise<OpenPage | null> {
  const eventType = await findEventType(tx, eventTypeId)
  if (!eventType || eventType.deletedAt !== null) return null
  return { eventType, context: await readContext(tx, request, { eventType }) }
}

const isClosed = ({ eventType }: OpenPage): boolean => !eventType.config.bookingPage.isPublished

export const bookingRoutes = (dependencies: AppointmentDependencies): PublicRoute[] => [
  publicRoute({
    path: `${pagePath}/{token}`,
    kind: 'page',
    limits,
    findResource,
    async get({ database, resource: { tenantId, objectId, token }, query, headers }) {
      await dependencies.travelTimes.prepare(
        database,
        { tenantId },
        {
          purpose: query.has('start') ? 'booking' : 'offer',
          find: tx => findPageDrives(tx, objectId, query),
        },
      )
      return database.readTenant({ tenantId }, async tx => {
        const page = await openPage(tx, objectId, { query, headers, logoPath: `${token}/logo` })
        return page && showStep(tx, page, query, dependencies)
      })
    },
    post: {
      body: formBody({ maxBytes: formBytesMax }),
      async handle({ database, resource, query, headers, address, body: form }) {
        const { tenantId, objectId, token } = resource
        const page = await database.readTenant({ tenantId }, tx =>
          openPage(tx, objectId, { query, headers, logoPath: `${token}/logo` }),
        )
        if (!page) return null
        if (isClosed(page)) return toClosedPage(page.context)
        return receiveForm(database, page, { tenantId, address, form, query }, dependencies)
      },
    },
  }),
  publicRoute({
    path: `${pagePath}/{token}/logo`,
    kind: 'file',
    findResource,
    get: ({ database, resource: { tenantId }, signal }) => readLogoFile(database, tenantId, signal),
  }),
]

/** A link to a time may be old: nobody fills in the form in vain. */
async function findRefusal(tx: Tx, { eventType, context }: OpenPage, startMs: number): Promise<Refusal> {
  try {
    const place = getOwnPlace(eventType)
    await getFreeSlot(tx, { eventType, startMs, place, excludedSlotId: null })
    return { problems: [], nearest: null }
  } catch (error) {
    return toRefusal(error, context.visit.words)
  }
}

async function showStep(
  tx: Tx,
  page: OpenPage,
  query: URLSearchParams,
  { cipher }: LinkDependencies,
): Promise<PublicPage> {
  const { eventType, context } = page
  if (isClosed(page)) return toClosedPage(context)
  if (query.get('view') === aboutView) return toAboutPage(context)
  const startMs = parseStart(query.get('start'))
  const { timezone, words } = context.visit
  if (startMs === null)
    return toCalendarPage(context, await readMonth(tx, { eventType, timezone, query }), {
      title: eventType.name,
    })
  return toFormPage(context, {
    ...(await findRefusal(tx, page, startMs)),
    fields: createFields(eventType, words),
    slot: toSlot(eventType, startMs),
    ticket: issueTicket(cipher, eventType.id),
    code: null,
    isRequest: eventType.config.confirmation.required,
  })
}
