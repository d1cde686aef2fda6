/** Reads the events of a webhook body. Pure. */
import { jsonTooDeep, parseJson } from '../../../kit/json-limits.ts'
import type { InboundEvent } from '../../chat.ts'
import { asList, asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'
import { type Change, type Emit, parseInstant } from './change.ts'
import { parseAccountField } from './parse-account.ts'
import { parseEchoes, parseMessages } from './parse-messages.ts'
import { parsePreferences, parseUserIds } from './parse-people.ts'
import { parseStatuses } from './parse-statuses.ts'
import { parseTemplateField } from './parse-templates.ts'

/** WhatsApp sends at most 1,000 updates in a body of 3 MB. */
export const eventsMax = 10_000

/** Thrown to stop all loops over a body with too many events. */
class TooManyEvents extends Error {}

/** Reads the events of a body. Never throws. */
export function parseBody(body: Buffer, receivedAt: Temporal.Instant): InboundEvent[] {
  const unreadable = (reason: string): InboundEvent[] => [
    { type: 'unreadable', externalId: null, at: receivedAt, reason },
  ]
  let root: Record<string, unknown> | null
  try {
    root = asObject(parseJson(body.toString()))
  } catch (error) {
    return unreadable(error instanceof RangeError ? jsonTooDeep : 'It is not JSON.')
  }
  if (!root) return unreadable('It is not a JSON object.')
  const object = asText(root.object)
  if (object !== 'whatsapp_business_account')
    return unreadable(
      `Its object is ${object ? truncate(object, 100) : 'missing'}, not whatsapp_business_account.`,
    )
  const events: InboundEvent[] = []
  const emit: Emit = event => {
    if (events.length === eventsMax - 1) throw new TooManyEvents()
    events.push(event)
  }
  try {
    for (const entry of asList(root.entry)) parseEntry(asObject(entry), receivedAt, emit)
  } catch (error) {
    if (!(error instanceof TooManyEvents)) throw error
    events.push(...unreadable(`It has ${eventsMax} events or more. The others were not read.`))
  }
  return events.length > 0 ? events : unreadable('It has no entry with a change.')
}

function parseEntry(entry: Record<string, unknown> | null, receivedAt: Temporal.Instant, emit: Emit): void {
  const at = parseInstant(entry?.time) ?? receivedAt
  const groupId = asText(entry?.id)
  for (const item of asList(entry?.changes)) {
    const change = asObject(item)
    const field = asText(change?.field)
    const value = asObject(change?.value)
    if (field && value) parseChange({ field, value, externalId: findNumberId(value), groupId, at }, emit)
    else emit({ type: 'unreadable', externalId: null, at, reason: 'A change has no field or no value.' })
  }
}

const findNumberId = (value: Record<string, unknown>): string | null =>
  asText(asObject(value.metadata)?.phone_number_id)

function parseChange(change: Change, emit: Emit): void {
  const parse = lookUp(parsers, change.field)
  if (parse) parse(change, emit)
  else ignore(change, emit)
}

function ignore({ field, externalId, at }: Change, emit: Emit): void {
  emit({ type: 'ignored', externalId, at, what: truncate(field, 100) })
}

/** Fields that are missing need nothing to be done, such as calls, groups and the history of the business app. */
const parsers: Record<string, (change: Change, emit: Emit) => void> = {
  messages(change, emit) {
    const { value, externalId, at } = change
    if (value.messages !== undefined) parseMessages(change, emit)
    if (value.statuses !== undefined) parseStatuses(change, emit)
    if (value.messages === undefined && value.statuses === undefined) {
      const error = asObject(asList(value.errors)[0])
      if (error)
        emit({ type: 'ignored', externalId, at, what: `error ${truncate(asText(error.code) ?? '', 20)}` })
      else emit({ type: 'unreadable', externalId, at, reason: 'It has neither messages nor statuses.' })
    }
  },
  smb_message_echoes: parseEchoes,
  message_echoes: parseEchoes,
  user_preferences: parsePreferences,
  user_id_update: parseUserIds,
  message_template_status_update: parseTemplateField,
  message_template_quality_update: parseTemplateField,
  template_category_update: parseTemplateField,
  phone_number_quality_update: parseAccountField,
  phone_number_name_update: parseAccountField,
  business_capability_update: parseAccountField,
  account_update: parseAccountField,
  account_review_update: parseAccountField,
  account_alerts: parseAccountField,
}
