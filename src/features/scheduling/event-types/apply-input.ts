/** Applies the input of a request to an event type: omitted fields keep their value, or have their default. */

import { toTimezone } from '../../../kit/time-zone.ts'
import type { AvailabilityInput, EventTypeAvailability } from './availability-schemas.ts'
import { type ConfigInput, defaultConfig, type EventTypeConfig } from './config-schemas.ts'
import type { LocationDetails, LocationMode } from './location-schemas.ts'
import type { EventTypeRow } from './queries.ts'
import type { EventTypeChanges, NewEventType } from './schemas.ts'

export type EventTypeFields = Omit<
  EventTypeRow,
  'id' | 'agendaId' | 'templateId' | 'createdAt' | 'updatedAt' | 'deletedAt'
>

/** The fields of a new event type. `timezone`: that of the workspace. */
export function toNewFields(input: NewEventType, timezone: string): EventTypeFields {
  const { ownerAgentUserId, name, slug, durationMin, locationMode } = input
  const base: EventTypeFields = {
    ownerAgentUserId,
    name,
    slug,
    durationMin,
    locationMode,
    description: null,
    bufferBeforeMin: 0,
    bufferAfterMin: 0,
    color: null,
    visibility: 'agent_private',
    locationDetails: defaultLocation[locationMode],
    config: defaultConfig,
    availability: {
      timezone,
      weekly: [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '18:00' })),
      overrides: [],
      minimumNoticeMin: 60,
      horizonDays: 60,
      slotIntervalMin: durationMin,
      dailyLimit: null,
    },
  }
  return applyChanges(base, input)
}

export function applyChanges(
  base: EventTypeFields,
  input: Omit<EventTypeChanges, 'agendaId'>,
): EventTypeFields {
  const { config = {}, availability = {}, durationMin = base.durationMin } = input
  const { locationMode = base.locationMode, description = base.description, color = base.color } = input
  return {
    ownerAgentUserId: input.ownerAgentUserId ?? base.ownerAgentUserId,
    name: (input.name ?? base.name).trim(),
    slug: input.slug ?? base.slug,
    description,
    durationMin,
    bufferBeforeMin: input.bufferBeforeMin ?? base.bufferBeforeMin,
    bufferAfterMin: input.bufferAfterMin ?? base.bufferAfterMin,
    locationMode,
    color,
    visibility: input.visibility ?? base.visibility,
    locationDetails: mergeLocation(base, locationMode, input.locationDetails),
    config: mergeConfig(base.config, config),
    availability: mergeAvailability(base, durationMin, availability),
  }
}

const defaultLocation: Record<LocationMode, LocationDetails> = {
  onsite: { address: null, latitude: null, longitude: null, instructions: null, useLeadProperty: true },
  call: { phone: null, whoCalls: 'agent' },
  video: { url: null, instructions: null },
}

/** Another mode begins with its defaults. */
function mergeLocation(
  { locationMode, locationDetails }: EventTypeFields,
  mode: LocationMode,
  input: Record<string, unknown> = {},
): LocationDetails {
  const base = mode === locationMode ? locationDetails : defaultLocation[mode]
  return { ...base, ...input } as LocationDetails
}

/** Slots that follow each other still do so with another duration. */
function mergeAvailability(
  { availability, durationMin: durationBefore }: EventTypeFields,
  durationMin: number,
  input: AvailabilityInput,
): EventTypeAvailability {
  const follows = availability.slotIntervalMin === durationBefore
  const { timezone = availability.timezone } = input
  return {
    ...availability,
    ...(follows ? { slotIntervalMin: durationMin } : {}),
    ...input,
    timezone: toTimezone(timezone) ?? timezone,
  }
}

function mergeConfig(base: EventTypeConfig, input: ConfigInput): EventTypeConfig {
  const { questions, reminders, seats = base.seats, holidays } = input
  return {
    questions: questions?.map(toQuestion) ?? base.questions,
    reminders:
      reminders?.map(({ templateId = null, ...reminder }) => ({ ...reminder, templateId })) ?? base.reminders,
    confirmation: { ...base.confirmation, ...input.confirmation },
    notices: { ...base.notices, ...input.notices },
    assignment: mergeAssignment(base.assignment, input.assignment),
    seats,
    travel: { ...base.travel, ...input.travel },
    holidays:
      holidays === undefined
        ? base.holidays
        : holidays && { country: holidays.country, region: holidays.region ?? null },
    bookingPage: { ...base.bookingPage, ...input.bookingPage },
  }
}

const toQuestion = ({
  id,
  label,
  type,
  required = false,
  options = [],
}: NonNullable<ConfigInput['questions']>[number]): EventTypeConfig['questions'][number] => ({
  id,
  label,
  type,
  required,
  options,
})

/** A single agent has no members. */
function mergeAssignment(
  base: EventTypeConfig['assignment'],
  { kind = base.kind, members }: NonNullable<ConfigInput['assignment']> = {},
): EventTypeConfig['assignment'] {
  if (kind === 'single') return { kind, members: [] }
  const merged = members?.map(({ agendaId, weight = 1, areas = [] }) => ({ agendaId, weight, areas }))
  return { kind, members: merged ?? base.members }
}
