/** People who are added to a campaign: rows of a file, and leads by their ids. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { RecipientUpload } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

type Body = RecipientUpload & { code: string; errors: { path: string; code: string }[] }

const make = (overrides: Parameters<typeof makeCampaign>[1] = {}) =>
  tenant.inTenant(tx => makeCampaign(tx, overrides))

const upload = (
  campaignId: string,
  file: string | Uint8Array<ArrayBuffer>,
  { query = '', contentType = 'text/csv', ...headers }: Record<string, string> = {},
) =>
  tenant.call<Body>('POST', `/campaigns/${campaignId}/recipients${query}`, {
    rawBody: file,
    contentType,
    headers,
  })

const addLeads = (campaignId: string, leadIds: unknown) =>
  upload(campaignId, JSON.stringify({ leadIds }), { contentType: 'application/json' })

const listRecipients = async (campaignId: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ leadId: string; status: string }>`
      select lead_id as "leadId", status from campaign_recipients
      where tenant_id = ${tenant.tenantId} and campaign_id = ${campaignId}`.execute(tx),
  )
  return rows
}

const toPhone = (number: number) => `6123${String(number).padStart(5, '0')}`
const toCsv = (count: number, from = 0) =>
  `Nombre;Teléfono\n${Array.from({ length: count }, (_, at) => `Ana ${from + at};${toPhone(from + at)}`).join('\n')}\n`

const lawfulBasis = { kind: 'consent' as const, note: 'Form: write to me.' }

describe('a file', () => {
  test('becomes leads that join, with the lawful basis of the campaign; each refused row has its number and why', async () => {
    const campaignId = await make({ settings: { lawfulBasis } })
    const file = `${toCsv(2)};nada\nAna 0;${toPhone(0)}\n`
    const { status, body } = await upload(campaignId, file)
    expect(status).toBe(202)
    expect(body).toEqual({
      importId: expect.any(String),
      status: 'COMPLETED',
      error: null,
      received: 4,
      joined: 2,
      refused: 2,
      refusedByReason: { NOT_IDENTIFIABLE: 1, DUPLICATE_IN_FILE: 1 },
      refusedRows: [
        {
          rowNumber: 4,
          leadId: null,
          code: 'NOT_IDENTIFIABLE',
          message: expect.stringContaining('identifies a lead'),
        },
        {
          rowNumber: 5,
          leadId: expect.any(String),
          code: 'DUPLICATE_IN_FILE',
          message: expect.stringContaining('row 2'),
        },
      ],
    })
    const leads = await tenant.listAllLeads()
    expect(leads.map(({ contactability }) => contactability.lawfulBasis)).toEqual(['consent', 'consent'])
    expect((await listRecipients(campaignId)).map(({ leadId }) => leadId).toSorted()).toEqual(
      leads.map(({ id }) => id).toSorted(),
    )
    expect(leads).toMatchObject([{ campaignId, sources: [{ campaignId }] }, { campaignId }])
    expect((await tenant.listLeads({ campaignId })).data).toHaveLength(2)
    const { body: read } = await tenant.call<{ campaignId: string }>('GET', `/leads/imports/${body.importId}`)
    expect(read.campaignId).toBe(campaignId)
  })

  test('may be NDJSON, with a mapping of its own, and is sent while the campaign is a draft, runs or is paused', async () => {
    for (const status of ['draft', 'running', 'paused'] as const) {
      const campaignId = await make({ status })
      const line = (n: number) => JSON.stringify({ wer: `Ana ${n}`, wie: `+346${status.length}300000${n}` })
      const query = `?mapping=${encodeURIComponent('{"wer":"contact.name","wie":"contact.phone"}')}`
      const { body } = await upload(campaignId, `${line(1)}\n${line(2)}\nnonsense\n`, {
        query,
        contentType: 'application/x-ndjson',
      })
      expect(body).toMatchObject({ joined: 2, refusedRows: [{ rowNumber: 3, code: 'NOT_JSON' }] })
    }
  })

  test('sent again adds nobody; a person whom another campaign writes to is refused, in the rows of the import too', async () => {
    const [campaignId, other] = [await make(), await make()]
    await upload(campaignId, toCsv(3))
    expect((await upload(campaignId, toCsv(3))).body).toMatchObject({
      joined: 0,
      refusedByReason: { ALREADY_JOINED: 3 },
    })
    const { body } = await upload(other, toCsv(4))
    expect(body).toMatchObject({ joined: 1, refusedByReason: { IN_ANOTHER_CAMPAIGN: 3 } })
    const { body: rows } = await tenant.call<{ data: { problems: { code: string }[] }[] }>(
      'GET',
      `/leads/imports/${body.importId}/rows`,
    )
    expect(rows.data.map(({ problems }) => problems[0]?.code)).toEqual([
      ...Array(3).fill('IN_ANOTHER_CAMPAIGN'),
      undefined,
    ])
  })

  test('with onMatch=skip leaves known leads as they are, and they join', async () => {
    const campaignId = await make()
    await tenant.call('POST', '/leads', { body: { contact: { name: 'Ana 0', phone: toPhone(0) } } })
    const { body } = await upload(campaignId, toCsv(2), { query: '?onMatch=skip' })
    expect(body).toMatchObject({ joined: 2, refused: 0 })
  })

  test('of which the end is not waited for goes on joining', async () => {
    const campaignId = await make()
    const { body } = await upload(campaignId, toCsv(1200), { query: '?waitSeconds=0' })
    expect(body.received).toBeLessThan(1200)
    await eventually(
      () => listRecipients(campaignId),
      recipients => recipients.length === 1200,
    )
  })

  test('with an Idempotency-Key is stored once', async () => {
    const campaignId = await make()
    const key = { 'idempotency-key': 'file-1' }
    const [first, second] = [await upload(campaignId, toCsv(2), key), await upload(campaignId, toCsv(2), key)]
    expect(second.body).toEqual(first.body)
    expect(first.body).toMatchObject({ status: 'COMPLETED', joined: 2 })
  })

  test('is refused by a portal, by a completed campaign, and if it is no table', async () => {
    const filters = {
      operation: 'sale',
      propertyType: 'homes',
      location: { id: 'barcelona', label: 'Barcelona' },
    }
    const none = { expectedResults: null, totalResults: null, messageRestartDate: null }
    const portal = await make({ platform: 'portal_a', segmentation: { filters, ...none } })
    const refuse = async (id: string, file = toCsv(1)) => {
      const { status, body } = await upload(id, file)
      return [status, body.code]
    }
    expect(await refuse(portal)).toEqual([422, 'FILES_NOT_TAKEN'])
    expect(await refuse(await make({ status: 'completed' }))).toEqual([409, 'RECIPIENTS_NOT_TAKEN'])
    expect(await refuse(await make(), '\u0000\u0001\u0002')).toEqual([400, 'INVALID_INPUT'])
    expect(await refuse('01980a4e-cccc-7c3e-9d7a-2f6b1c0d9e8f')).toEqual([404, 'NOT_FOUND'])
  })
})

describe('a hostile file', () => {
  test('with one endless row fails and says why; the rows before it have joined', async () => {
    const campaignId = await make()
    const { status, body } = await upload(campaignId, `${toCsv(1)}"${'Ana\n'.repeat(1_500_000)}`)
    expect([status, body.status, body.error?.code]).toEqual([202, 'FAILED', 'ROW_TOO_LARGE'])
    expect(body.error!.message).toMatch(/line 3 .* 4 MiB/)
    expect(body.joined).toBe(1)
  })

  test.each<[string, string | Uint8Array<ArrayBuffer>, number, object]>([
    ['with a million columns', `${'a;'.repeat(1_000_000)}\n`, 400, { code: 'INVALID_INPUT' }],
    [
      'with a row of a million cells',
      `${toCsv(1)}Eva;${toPhone(2)}${';'.repeat(1_000_000)}\n`,
      202,
      { joined: 2 },
    ],
    ['with NUL characters', `${toCsv(1)}E\u0000va;${toPhone(2)}\n`, 400, { code: 'INVALID_INPUT' }],
    ['in UTF-16', Buffer.from(`\uFEFF${toCsv(2)}`, 'utf16le'), 202, { joined: 2 }],
    ['in Latin-1', Buffer.from(toCsv(2), 'latin1'), 202, { joined: 2 }],
    ['without a row', 'Nombre;Teléfono\n', 202, { joined: 0, received: 0 }],
  ])('%s is read or refused whole', async (_what, file, status, expected) => {
    const reply = await upload(await make(), file)
    expect([reply.status, reply.body]).toMatchObject([status, expected])
  })

  test('that is cut off in the middle leaves nothing, and may be sent again', async () => {
    const campaignId = await make()
    const file = toCsv(50)
    const request = httpRequest(`${app.url}/public/v1/campaigns/${campaignId}/recipients`, {
      method: 'POST',
      headers: {
        'X-Api-Key': tenant.key,
        'Content-Type': 'text/csv',
        'Content-Length': Buffer.byteLength(file),
      },
    })
    const ended = new Promise(resolve => request.on('error', () => {}).on('close', resolve))
    await new Promise(resolve => request.write(file.slice(0, 700), resolve))
    request.destroy()
    await ended
    expect((await upload(campaignId, file)).body.joined).toBe(50)
    const { body } = await tenant.call<{ data: object[] }>('GET', '/leads/imports')
    expect(body.data.length).toBe(1)
  })
})

describe('leads', () => {
  const makeLead = async (number: number) =>
    (
      await tenant.call<{ id: string }>('POST', '/leads', {
        body: { contact: { name: `Ana ${number}`, phone: toPhone(number) } },
      })
    ).body.id

  test('join by their ids; an unknown one is refused alone', async () => {
    const campaignId = await make()
    const [known, unknown] = [await makeLead(1), '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f']
    const { status, body } = await addLeads(campaignId, [known, unknown])
    expect([status, body]).toMatchObject([
      202,
      {
        importId: null,
        status: 'COMPLETED',
        received: 2,
        joined: 1,
        refusedRows: [{ rowNumber: null, leadId: unknown, code: 'UNKNOWN_LEAD' }],
      },
    ])
    expect(await listRecipients(campaignId)).toEqual([{ leadId: known, status: 'waiting' }])
  })

  test('that are sent twice count once', async () => {
    const [known, unknown] = [await makeLead(1), '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f']
    const ids = [known, known.toUpperCase(), unknown, unknown]
    const { body } = await addLeads(await make(), ids)
    expect(body).toMatchObject({ received: 2, joined: 1, refused: 1 })
  })

  test.each([
    ['no JSON', '{', 'MALFORMED_JSON', undefined],
    ['no ids', '{"leadIds":[]}', 'INVALID_INPUT', '/leadIds'],
    ['a wrong id', '{"leadIds":["x"]}', 'INVALID_INPUT', '/leadIds/0'],
    [
      'an unknown field',
      '{"leadIds":["01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f"],"leads":1}',
      'INVALID_INPUT',
      '/leads',
    ],
  ])('are refused with %s', async (_name, json, code, path) => {
    const { status, body } = await upload(await make(), json, { contentType: 'application/json' })
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, code, path])
  })

  test('are refused by a campaign that only extracts', async () => {
    const campaignId = await make({ mode: 'extract_only' })
    const { status, body } = await addLeads(campaignId, [await makeLead(1)])
    expect([status, body.code]).toEqual([409, 'RECIPIENTS_NOT_TAKEN'])
  })
})
