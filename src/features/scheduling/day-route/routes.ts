/** The route of a day over HTTP. */
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import type { TravelDependencies } from '../travel/travel-times.ts'
import { findRouteDrives, readDayRoute } from './read.ts'
import { DayRoute, DayRouteFilter, dayRouteExample } from './schemas.ts'

export const dayRouteRoutes = ({ travelTimes }: TravelDependencies): Route[] => [
  route({
    method: 'GET',
    path: '/scheduling/agendas/{id}/route',
    operation: 'getDayRoute',
    tag: 'Scheduling',
    summary: 'Retrieve the route of a day',
    description:
      'The appointments of a day of the agent in order, with the way between those on site, and links that open the route in a map program.',
    scope: 'scheduling:read',
    params: strictObject({ id: id('The agenda.') }),
    query: DayRouteFilter,
    status: 200,
    reply: DayRoute,
    replyExample: dayRouteExample,
    prepare: ({ params, query, caller, database }) =>
      travelTimes.prepare(database, caller, {
        purpose: 'offer',
        find: tx => findRouteDrives(tx, params.id, query.date),
      }),
    handle: ({ params, query, tx }) => readDayRoute(tx, params.id, query.date),
  }),
]
