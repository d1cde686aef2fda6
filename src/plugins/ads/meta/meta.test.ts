/** What Meta writes in several forms, and its errors. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAdsTrial, startAdsTrial } from '../../../../test/ads-trial.ts'
import { hasShared, readSharedBytes, sharedMissing } from '../../../../test/shared.ts'
import { type HttpClient, HttpFailure, type HttpReply } from '../../../kit/http/client.ts'
import type { AdError } from '../../ads.ts'
import { meta } from './index.ts'

const credentials = {
  pageId: '138124712925158',
  accessToken: 'simulated-page-access-token',
  appSecret: '0123456789abcdef0123456789abcdef',
}

let trial: OpenAdsTrial
beforeAll(async () => {
  trial = await startAdsTrial()
})
afterAll(() => trial.close())
const context = () => ({ ...trial.context, signal: AbortSignal.timeout(10_000) })

/** A client whose replies are given, by path. */
function answer(
  replies: Record<string, { status?: number; body: object; headers?: Record<string, string> }>,
) {
  const calls: string[] = []
  const http = {
    async fetch(url: string): Promise<HttpReply> {
      const { pathname, searchParams } = new URL(url)
      calls.push(`${pathname} ${searchParams.get('fields')}`)
      const found = Object.entries(replies).find(([key]) =>
        `${pathname} ${searchParams.get('fields')}`.includes(key),
      )
      if (!found) throw new HttpFailure('no-connection' as never, 'refused', { isSent: false })
      const { status = 200, body, headers = {} } = found[1]
      return { status, headers, body: Buffer.from(JSON.stringify(body)) } as unknown as HttpReply
    },
  } as unknown as HttpClient
  return {
    calls,
    context: { http, baseUrl: 'http://graph.example/v23.0', signal: AbortSignal.timeout(10_000) },
  }
}

const lead = {
  id: '42',
  form_id: '7',
  created_time: '2026-11-26T10:00:00+0000',
  field_data: [{ name: 'full_name', values: ['Ana'] }],
}

describe('a lead', () => {
  test('boxes count as ticked in every notation of Graph, and only then', async () => {
    const states = ['1', 'true', true, 1, '', '0', 'false', false, null, undefined, 'yes']
    const boxes = states.map((state, index) => ({ checkbox_key: `b${index}`, is_checked: state }))
    const { context } = answer({ '/42': { body: { ...lead, custom_disclaimer_responses: boxes } } })
    const read = await meta.readLead(credentials, { leadId: '42', content: null }, context)
    expect(read.boxes.map(({ isTicked }) => isTicked)).toEqual(states.map((_, index) => index < 4))
  })

  test('is read without the names of ads if the token may not see them', async () => {
    const { context, calls } = answer({
      ad_id: { status: 403, body: { error: { code: 200, message: '(#200) Requires ads_management' } } },
      '/42': { body: lead },
    })
    const read = await meta.readLead(credentials, { leadId: '42', content: null }, context)
    expect(read.ad.id).toBeNull()
    expect(calls).toHaveLength(2)
  })

  test('is a test if Meta made it up', async () => {
    const values = [{ name: 'email', values: ['<test lead: dummy data for email>'] }]
    const { context } = answer({ '/42': { body: { ...lead, field_data: values } } })
    expect((await meta.readLead(credentials, { leadId: '42', content: null }, context)).isTest).toBe(true)
  })

  test('of another id, without answers or with an absurd time is an error, never a lead', async () => {
    for (const change of [{ id: '43' }, { field_data: null }, { created_time: 'yesterday' }]) {
      const { context } = answer({ '/42': { body: { ...lead, ...change } } })
      const call = meta.readLead(credentials, { leadId: '42', content: null }, context)
      await expect(call).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    }
  })

  test('has bounded answers', async () => {
    const answers = Array.from({ length: 500 }, (_, index) => ({
      name: `q${index}`,
      values: ['x'.repeat(9000)],
    }))
    const { context } = answer({ '/42': { body: { ...lead, field_data: answers } } })
    const read = await meta.readLead(credentials, { leadId: '42', content: null }, context)
    expect(read.answers).toHaveLength(100)
    expect(read.answers[0]!.value).toHaveLength(5000)
  })
})

test('a consent text is read with texts and lists in both notations of Graph', async () => {
  const boxes = [
    { key: 'a', text: 'Acepto' },
    { key: 'b', text: 'Novedades', is_required: false, is_checked_by_default: true },
    { key: 'c' },
  ]
  for (const [body, checkboxes] of [
    ['Texto', boxes],
    [{ text: 'Texto', url_entities: [] }, { data: boxes }],
  ]) {
    const form = {
      id: '7',
      name: 'F',
      status: 'ACTIVE',
      legal_content: { custom_disclaimer: { title: 'T', body, checkboxes } },
    }
    const { context } = answer({ leadgen_forms: { body: { data: [form, { id: {} }] } } })
    expect(await meta.listForms(credentials, context)).toEqual([
      {
        id: '7',
        name: 'F',
        isActive: true,
        locale: null,
        questions: [],
        consent: {
          title: 'T',
          text: 'Texto',
          boxes: [
            { key: 'a', text: 'Acepto', isRequired: true, isTickedBefore: false },
            { key: 'b', text: 'Novedades', isRequired: false, isTickedBefore: true },
          ],
        },
      },
    ])
  }
})

