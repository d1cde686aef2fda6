/** The slots of event types over HTTP. */
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { checkTimezone, toTimezone } from '../../../kit/time-zone.ts'
import type { TravelDependencies } from '../travel/travel-times.ts'
import { findListedDrives, listFreeSlots } from './list.ts'
import { parseRange, rangeDaysMax } from './parse-range.ts'
import { SlotFilter, SlotList, slotListExample } from './schemas.ts'

export const slotRoutes = ({ travelTimes }: TravelDependencies): Route[] => [
  route({
    method: 'GET',
    path: '/scheduling/event-types/{id}/slots',
    operation: 'listSlots',
    tag: 'Scheduling',
    summary: 'List the free slots of an event type, by day',
    description: `At most ${rangeDaysMax} days. A slot that is listed can be booked, unless somebody books it first. If areas or travel times depend on the property of the lead, this needs \`leadId\`.`,
    scope: 'scheduling:read',
    params: strictObject({ id: id('The event type.') }),
    query: SlotFilter,
    status: 200,
    reply: SlotList,
    replyExample: slotListExample,
    check({ query, now }) {
      const timezone = toTimezone(query.timezone ?? 'UTC') ?? 'UTC'
      const range = parseRange(query, timezone, now.getTime())
      return [...checkTimezone(query.timezone, '/timezone'), ...('errors' in range ? range.errors : [])]
    },
    prepare: ({ params, query, caller, database }) =>
      travelTimes.prepare(database, caller, {
        purpose: 'offer',
        find: tx => findListedDrives(tx, params.id, query),
      }),
    handle: ({ params, query, tx }) => listFreeSlots(tx, params.id, query),
  }),
]
