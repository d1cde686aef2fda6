/** The request of a route as its example has it, with what must be new or of today. */
import { newId } from '../src/kit/id.ts'
import type { Route } from '../src/kit/route.ts'
import { chooseStart } from './appointments.ts'
import type { CallOptions } from './harness.ts'

function toNextMonday(): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + 8 - (day.getUTCDay() || 7))
  day.setUTCHours(12, 0, 0, 0)
  return day.toISOString()
}

/** The example body of a route. */
export function toExampleRequest({
  operation,
  body,
  example,
  upload,
}: Route): Pick<CallOptions, 'body' | 'rawBody' | 'contentType'> {
  if (upload) return { rawBody: upload.example, contentType: upload.types[0]! }
  if (!body) return {}
  // Repeating the same lead would be refused.
  if (operation === 'createLead') return { body: { contact: { name: newId() } } }
  // No worker makes sheets here.
  if (operation === 'generateFicha') return { body: { ...(example as object), waitSeconds: 0 } }
  // The time of an example may be too old.
  if (operation === 'recoverDeliveries') return { body: { since: new Date().toISOString() } }
  // Its shortcut is unique.
  if (operation === 'createQuickReply') return { body: { ...(example as object), shortcut: newId() } }
  // A time of next week, in the default hours of event types.
  if (operation === 'createHold') return { body: { start: toNextMonday() } }
  // Slugs are unique.
  if (operation === 'createSchedulingEventType' || operation === 'copySchedulingEventType')
    return { body: { ...(example as object), slug: newId() } }
  // The example is of a time that may be over, or taken.
  if (operation === 'bookAppointment' || operation === 'rescheduleAppointment')
    return { body: { ...(example as object), start: chooseStart() } }
  // Moving the clock would affect other tests.
  if (operation === 'moveSandboxClock') return { body: { now: new Date().toISOString() } }
  return { body: example }
}
