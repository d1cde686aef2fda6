/** Agendas over HTTP. */
import { toJsonText } from '../../../kit/json-text.ts'
import { createPager, pageSchema } from '../../../kit/page.ts'
import type { InputError } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { checkTimezone } from '../../../kit/time-zone.ts'
import { findUserErrors } from '../../identity/service.ts'
import { checkDays } from '../check-hours.ts'
import { agendaInUse, tooManyAgendas } from '../problems.ts'
import { getAgendaJson, listAgendas } from './queries.ts'
import { Agenda, AgendaChanges, AgendaFilter, agendaExample, NewAgenda } from './schemas.ts'
import { changeAgenda, createAgenda, removeAgenda } from './write.ts'

const tag = 'Scheduling'
const params = strictObject({ id: id('The agenda.') })

const check = ({ body }: { body: AgendaChanges }): InputError[] => [
  ...checkTimezone(body.timezone, '/timezone'),
  ...checkDays(body.workingHours ?? {}, '/workingHours'),
]

export const agendaRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/scheduling/agendas',
    operation: 'createAgenda',
    tag,
    summary: 'Create an agenda',
    description: 'An event type that is created without `agendaId` creates one by itself.',
    scope: 'scheduling:write',
    body: NewAgenda,
    example: {
      agentUserId: agendaExample.agentUserId,
      workingHours: { weekly: [{ day: 1, from: '10:00', to: '14:00' }] },
    },
    status: 201,
    reply: Agenda,
    replyExample: agendaExample,
    errors: [tooManyAgendas],
    check,
    findErrors: ({ body, read }) => read(tx => findUserErrors(tx, body.agentUserId, '/agentUserId')),
    handle: async ({ body, tx }) => toJsonText(await getAgendaJson(tx, await createAgenda(tx, body))),
  }),
  route({
    method: 'GET',
    path: '/scheduling/agendas',
    operation: 'listAgendas',
    tag,
    summary: 'List agendas, newest first',
    scope: 'scheduling:read',
    query: AgendaFilter,
    status: 200,
    reply: pageSchema(Agenda),
    replyExample: { data: [agendaExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('agendas', caller.tenantId, query)
      return pager.reply(await listAgendas(tx, query, pager.after))
    },
  }),
  route({
    method: 'GET',
    path: '/scheduling/agendas/{id}',
    operation: 'getAgenda',
    tag,
    summary: 'Retrieve an agenda',
    scope: 'scheduling:read',
    params,
    status: 200,
    reply: Agenda,
    replyExample: agendaExample,
    handle: async ({ params, tx }) => toJsonText(await getAgendaJson(tx, params.id)),
  }),
  route({
    method: 'PATCH',
    path: '/scheduling/agendas/{id}',
    operation: 'updateAgenda',
    tag,
    summary: 'Update an agenda',
    description:
      'Omitted fields keep their value; `workingHours` is replaced as a whole. Appointments that are booked stay.',
    scope: 'scheduling:write',
    params,
    body: AgendaChanges,
    example: { failsClosed: true },
    status: 200,
    reply: Agenda,
    replyExample: { ...agendaExample, failsClosed: true },
    check,
    findErrors: ({ body, read }) => read(tx => findUserErrors(tx, body.agentUserId, '/agentUserId')),
    async handle({ params, body, tx }) {
      await changeAgenda(tx, params.id, body)
      return toJsonText(await getAgendaJson(tx, params.id))
    },
  }),
  route({
    method: 'DELETE',
    path: '/scheduling/agendas/{id}',
    operation: 'deleteAgenda',
    tag,
    summary: 'Delete an agenda',
    description:
      'Only without appointments to come, and if no event type uses it. Its calendars are disconnected; past appointments stay.',
    scope: 'scheduling:write',
    params,
    status: 204,
    reply: Type.Null(),
    errors: [agendaInUse],
    async handle({ params, tx }) {
      await removeAgenda(tx, params.id)
      return null
    },
  }),
]
