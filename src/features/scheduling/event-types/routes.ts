/** Event types over HTTP. */
import type { Tx } from '../../../kit/db/index.ts'
import { createPager, pageSchema } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import type { ShareDependencies } from '../../shares/service.ts'
import { noEmailAccount, notATemplate, slugTaken, tooManyAgendas, tooManyEventTypes } from '../problems.ts'
import { checkEventType, checkLocation, checkMembers } from './check.ts'
import { defaultConfig } from './config-schemas.ts'
import { eventTypeExample, newEventTypeExample } from './examples.ts'
import { bookingShareRoutes, readPageUrls } from './page-share.ts'
import { deleteEventType, type EventTypeRow, findEventType, getEventType, listEventTypes } from './queries.ts'
import { EventType, EventTypeChanges, EventTypeCopy, EventTypeFilter, NewEventType } from './schemas.ts'
import {
  changeEventType,
  copyEventType,
  createEventType,
  findChangeErrors,
  findReferenceErrors,
} from './write.ts'

const tag = 'Scheduling'
const params = strictObject({ id: id('The event type.') })

async function toReplies(
  tx: Tx,
  rows: EventTypeRow[],
  dependencies: ShareDependencies,
): Promise<EventType[]> {
  const ids = rows.map(({ id }) => id)
  const urls = await readPageUrls(tx, ids, dependencies)
  return rows.map(({ deletedAt: _deletedAt, ...row }) => ({
    ...row,
    links: { page: urls.get(row.id) ?? null },
  }))
}

async function readReply(tx: Tx, id: string, dependencies: ShareDependencies): Promise<EventType> {
  const [reply] = await toReplies(tx, [await getEventType(tx, id)], dependencies)
  return reply!
}

const createRoute = (dependencies: ShareDependencies) =>
  route({
    method: 'POST',
    path: '/scheduling/event-types',
    operation: 'createSchedulingEventType',
    tag,
    summary: 'Create an event type',
    description:
      'Without `agendaId`, the agent gets a new agenda. Omitted fields have their default, and the reply has every field.',
    scope: 'scheduling:write',
    body: NewEventType,
    example: newEventTypeExample,
    status: 201,
    reply: EventType,
    replyExample: eventTypeExample,
    errors: [slugTaken, tooManyEventTypes, tooManyAgendas],
    check: ({ body }) => [
      ...checkEventType(body),
      ...checkLocation(body.locationMode, body.locationDetails),
      ...checkMembers(body.config?.assignment ?? {}, defaultConfig.assignment),
    ],
    findErrors: ({ body, read }) => read(tx => findReferenceErrors(tx, body)),
    handle: async ({ body, tx }) => readReply(tx, await createEventType(tx, body), dependencies),
  })

const listRoute = (dependencies: ShareDependencies) =>
  route({
    method: 'GET',
    path: '/scheduling/event-types',
    operation: 'listSchedulingEventTypes',
    tag,
    summary: 'List event types, newest first',
    scope: 'scheduling:read',
    query: EventTypeFilter,
    status: 200,
    reply: pageSchema(EventType),
    replyExample: { data: [eventTypeExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('event-types', caller.tenantId, query)
      const rows = await listEventTypes(tx, query, pager.after)
      const page = rows.slice(0, query.limit)
      const last = rows.length > query.limit ? [page.at(-1)!.id] : null
      return pager.reply({ json: JSON.stringify(await toReplies(tx, page, dependencies)), last })
    },
  })

const changeRoute = (dependencies: ShareDependencies) =>
  route({
    method: 'PATCH',
    path: '/scheduling/event-types/{id}',
    operation: 'updateSchedulingEventType',
    tag,
    summary: 'Update an event type',
    description:
      'Omitted fields keep their value, also in `config` and `availability`; lists are replaced as a whole. Another `locationMode` begins with its default details. Appointments that are booked stay as they are.',
    scope: 'scheduling:write',
    params,
    body: EventTypeChanges,
    example: { durationMin: 45, availability: { minimumNoticeMin: 120 } },
    status: 200,
    reply: EventType,
    replyExample: eventTypeExample,
    errors: [slugTaken, noEmailAccount],
    check: ({ body }) => checkEventType(body),
    findErrors: ({ params, body, read, hasErrorsAt }) =>
      read(async tx => {
        const row = params.id && !hasErrorsAt('/locationMode') ? await findEventType(tx, params.id) : null
        return [...(row ? findChangeErrors(row, body) : []), ...(await findReferenceErrors(tx, body))]
      }),
    async handle({ params, body, tx }) {
      await changeEventType(tx, params.id, body)
      return readReply(tx, params.id, dependencies)
    },
  })

export const eventTypeRoutes = (dependencies: ShareDependencies): Route[] => [
  createRoute(dependencies),
  listRoute(dependencies),
  route({
    method: 'GET',
    path: '/scheduling/event-types/{id}',
    operation: 'getSchedulingEventType',
    tag,
    summary: 'Retrieve an event type',
    scope: 'scheduling:read',
    params,
    status: 200,
    reply: EventType,
    replyExample: eventTypeExample,
    handle: ({ params, tx }) => readReply(tx, params.id, dependencies),
  }),
  changeRoute(dependencies),
  route({
    method: 'DELETE',
    path: '/scheduling/event-types/{id}',
    operation: 'deleteSchedulingEventType',
    tag,
    summary: 'Delete an event type',
    description: 'It can no longer be booked. Its appointments stay, also those to come.',
    scope: 'scheduling:write',
    params,
    status: 204,
    reply: Type.Null(),
    async handle({ params, tx }) {
      if (!(await deleteEventType(tx, params.id))) throw notFound('event type')
      return null
    },
  }),
  route({
    method: 'POST',
    path: '/scheduling/event-types/{id}/copy',
    operation: 'copySchedulingEventType',
    tag,
    summary: 'Copy an event type for an agent',
    description:
      'For templates of the workspace. The copy is `agent_private`, and later changes of the original do not reach it.',
    scope: 'scheduling:write',
    params,
    body: EventTypeCopy,
    example: { ownerAgentUserId: eventTypeExample.ownerAgentUserId },
    status: 201,
    reply: EventType,
    replyExample: { ...eventTypeExample, templateId: eventTypeExample.id },
    errors: [slugTaken, notATemplate, tooManyEventTypes, tooManyAgendas],
    findErrors: ({ body, read }) => read(tx => findReferenceErrors(tx, body)),
    handle: async ({ params, body, tx }) =>
      readReply(tx, await copyEventType(tx, params.id, body), dependencies),
  }),
  ...bookingShareRoutes(dependencies),
]