test('forms are read without their consent text if Graph does not know the field', async () => {
  const { context, calls } = answer({
    legal_content: {
      status: 400,
      body: { error: { code: 100, message: '(#100) Tried accessing nonexisting field' } },
    },
    leadgen_forms: { body: { data: [{ id: '7', name: 'F', status: 'ARCHIVED' }] } },
  })
  expect(await meta.listForms(credentials, context)).toMatchObject([
    { id: '7', isActive: false, consent: null },
  ])
  expect(calls).toHaveLength(2)
})

test.each<[what: string, status: number, error: object, expected: Partial<AdError>]>([
  ['an expired token', 400, { code: 190, error_subcode: 463 }, { code: 'INVALID_CREDENTIALS' }],
  [
    'a wrong app secret',
    400,
    { code: 100, message: 'Invalid appsecret_proof provided' },
    { code: 'INVALID_CREDENTIALS' },
  ],
  ['a missing permission', 403, { code: 200 }, { code: 'PERMISSION_MISSING' }],
  ['a missing lead', 400, { code: 100, error_subcode: 33 }, { code: 'NOT_FOUND' }],
  ['the limit of lead ads', 400, { code: 80005 }, { code: 'RATE_LIMITED', retryAfterMs: 300_000 }],
  ['a passing fault', 500, { code: 1 }, { code: 'UNAVAILABLE' }],
  ['a passing fault without a known code', 400, { code: 9999, is_transient: true }, { code: 'UNAVAILABLE' }],
  [
    'another refusal',
    400,
    { code: 100, message: 'Bad\nvalue' },
    { code: 'REJECTED', message: 'Meta does not accept the request. Meta says: Bad value.' },
  ],
])('%s has its code', async (_what, status, error, expected) => {
  const usage = { 1: [{ estimated_time_to_regain_access: 5 }] }
  const headers = { 'x-business-use-case-usage': JSON.stringify(usage) }
  const { context } = answer({ '/': { status, body: { error }, headers } })
  await expect(meta.listForms(credentials, context)).rejects.toMatchObject(expected)
})

test('an app that receives other fields of the page keeps them', async () => {
  const { simulator } = trial
  await meta.connect(credentials, context())
  expect(simulator.subscribedFields).toEqual(['feed', 'leadgen'])
  await meta.disconnect(credentials, context())
  expect(simulator.subscribedFields).toEqual(['feed'])
  await meta.connect(credentials, context())
})

test('leads since a time are read over many pages, each once', async () => {
  const { simulator, formId } = trial
  const before = Temporal.Now.instant()
  const ids = Array.from({ length: 230 }, () => simulator.submit().id)
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: { leads: { id: string }[]; cursor: string | null } = await meta.listLeads(
      credentials,
      { formId, since: before, cursor },
      context(),
    )
    found.push(...page.leads.map(({ id }) => id))
    cursor = page.cursor
  } while (cursor)
  expect(found.toSorted()).toEqual(ids.toSorted())
})

test('ids that are numbers beyond doubles keep their digits', () => {
  const body =
    '{"object":"page","entry":[{"id":1,"changes":[{"field":"leadgen","value":{"page_id":12345678901234567,"form_id":7,"leadgen_id":98765432109876543210}}]}]}'
  expect(meta.webhook.parse(Buffer.from(body))).toEqual([
    { pageId: '12345678901234567', formId: '7', leadId: '98765432109876543210', content: null },
  ])
})

test('other fields and other objects bring no leads', () => {
  const change = { field: 'feed', value: { page_id: '1', form_id: '2', leadgen_id: '3' } }
  expect(
    meta.webhook.parse(Buffer.from(JSON.stringify({ object: 'page', entry: [{ changes: [change] }] }))),
  ).toEqual([])
  expect(meta.webhook.parse(Buffer.from(JSON.stringify({ object: 'user', entry: [] })))).toBeNull()
})

describe.skipIf(!hasShared)(`Meta’s own sample${hasShared ? '' : `: ${sharedMissing}`}`, () => {
  test('is read and verified', () => {
    const body = readSharedBytes('fixtures/meta-leads/leadgen-notification.json')
    expect(meta.webhook.parse(body)).toEqual([
      { pageId: '138124712925158', formId: '172036835026334', leadId: '233370042045345', content: null },
    ])
    const signature = createHmac('sha256', credentials.appSecret).update(body).digest('hex')
    const verify = (header: string) =>
      meta.webhook.verify({ headers: { 'x-hub-signature-256': header }, body }, { credentials })
    expect(verify(`sha256=${signature}`)).toBe(true)
    expect(verify(`sha256=${'0'.repeat(64)}`)).toBe(false)
  })

  test('has a challenge that is answered', () => {
    const collection = JSON.parse(
      readSharedBytes('fixtures/meta-leads/lead-ads-webhook.postman_collection.json').toString(),
    ) as { item: { request: { url: { query?: { key: string; value: string }[] } } }[] }
    const queries = collection.item.map(({ request }) => request.url?.query ?? [])
    const sent = queries.find(query => query.some(({ key }) => key === 'hub.challenge'))!
    const query = new URLSearchParams(sent.map(({ key, value }) => [key, value]))
    expect(meta.webhook.challenge(query, 'leadAdsRockPlayer')).toBe('1158201444')
    expect(meta.webhook.challenge(query, 'another')).toBeNull()
  })
})
