/** The variables of texts about an appointment. */
import type { Words } from '../../documents/words.ts'
import { formatZone } from '../../domain/time-zones/format-zone.ts'
import {
  type AppointmentValues,
  type CatalogueVariable,
  define,
  type ValueSources,
} from './catalogue-variable.ts'

const ofAppointment =
  <R>(read: (appointment: AppointmentValues, words: Words) => R) =>
  ({ appointment, words }: ValueSources) =>
    appointment ? read(appointment, words) : null

const formatStart = (
  { start, timezone }: AppointmentValues,
  { locale }: Words,
  style: Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>,
) => new Intl.DateTimeFormat(locale, { ...style, timeZone: timezone }).format(start.epochMilliseconds)

export const appointmentVariables: readonly CatalogueVariable[] = [
  define(
    'appointment.start',
    'date',
    ['When the appointment begins', Temporal.Instant.from('2026-12-01T10:00:00Z')],
    ofAppointment(({ start }) => start),
  ),
  define(
    'appointment.date',
    'text',
    ['The day of the appointment, in the time zone of the visitor', 'martes, 1 de diciembre de 2026'],
    ofAppointment((appointment, words) => formatStart(appointment, words, { dateStyle: 'full' })),
  ),
  define(
    'appointment.time',
    'text',
    ['The time of the appointment, in the time zone of the visitor', '11:00'],
    ofAppointment((appointment, words) => formatStart(appointment, words, { timeStyle: 'short' })),
  ),
  define(
    'appointment.timezone',
    'text',
    ['The time zone of the visitor', 'Madrid (UTC+1)'],
    ofAppointment(({ start, timezone }, { locale }) => formatZone(timezone, start.epochMilliseconds, locale)),
  ),
  define(
    'appointment.place',
    'text',
    ['Where the appointment takes place', 'Carrer de Mallorca, 214, Barcelona'],
    ofAppointment(({ formatPlace }, { locale }) => formatPlace(locale)),
  ),
  define(
    'appointment.agent',
    'text',
    ['The agent who receives the visitor', 'Jordi Puig'],
    ofAppointment(({ agentName }) => agentName),
  ),
  define(
    'appointment.link',
    'text',
    ['Where the visitor changes or cancels the appointment', 'https://aldaba.example/appointment/4fK2'],
    ofAppointment(({ link }) => link),
  ),
]
