/** Checks an event type: what its schemas cannot express. */
import type { InputError } from '../../../kit/problem.ts'
import { compile } from '../../../kit/schema.ts'
import { checkTimezone } from '../../../kit/time-zone.ts'
import { checkDays } from '../check-hours.ts'
import type { ConfigInput, EventTypeConfig } from './config-schemas.ts'
import { type LocationMode, locationInputs } from './location-schemas.ts'
import type { EventTypeRow } from './queries.ts'
import type { EventTypeChanges } from './schemas.ts'

/** All rules about the values themselves, besides those of the place. Invalid fields are missing. */
export const checkEventType = ({
  availability = {},
  config = {},
}: Pick<EventTypeChanges, 'availability' | 'config'>): InputError[] => [
  ...checkTimezone(availability.timezone, '/availability/timezone'),
  ...checkDays(availability, '/availability'),
  ...checkQuestions(config.questions ?? []),
  ...checkReminders(config.reminders ?? []),
  ...checkAssignment(config.assignment ?? {}),
]

/** The fields of another mode are unknown ones. `stored`: what a change keeps. */
export function checkLocation(
  mode: LocationMode | undefined,
  sent: Record<string, unknown> | undefined,
  stored?: Pick<EventTypeRow, 'locationMode' | 'locationDetails'>,
): InputError[] {
  if (mode === undefined || sent === undefined) return []
  const path = '/locationDetails'
  const errors = compile(locationInputs[mode])(sent).map(error => ({
    ...error,
    path: path + error.path,
    message: error.code === 'UNKNOWN_FIELD' ? `is not a field of the location mode ${mode}` : error.message,
  }))
  if (errors.length > 0) return errors
  const details: Record<string, unknown> =
    stored?.locationMode === mode ? { ...stored.locationDetails, ...sent } : sent
  if (mode === 'onsite' && ((details.latitude ?? null) === null) !== ((details.longitude ?? null) === null))
    return [
      { path: `${path}/latitude`, code: 'CONTRADICTION', message: 'must be sent together with longitude' },
    ]
  if (mode === 'call' && details.whoCalls === 'visitor' && (details.phone ?? null) === null)
    return [{ path: `${path}/phone`, code: 'REQUIRED', message: 'is required if the visitor calls' }]
  return []
}

type SentQuestions = Partial<NonNullable<ConfigInput['questions']>[number]>[]

/** All questions and their options together: lists and pages contain them. */
const questionsMaxLength = 20_000

function checkQuestions(questions: SentQuestions): InputError[] {
  const length = questions.reduce(
    (sum, { label = '', options = [] }) => sum + [label, ...options].join('').length,
    0,
  )
  if (length > questionsMaxLength)
    return [
      {
        path: '/config/questions',
        code: 'TOO_LONG',
        message: `must have at most ${questionsMaxLength} characters in all labels and options together`,
      },
    ]
  const seen = new Set<string>()
  return questions.flatMap(({ id, type, options = [] }, index) => {
    const path = `/config/questions/${index}`
    const errors: InputError[] = []
    if (id !== undefined && seen.has(id))
      errors.push({ path: `${path}/id`, code: 'DUPLICATE', message: 'is the id of two questions' })
    if (id !== undefined) seen.add(id)
    if (type === 'select' && options.length === 0)
      errors.push({ path: `${path}/options`, code: 'REQUIRED', message: 'is required for a select' })
    if (type !== undefined && type !== 'select' && options.length > 0)
      errors.push({
        path: `${path}/options`,
        code: 'CONTRADICTION',
        message: `cannot be sent with the type ${type}`,
      })
    return errors
  })
}

function checkReminders(reminders: Partial<NonNullable<ConfigInput['reminders']>[number]>[]): InputError[] {
  const seen = new Set<string>()
  return reminders.flatMap(({ minutesBefore, channel }, index) => {
    if (minutesBefore === undefined || channel === undefined) return []
    const key = `${channel} ${minutesBefore}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    const message = 'is at the time of another reminder of this channel'
    return [{ path: `/config/reminders/${index}`, code: 'DUPLICATE', message }]
  })
}

type SentAssignment = NonNullable<ConfigInput['assignment']>

function checkAssignment({ members = [] }: SentAssignment): InputError[] {
  const seen = new Set<string>()
  return members.flatMap(({ agendaId }, index) => {
    const id = agendaId?.toLowerCase()
    if (!id || !seen.has(id)) {
      if (id) seen.add(id)
      return []
    }
    const path = `/config/assignment/members/${index}/agendaId`
    return [{ path, code: 'DUPLICATE', message: 'is the agenda of two members' }]
  })
}

/** Checks that the kind of assignment has the members that it needs. `stored`: what a change keeps. */
export function checkMembers(
  { kind, members }: SentAssignment,
  stored: EventTypeConfig['assignment'],
): InputError[] {
  const path = '/config/assignment/members'
  const wanted = kind ?? stored.kind
  if (wanted === 'single') {
    if (members === undefined || members.length === 0) return []
    const message = 'cannot be sent with the kind single, whose agenda is agendaId'
    return [{ path, code: 'CONTRADICTION', message }]
  }
  if ((members ?? stored.members).length > 0) return []
  return [{ path, code: 'REQUIRED', message: `must have a member for the kind ${wanted}` }]
}
