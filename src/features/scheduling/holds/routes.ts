/** Holds over HTTP. */
import { notFound } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { checkTimezone } from '../../../kit/time-zone.ts'
import { slotTaken, slotUnavailable, tooManyHolds } from '../problems.ts'
import type { TravelDependencies } from '../travel/travel-times.ts'
import { deleteHold } from './queries.ts'
import { Hold, holdExample, NewHold } from './schemas.ts'
import { createHold, findHoldDrives } from './write.ts'

const tag = 'Scheduling'

export const holdRoutes = ({ travelTimes }: TravelDependencies): Route[] => [
  route({
    method: 'POST',
    path: '/scheduling/event-types/{id}/holds',
    operation: 'createHold',
    tag,
    summary: 'Hold a slot for five minutes',
    description:
      'Nobody else can book it meanwhile. Book it with its id as `holdId`; otherwise it is free again by itself.',
    scope: 'scheduling:write',
    params: strictObject({ id: id('The event type.') }),
    body: NewHold,
    example: { start: holdExample.start },
    status: 201,
    reply: Hold,
    replyExample: holdExample,
    errors: [slotTaken, slotUnavailable, tooManyHolds],
    check: ({ body }) => checkTimezone(body.timezone, '/timezone'),
    prepare: ({ params, body, caller, database }) =>
      travelTimes.prepare(database, caller, {
        purpose: 'booking',
        find: tx => findHoldDrives(tx, params.id, body),
      }),
    handle: ({ params, body, tx }) => createHold(tx, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/scheduling/holds/{id}',
    operation: 'deleteHold',
    tag,
    summary: 'Release a hold',
    description: 'The slot is free at once.',
    scope: 'scheduling:write',
    params: strictObject({ id: id('The hold.') }),
    status: 204,
    reply: Type.Null(),
    async handle({ params, tx }) {
      if (!(await deleteHold(tx, params.id))) throw notFound('hold')
      return null
    },
  }),
]
