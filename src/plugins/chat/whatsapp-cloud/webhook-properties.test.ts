/** Whatever arrives at the webhook, it is read without an error, in little time, and nothing in it is unbounded. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InboundEvent } from '../../chat.ts'
import { eventsMax, parseBody } from './parse-body.ts'

const types = new Set<InboundEvent['type']>([
  'message',
  'reaction',
  'edited',
  'deleted',
  'marketing_preference',
  'identity_changed',
  'status',
  'template_status',
  'account_status',
  'ignored',
  'unreadable',
])

const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')

function expectValid(body: Buffer): void {
  const events = parseBody(body, receivedAt)
  expect(events.length).toBeGreaterThan(0)
  expect(events.length).toBeLessThanOrEqual(eventsMax)
  // One assertion, because thousands take seconds.
  expect(events.filter(event => !isValid(event))).toEqual([])
}

function isValid(event: InboundEvent): boolean {
  const json = JSON.stringify(event)
  return (
    types.has(event.type) &&
    event.at instanceof Temporal.Instant &&
    json.length < 600_000 &&
    !/\\u0000|\\ud[89a-f]/.test(json) &&
    (!('from' in event) || event.from.length > 0)
  )
}

const person = { from: '34612345678', id: 'wamid.1', timestamp: '1764000000' }
const samples = [
  { field: 'messages', value: { messages: [{ ...person, type: 'text', text: { body: 'Hola' } }] } },
  {
    field: 'messages',
    value: { messages: [{ ...person, type: 'image', image: { id: '1', caption: 'x' } }] },
  },
  {
    field: 'messages',
    value: {
      messages: [{ ...person, type: 'contacts', contacts: [{ name: {}, phones: [{ phone: '1' }] }] }],
    },
  },
  {
    field: 'messages',
    value: { messages: [{ ...person, type: 'system', system: { type: 'user_changed_number' } }] },
  },
  { field: 'messages', value: { statuses: [{ id: 'wamid.1', status: 'failed', errors: [{ code: 1 }] }] } },
  {
    field: 'smb_message_echoes',
    value: { message_echoes: [{ ...person, to: '34612345678', type: 'edit', edit: {} }] },
  },
  { field: 'user_preferences', value: { user_preferences: [{ wa_id: '34612345678', value: 'stop' }] } },
  { field: 'account_update', value: { event: 'DISABLED_UPDATE', ban_info: {} } },
  { field: 'message_template_status_update', value: { message_template_name: 'x', event: 'REJECTED' } },
]
const toBody = (changes: unknown): Buffer =>
  Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }))

/** Replaces the value at one place of a tree. */
function replaceAt(value: unknown, path: number[], replacement: unknown): unknown {
  if (typeof value !== 'object' || value === null || path.length === 0) return replacement
  const keys = Object.keys(value)
  if (keys.length === 0) return replacement
  const key = keys[path[0]! % keys.length]!
  const changed = replaceAt((value as Record<string, unknown>)[key], path.slice(1), replacement)
  if (Array.isArray(value)) return value.with(Number(key), changed)
  return { ...value, [key]: changed }
}

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('constructor', '__proto__', 'toString', '', '\0', '\ud800', -1, 1e300, null, true, [[]]),
)

test('any bytes and any JSON are read without an error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), bytes => expectValid(Buffer.from(bytes))))
  fc.assert(fc.property(fc.jsonValue(), value => expectValid(Buffer.from(JSON.stringify(value)))))
  fc.assert(fc.property(anything, value => expectValid(toBody(value))))
})

test('a body with a part replaced by anything is read without an error', () => {
  const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(path, anything), { maxLength: 3 }),
      (sample, changes) => {
        const changed = changes.reduce<unknown>((body, [where, what]) => replaceAt(body, where, what), sample)
        expectValid(toBody([changed]))
      },
    ),
    { numRuns: 500 },
  )
})

test.each<[string, () => Buffer]>([
  [
    '10,000 messages',
    () => toBody([{ field: 'messages', value: { messages: fill(10_000, samples[0]!.value) } }]),
  ],
  ['one text of 3 MB', () => toBody([{ field: 'messages', value: textOf('x'.repeat(2_999_000)) }])],
  ['a text of escapes', () => toBody([{ field: 'messages', value: textOf('\ud800'.repeat(490_000)) }])],
  ['brackets', () => Buffer.from('['.repeat(3_000_000))],
  [
    '40,000 contacts',
    () => toBody([{ field: 'messages', value: { ...textOf('x'), contacts: contacts(40_000) } }]),
  ],
  ['a million changes', () => toBody(Array.from({ length: 1_000_000 }, () => 0))],
])('a body of %s is read in linear time', (_what, build) => {
  const body = build()
  expect(body.length).toBeLessThan(3_300_000)
  expectValid(body)
  // CPU time, because other tests share the machine.
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage()
    parseBody(body, receivedAt)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  expect(Math.min(...times)).toBeLessThan(1000)
})

function fill(count: number, value: object): unknown[] {
  const [message] = (value as { messages: object[] }).messages
  return Array.from({ length: count }, (_, index) => ({
    ...message,
    id: `wamid.${index}`,
    pad: 'x'.repeat(150),
  }))
}
const textOf = (body: string) => ({ messages: [{ ...person, type: 'text', text: { body } }] })
const contacts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ wa_id: `3460000${index}`, profile: { name: 'x' } }))
