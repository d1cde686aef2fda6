/** Every webhook body of the fixtures, and what becomes of it. */
import { describe, expect, test } from 'vitest'
import { hasShared, listShared, readShared, sharedMissing } from '../../../../test/shared.ts'
import type { InboundEvent } from '../../chat.ts'
import { parseBody } from './parse-body.ts'

const person = [
  { kind: 'phone', value: '+972987654321' },
  { kind: 'bsuid', value: 'US.13491208655302741918' },
  { kind: 'bsuid', value: 'US.ENT.11815799212886844830' },
]
const content = (kind: string, fields: object = {}) => ({
  type: 'message',
  externalId: '1122334455667',
  from: person,
  profileName: 'Test Name',
  isEcho: false,
  nature: 'person',
  content: { kind, ...fields },
})
const file = (kind: string, fields: object = {}, caption: string | null = null) =>
  content('media', { media: [{ kind, ...fields }], caption })
const status = (name: string) => ({
  type: 'status',
  externalId: '1122334455667',
  providerMessageId: 'wamid.xyzxyz',
  to: person,
  status: name,
  failure: null,
  messageId: null,
})

const expected: Record<string, Record<string, object>> = {
  'webhook-message.json': {
    text: { ...content('text', { text: 'Body Text' }), providerMessageId: 'wamid.xyzxyz', replyTo: null },
    image: file('image', { providerMediaId: '65463453', mediaType: 'image/jpeg', fileName: null }),
    media_with_url: file('image', { providerMediaId: '65463453' }),
    video: file('video', { providerMediaId: '765756756' }, 'caption'),
    document: file('document', { fileName: 'filename.pdf', mediaType: 'application/pdf' }, 'caption'),
    audio: file('audio', { mediaType: 'audio/ogg; codecs=opus' }),
    voice: file('voice'),
    static_sticker: file('sticker', { mediaType: 'image/webp' }),
    animated_sticker: file('sticker'),
    reaction: { type: 'reaction', from: person, emoji: expect.stringMatching(/./) },
    unreaction_empty: { type: 'reaction', providerMessageId: 'wamid.yzxyzx=', emoji: null },
    unreaction_no_emoji: { type: 'reaction', providerMessageId: 'wamid.yzxyzx=', emoji: null },
    current_location: content('location', { latitude: 12.25089, longitude: 43.90539, name: null }),
    chosen_location: content('location', {
      name: 'Facebook HQ',
      address: '1 Hacker Way, Menlo Park, CA 94025',
    }),
    contacts: content('contacts', {
      contacts: [
        { name: 'Chandler Bing', phones: ['+1 555-555-5555'], emails: [] },
        { name: 'Monica', phones: ['+1 666-666-6666'], emails: [] },
        { name: 'Rachel Green', phones: ['+1 777-777-7777'], emails: [] },
      ],
    }),
    order: content('unsupported', { description: 'An order of 3 products of the catalogue.' }),
    unsupported: content('unsupported', {
      description: 'A message of the kind “unknown”. WhatsApp says: Message type is currently not supported.',
    }),
    unsupported_with_type: content('unsupported', { description: expect.stringContaining('“pool”') }),
    reply: { ...content('text', { text: 'replied text' }), replyTo: 'wamid.xyzxyz==' },
    forwarded: { ...content('text', { text: 'forwarded text' }), replyTo: null },
    forwarded_many_times: content('text', { text: 'text forwarded many times' }),
    interactive_message_with_err: content('unsupported', {
      description: 'A message of the kind “interactive”. WhatsApp says: Unsupported webhook payload',
    }),
    referral: {
      ...content('text', { text: 'BODY' }),
      referral: { source: 'ad or post', url: 'AD_OR_POST_FB_URL', headline: 'AD_TITLE' },
    },
  },
  'webhook-message_status.json': {
    sent: status('sent'),
    delivered: status('delivered'),
    read: status('read'),
    played: status('read'),
    failed: {
      ...status('failed'),
      failure: {
        code: 'RECIPIENT_LIMIT',
        providerCode: '130472',
        scope: 'recipient',
        retryable: false,
        retryAfterMs: 0,
      },
    },
    with_tracker: { ...status('sent'), messageId: 'some data' },
    group: { type: 'ignored', what: 'a status in a group' },
  },
  'webhook-system.json': {
    phone_number_change: {
      type: 'identity_changed',
      former: [{ kind: 'phone', value: '+972987654321' }],
      current: [{ kind: 'phone', value: '+972912345678' }],
    },
    identity_change: { type: 'ignored', what: 'system: customer_identity_changed' },
  },
  'webhook-callback_button.json': {
    button: { ...content('choice', { id: 'callback_data', title: 'title' }), replyTo: 'wamid.xyzxyz' },
    quick_reply: content('choice', { id: 'callback_data', title: 'title' }),
    quick_reply_without_context: { ...content('choice', { id: 'callback_data' }), replyTo: null },
  },
  'webhook-template_status_update.json': {
    approved: {
      type: 'template_status',
      providerTemplateId: '1689556908129832',
      providerName: 'order_confirmation',
      language: 'en-US',
      status: 'approved',
      category: 'utility',
      reason: null,
      at: Temporal.Instant.from('2025-06-30T01:39:08Z'),
    },
    rejected: {
      providerName: 'abandoned_cart',
      language: 'en',
      status: 'rejected',
      reason: expect.stringMatching(/^Your template has parameters .* Separate parameters with/),
    },
  },
  'webhook-template_category_update.json': {
    marketing: {
      type: 'template_status',
      providerName: 'my_message_template',
      language: 'he',
      status: null,
      category: 'marketing',
    },
  },
  'webhook-user_marketing_preferences.json': {
    resume: {
      type: 'marketing_preference',
      from: [{ kind: 'phone', value: '+16505551234' }],
      accepts: true,
      at: Temporal.Instant.from('2024-11-15T21:22:01Z'),
    },
    signup: { type: 'marketing_preference', accepts: true },
  },
}

// Temporal.Instant has no own properties to compare.
const withText = (value: object) => ('at' in value ? { ...value, at: String(value.at) } : value)
const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')
const parse = (value: unknown): InboundEvent[] => parseBody(Buffer.from(JSON.stringify(value)), receivedAt)

describe.skipIf(!hasShared)(
  `the webhook bodies of the fixtures${hasShared ? '' : `: ${sharedMissing}`}`,
  () => {
    const folder = 'fixtures/whatsapp'
    const files = hasShared ? listShared(folder, '.json').filter(name => name.startsWith('webhook-')) : []

    test('are all covered here', () => {
      const names = files.map(name => [name, Object.keys(JSON.parse(readShared(`${folder}/${name}`))).sort()])
      const covered = Object.entries(expected).map(([name, cases]) => [name, Object.keys(cases).sort()])
      expect(Object.fromEntries(covered)).toEqual(Object.fromEntries(names))
    })

    for (const name of files)
      for (const [key, body] of Object.entries<object>(JSON.parse(readShared(`${folder}/${name}`))))
        test(`${name}: ${key}`, () => {
          const events = parse(body)
          expect(events.map(withText)).toMatchObject([withText(expected[name]?.[key] ?? {})])
        })
  },
)
