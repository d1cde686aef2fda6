/** The webhook of WhatsApp: its address check, signatures, and bodies that the fixtures do not have. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { InboundEvent } from '../../chat.ts'
import { eventsMax, parseBody } from './parse-body.ts'
import { webhook } from './webhook.ts'

const credentials = {
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  accessToken: 'EAAG'.repeat(10),
  appSecret: '0123456789abcdef0123456789abcdef',
}
const metadata = { display_phone_number: '34910000000', phone_number_id: '106540352242922' }
const toBody = (field: string, value: object, time = 1_764_000_000) =>
  Buffer.from(
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '102290129340398', time, changes: [{ field, value }] }],
    }),
  )
const parse = (field: string, value: object): InboundEvent[] => parseBody(toBody(field, value), receivedAt)
const parseMessage = (message: object, value: object = {}): InboundEvent => {
  const base = { from: '34612345678', id: 'wamid.1', timestamp: '1764000000' }
  const events = parse('messages', {
    messaging_product: 'whatsapp',
    metadata,
    contacts: [{ profile: { name: 'Marta' }, wa_id: '34612345678', user_id: 'ES.1234567890' }],
    messages: [{ ...base, ...message }],
    ...value,
  })
  expect(events).toHaveLength(1)
  return events[0]!
}
const phone = { kind: 'phone', value: '+34612345678' }
const bsuid = { kind: 'bsuid', value: 'ES.1234567890' }
const at = Temporal.Instant.from('2025-11-24T16:00:00Z')
const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')

describe('the check of the address', () => {
  const check = (query: Record<string, string>) =>
    webhook.challenge!(new URLSearchParams(query), 'secret-token')
  const right = { 'hub.mode': 'subscribe', 'hub.verify_token': 'secret-token', 'hub.challenge': '1158201444' }

  test('answers the challenge', () => expect(check(right)).toBe('1158201444'))
  test.each([
    ['another token', { ...right, 'hub.verify_token': 'other' }],
    ['an empty token', { ...right, 'hub.verify_token': '' }],
    ['another mode', { ...right, 'hub.mode': 'unsubscribe' }],
    ['no challenge', { 'hub.mode': 'subscribe', 'hub.verify_token': 'secret-token' }],
    ['an endless challenge', { ...right, 'hub.challenge': '1'.repeat(5000) }],
  ])('refuses %s', (_what, query) => expect(check(query as Record<string, string>)).toBeNull())
})

test('only the app secret signs a body', () => {
  const body = toBody('messages', {})
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const verify = (signature: string | undefined, received = body) =>
    webhook.verify(
      { headers: { 'x-hub-signature-256': signature }, body: received },
      { credentials, verifyToken: 'secret-token' },
    )
  expect(verify(sign(credentials.appSecret))).toBe(true)
  expect(verify(sign('secret-token'))).toBe(false)
  expect(verify(undefined)).toBe(false)
  expect(verify(sign(credentials.appSecret), Buffer.concat([body, Buffer.from(' ')]))).toBe(false)
})

describe('a person', () => {
  test('without a phone is known by the business-scoped user id', () => {
    const event = parseMessage(
      { from: undefined, from_user_id: 'ES.1234567890', type: 'text', text: { body: 'Hola' } },
      { contacts: [{ profile: { name: 'Marta', username: 'marta' }, user_id: 'ES.1234567890' }] },
    )
    expect(event).toMatchObject({ type: 'message', from: [bsuid], profileName: 'Marta', at })
  })

  test('among several contacts is found by phone or user id', () => {
    const contacts = [
      { profile: { name: 'Otra' }, wa_id: '34611111111', user_id: 'ES.1' },
      { profile: { name: 'Marta' }, wa_id: '34612345678', user_id: 'ES.1234567890' },
    ]
    const event = parseMessage({ type: 'text', text: { body: 'Hola' } }, { contacts })
    expect(event).toMatchObject({ from: [phone, bsuid], profileName: 'Marta' })
  })

  test('who is not the only contact gets neither its name nor its id', () => {
    const contacts = [{ profile: { name: 'Otra' }, wa_id: '34611111111', user_id: 'ES.1' }]
    const event = parseMessage({ type: 'text', text: { body: 'Hola' } }, { contacts })
    expect(event).toMatchObject({ from: [phone], profileName: null })
  })

  test('has a new number: the former and the new user id belong to it', () => {
    const system = {
      type: 'user_changed_number',
      body: 'User Marta changed from 34612345678 to 34699999999',
      wa_id: '34699999999',
      user_id: 'ES.2',
      previous_user_id: 'ES.1234567890',
    }
    expect(parseMessage({ type: 'system', system })).toMatchObject({
      type: 'identity_changed',
      former: [phone, bsuid],
      current: [
        { kind: 'phone', value: '+34699999999' },
        { kind: 'bsuid', value: 'ES.2' },
      ],
    })
  })

  test('has a new user id and shows no phone', () => {
    const system = { type: 'user_changed_user_id', user_id: 'ES.2', previous_user_id: 'ES.1234567890' }
    const event = parseMessage({ type: 'system', from: undefined, system }, { contacts: undefined })
    const current = [{ kind: 'bsuid', value: 'ES.2' }]
    expect(event).toMatchObject({ type: 'identity_changed', former: [bsuid], current })
  })

  test('has a new user id in the former field', () => {
    const update = { wa_id: '34612345678', user_id: { previous: 'ES.1', current: 'ES.1234567890' } }
    expect(parse('user_id_update', { metadata, user_id_update: [update] })).toMatchObject([
      { type: 'identity_changed', former: [{ kind: 'bsuid', value: 'ES.1' }], current: [phone, bsuid] },
    ])
  })

  test.each([
    ['stop', false],
    ['resume', true],
    ['something new', false],
  ])('answers marketing with %s', (value, accepts) => {
    const preference = {
      wa_id: '34612345678',
      category: 'marketing_messages',
      value,
      timestamp: 1_764_000_000,
    }
    expect(parse('user_preferences', { metadata, user_preferences: [preference] })).toMatchObject([
      { type: 'marketing_preference', from: [phone], accepts, at },
    ])
  })
})

describe('a message', () => {
  test('that was edited or deleted names the first one', () => {
    const edit = {
      original_message_id: 'wamid.0',
      message: { type: 'text', text: { body: 'Mejor a las 6' } },
    }
    expect(parseMessage({ type: 'edit', edit })).toMatchObject({
      type: 'edited',
      providerMessageId: 'wamid.0',
      content: { kind: 'text', text: 'Mejor a las 6' },
      from: [phone, bsuid],
    })
    expect(parseMessage({ type: 'revoke', revoke: { original_message_id: 'wamid.0' } })).toMatchObject({
      type: 'deleted',
      providerMessageId: 'wamid.0',
    })
  })

  test('of the owner, sent with the business app, is an echo to the person', () => {
    const echo = { from: '34910000000', to: '34612345678', to_user_id: 'ES.1234567890', id: 'wamid.2' }
    const echoes = [{ ...echo, timestamp: '1764000000', type: 'text', text: { body: 'Voy' } }]
    expect(parse('smb_message_echoes', { metadata, message_echoes: echoes })).toMatchObject([
      { type: 'message', isEcho: true, from: [phone, bsuid], content: { kind: 'text', text: 'Voy' } },
    ])
  })

  test.each<[string, object, object]>([
    [
      'a row of a list',
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'Lunes' } } },
      { kind: 'choice', id: 'r1', title: 'Lunes' },
    ],
    [
      'a completed form',
      {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{"day":"Monday"}' } },
      },
      { kind: 'unsupported', description: 'The person completed a form (flow). {"day":"Monday"}' },
    ],
    ['a kind of tomorrow', { type: 'hologram', hologram: {} }, { kind: 'unsupported' }],
    ['a kind named like a method', { type: 'constructor', constructor: {} }, { kind: 'unsupported' }],
    ['a file without id', { type: 'image', image: { mime_type: 'image/jpeg' } }, { kind: 'unsupported' }],
    [
      'a place that does not exist',
      { type: 'location', location: { latitude: 91, longitude: 0 } },
      { kind: 'unsupported' },
    ],
    ['an empty text', { type: 'text', text: { body: '' } }, { kind: 'unsupported' }],
  ])('is %s', (_what, message, content) => {
    expect(parseMessage(message)).toMatchObject({ type: 'message', content })
  })

  test('loses characters that the database cannot store', () => {
    const event = parseMessage({ type: 'text', text: { body: 'a\0b\ud800c' } })
    expect(event).toMatchObject({ content: { text: 'ab\ufffdc' } })
  })

  test.each<[string, object]>([
    ['in a group', { group_id: 'G1', type: 'text', text: { body: 'x' } }],
    ['of the first opening', { type: 'request_welcome' }],
  ])('%s is ignored', (_what, message) => expect(parseMessage(message)).toMatchObject({ type: 'ignored' }))

  test.each<[string, object]>([
    ['id', { id: undefined }],
    ['person', { from: 'nobody' }],
  ])('without %s is unreadable', (_what, change) => {
    const event = parseMessage({ type: 'text', text: { body: 'x' }, ...change }, { contacts: [] })
    expect(event.type).toBe('unreadable')
  })
})

test('what has no time of its own has that of its entry, or of its arrival', () => {
  const message = {
    from: '34612345678',
    id: 'wamid.1',
    timestamp: 'yesterday',
    type: 'text',
    text: { body: 'x' },
  }
  const value = { metadata, messages: [message] }
  expect(parse('messages', value)[0]!.at).toEqual(at)
  const [event] = parseBody(toBody('messages', value, 0), receivedAt)
  expect(event!.at).toEqual(receivedAt)
})

test('a status has our id, and a failure in our words', () => {
  const statuses = [
    {
      id: 'wamid.1',
      status: 'failed',
      timestamp: '1764000000',
      recipient_id: '34612345678',
      recipient_user_id: 'ES.1234567890',
      biz_opaque_callback_data: '019a0000-0000-7000-8000-000000000001',
      errors: [{ code: 131_047, title: 'Re-engagement message' }],
    },
    { id: 'wamid.2', status: 'warning', timestamp: '1764000000' },
    { id: 'wamid.3', status: 'constructor', timestamp: '1764000000' },
  ]
  expect(parse('messages', { metadata, statuses })).toMatchObject([
    {
      type: 'status',
      messageId: '019a0000-0000-7000-8000-000000000001',
      to: [phone, bsuid],
      status: 'failed',
      failure: { code: 'WINDOW_CLOSED', scope: 'recipient', providerCode: '131047' },
    },
    { type: 'ignored' },
    { type: 'ignored' },
  ])
})

test('a body has at most 10,000 events', () => {
  const statuses = Array.from({ length: eventsMax + 5 }, (_, index) => ({
    id: `wamid.${index}`,
    status: 'sent',
    timestamp: '1764000000',
  }))
  const events = parse('messages', { metadata, statuses })
  expect(events).toHaveLength(eventsMax)
  expect(events.at(-1)).toMatchObject({
    type: 'unreadable',
    reason: expect.stringContaining('10000 events or more'),
  })
})
