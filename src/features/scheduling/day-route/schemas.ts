/** The API objects of the route of a day. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { text, timezone } from '../../../kit/schema-fields.ts'
import { AppointmentLocation } from '../appointments/schemas.ts'
import { visitorsMax } from './queries.ts'

export const DayRouteFilter = strictObject({
  date: Type.Optional(
    Type.String({
      format: 'date',
      pattern: '^[12]',
      description: 'The day in the time zone of the agenda. Default: today.',
      examples: ['2026-12-01'],
    }),
  ),
})

const meters = (description: string) => Type.Integer({ minimum: 0, description })

const Way = strictObject(
  {
    fromAppointmentId: id('The appointment from which it leads: the last one before whose place is known.'),
    distanceMeters: meters('The way by road in metres, estimated from the straight line.'),
    travelMin: Type.Integer({
      description:
        'The minutes it takes: those of the router, if the deployment has one; otherwise at `travel.speedKmh` of the event type.',
    }),
    gapMin: Type.Integer({
      description: 'The minutes between the two appointments; negative: they overlap.',
    }),
    isTight: Type.Boolean({ description: 'The gap is shorter than the way.' }),
  },
  { description: 'The way there; null: the place is not known, or it is the first one that is.' },
)

const Stop = strictObject({
  eventTypeId: id('The event type.'),
  eventTypeName: text(200, 'The name of the event type.'),
  start: time('When it begins.'),
  end: time('When it ends.'),
  appointments: Type.Array(
    strictObject({
      id: id('The appointment.'),
      visitorName: nullable(text(200, 'The name of the visitor.')),
    }),
    { description: `The visitors who come then: several in a group viewing, at most ${visitorsMax}.` },
  ),
  location: AppointmentLocation,
  place: oneOf(['known', 'unknown', 'not_onsite'], {
    description:
      '`known`: on site, with coordinates; `unknown`: on site, but without coordinates, so it is not part of the route; `not_onsite`: a call or a video meeting.',
  }),
  way: nullable(Way),
})

export const DayRoute = strictObject(
  {
    date: Type.String({ format: 'date', description: 'The day.' }),
    timezone: timezone('The time zone of the day: that of the agenda.'),
    stops: Type.Array(Stop, { description: 'The appointments of the day in order, without cancelled ones.' }),
    totals: strictObject(
      {
        stops: Type.Integer({ description: 'All stops.' }),
        withoutPlace: Type.Integer({ description: 'Stops on site whose place is not known.' }),
        tight: Type.Integer({ description: 'Ways that are longer than the gap.' }),
        distanceMeters: meters('All ways together, in metres.'),
        travelMin: Type.Integer({ description: 'All ways together, in minutes.' }),
      },
      { description: 'The sums of the day.' },
    ),
    mapLinks: Type.Array(Type.String(), {
      description:
        'Opens the route in Google Maps, from where the device is. A route of more than ten places has several links, each of which continues the one before. Mobile browsers without the app show three places between.',
    }),
  },
  { title: 'DayRoute', description: 'The appointments of a day and the ways between them.' },
)
export type DayRoute = Static<typeof DayRoute>

const location = { mode: 'onsite', url: null, phone: null, instructions: null } as const
const eventType = {
  eventTypeId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e90',
  eventTypeName: 'Viewing, 30 minutes',
}
const first = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'

export const dayRouteExample: DayRoute = {
  date: '2026-12-01',
  timezone: 'Europe/Madrid',
  stops: [
    {
      ...eventType,
      start: '2026-12-01T09:00:00.000Z',
      end: '2026-12-01T09:30:00.000Z',
      appointments: [{ id: first, visitorName: 'Marta Soler' }],
      location: {
        ...location,
        address: 'Calle Mayor 1, 28013, Madrid',
        latitude: 40.4165,
        longitude: -3.7046,
      },
      place: 'known',
      way: null,
    },
    {
      ...eventType,
      start: '2026-12-01T09:45:00.000Z',
      end: '2026-12-01T10:15:00.000Z',
      appointments: [{ id: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f', visitorName: 'Jordi Puig' }],
      location: {
        ...location,
        address: 'Calle de Alcalá 300, 28027, Madrid',
        latitude: 40.4321,
        longitude: -3.6487,
      },
      place: 'known',
      way: { fromAppointmentId: first, distanceMeters: 7150, travelMin: 15, gapMin: 15, isTight: false },
    },
  ],
  totals: { stops: 2, withoutPlace: 0, tight: 0, distanceMeters: 7150, travelMin: 15 },
  mapLinks: [
    'https://www.google.com/maps/dir/?api=1&travelmode=driving&destination=40.432100%2C-3.648700&waypoints=40.416500%2C-3.704600',
  ],
}
