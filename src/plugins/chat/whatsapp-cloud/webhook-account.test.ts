/** Webhook bodies about the account and its templates. */
import { expect, test } from 'vitest'
import { parseBody } from './parse-body.ts'

const parse = (field: string, value: object) =>
  parseBody(
    Buffer.from(
      JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [{ id: '1', time: 1_764_000_000, changes: [{ field, value }] }],
      }),
    ),
    Temporal.Instant.from('2026-11-26T10:00:00Z'),
  )
const restriction = (restriction_type: string) => ({
  event: 'ACCOUNT_RESTRICTION',
  restriction_info: [
    { restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration: '2026-12-01T00:00:00+0000' },
    { restriction_type, expiration: '2026-12-02T00:00:00+0000' },
  ],
})
const ban = (waba_ban_state: string) => ({
  event: 'DISABLED_UPDATE',
  ban_info: { waba_ban_state, waba_ban_date: 'November 20, 2026' },
})
const alert = (alert_severity: string) => ({
  entity_type: 'PHONE_NUMBER',
  entity_id: '106540352242922',
  alert_info: {
    alert_severity,
    alert_status: 'ACTIVE',
    alert_type: 'OBA',
    alert_description: 'Verify more.',
  },
})

test.each<[string, object, object]>([
  [
    'account_update',
    ban('DISABLE'),
    { status: 'BANNED', reason: expect.stringContaining('November 20, 2026') },
  ],
  ['account_update', ban('SCHEDULE_FOR_DISABLE'), { status: 'DEGRADED' }],
  ['account_update', ban('REINSTATE'), { status: 'CONNECTED', reason: null }],
  [
    'account_update',
    restriction('RESTRICTED_BIZ_INITIATED_MESSAGING'),
    {
      status: 'RESTRICTED',
      canAnswer: true,
      reason: expect.stringContaining('until 2026-12-02'),
      restrictedUntil: '2026-12-02T00:00:00Z',
    },
  ],
  [
    'account_update',
    {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1_800_000_000 },
      ],
    },
    {
      status: 'RESTRICTED',
      canAnswer: true,
      reason:
        'WhatsApp has restricted the account: it may not write to people who have not written until 2027-01-15T08:00:00Z. It may still answer those who have written within 24 hours.',
    },
  ],
  [
    'account_update',
    {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' },
        { restriction_type: 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING' },
      ],
    },
    { status: 'RESTRICTED', canAnswer: false, reason: expect.stringContaining('may not answer people') },
  ],
  ['account_update', restriction('RESTRICTED_USER_INITIATED_CALLING'), { status: 'DEGRADED' }],
  [
    'account_update',
    { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SCAM' } },
    { status: 'DEGRADED', reason: expect.stringContaining('SCAM') },
  ],
  ['account_update', { event: 'ACCOUNT_DELETED' }, { status: 'LOGGED_OUT' }],
  ['account_update', { event: 'ACCOUNT_OFFBOARDED' }, { status: 'LOGGED_OUT' }],
  ['account_update', { event: 'ACCOUNT_RECONNECTED' }, { status: 'CONNECTED', reason: null }],
  ['account_update', { event: 'PARTNER_REMOVED' }, { status: 'LOGGED_OUT' }],
  ['account_update', { event: 'PARTNER_APP_UNINSTALLED' }, { status: 'LOGGED_OUT' }],
  ['account_review_update', { decision: 'REJECTED' }, { status: 'RESTRICTED' }],
  ['account_alerts', alert('CRITICAL'), { status: 'DEGRADED', reason: 'WhatsApp reports: Verify more.' }],
  [
    'phone_number_name_update',
    { decision: 'REJECTED', rejection_reason: 'NAME_BAD' },
    { status: 'DEGRADED', reason: expect.stringContaining('NAME_BAD') },
  ],
  [
    'phone_number_quality_update',
    { event: 'FLAGGED', current_limit: 'TIER_1K' },
    { status: 'DEGRADED', quality: 'low', tier: 'TIER_1K', dailyLimit: 1000 },
  ],
  ['phone_number_quality_update', { event: 'UNFLAGGED' }, { status: 'CONNECTED', quality: 'medium' }],
  [
    'phone_number_quality_update',
    { event: 'UPGRADE', max_daily_conversations_per_business: 'TIER_UNLIMITED', current_limit: 'TIER_1K' },
    { tier: 'TIER_UNLIMITED', dailyLimit: null },
  ],
  [
    'business_capability_update',
    { max_daily_conversations_per_business: 2000 },
    { tier: '2000', dailyLimit: 2000 },
  ],
  ['business_capability_update', { max_daily_conversation_per_phone: -1 }, { dailyLimit: null }],
])('%s %j is a state of the account', (field, value, health) => {
  expect(parse(field, value)).toMatchObject([{ type: 'account_status', health }])
})

test.each<[string, object]>([
  ['account_update', { event: 'PARTNER_ADDED' }],
  ['account_update', { event: 'constructor' }],
  ['account_review_update', { decision: 'APPROVED' }],
  ['account_alerts', alert('INFORMATIONAL')],
  ['phone_number_name_update', { decision: 'APPROVED' }],
  ['phone_number_quality_update', { event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_NOT_SET' }],
  ['calls', { calls: [] }],
  ['history', { history: [] }],
  ['field_of_tomorrow', {}],
  ['__proto__', {}],
])('%s %j is ignored', (field, value) => {
  expect(parse(field, value)).toMatchObject([{ type: 'ignored' }])
})

test('a state names the number if it concerns only one', () => {
  expect(
    parse('phone_number_quality_update', { event: 'FLAGGED', display_phone_number: '34910000000' }),
  ).toMatchObject([{ externalId: '+34910000000' }])
  expect(parse('account_alerts', alert('CRITICAL'))).toMatchObject([{ externalId: '106540352242922' }])
  expect(parse('account_update', ban('DISABLE'))).toMatchObject([{ externalId: '1' }])
})

test.each<[string, object, object]>([
  [
    'message_template_status_update',
    {
      event: 'PAUSED',
      reason: 'NONE',
      other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours.' },
    },
    { status: 'paused', reason: 'Paused for 3 hours.' },
  ],
  [
    'message_template_status_update',
    { event: 'REJECTED', reason: 'ABUSIVE_CONTENT' },
    { status: 'rejected', reason: 'WhatsApp names the reason ABUSIVE_CONTENT.' },
  ],
  [
    'message_template_status_update',
    { event: 'DISABLED', reason: 'NONE', disable_info: { disable_date: 'DATE' } },
    { status: 'disabled', reason: 'WhatsApp has disabled the template.' },
  ],
  ['message_template_status_update', { event: 'LOCKED' }, { status: null }],
  [
    'message_template_quality_update',
    { previous_quality_score: 'GREEN', new_quality_score: 'RED' },
    { status: null, reason: 'WhatsApp rates the quality of the template as low.' },
  ],
  [
    'template_category_update',
    { correct_category: 'MARKETING', new_category: 'UTILITY' },
    { category: 'utility', reason: expect.stringContaining('marketing') },
  ],
])('%s %j is a state of the template', (field, value, event) => {
  const template = {
    message_template_id: 123,
    message_template_name: 'visita',
    message_template_language: 'pt_BR',
  }
  expect(parse(field, { ...template, ...value })).toMatchObject([
    {
      type: 'template_status',
      providerTemplateId: '123',
      providerName: 'visita',
      language: 'pt-BR',
      ...event,
    },
  ])
})
