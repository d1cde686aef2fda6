/** One refusal lists all errors of a request: those of schemas, headers, rules, the database and the name service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../src/kit/id.ts'
import { type CallOptions, startTestApp, type TestApp } from './harness.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

interface Refusal {
  code: string
  message: string
  errors: { path: string; code: string; message: string }[]
  moreErrors?: number
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', ALLOWED_PRIVATE_RANGES: '' } })
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

async function expectRejected(
  method: string,
  path: string,
  options: Omit<CallOptions, 'key'>,
): Promise<Refusal> {
  const { status, body, text } = await tenant.call<Refusal>(method, path, options)
  expect(status, text).toBe(400)
  return body
}

const formatErrors = ({ errors }: Refusal) => errors.map(({ path, code }) => `${path} ${code}`).toSorted()

/** Errors of a lead, each of another type. */
const faultyLead = {
  status: 'nwe',
  contact: { phone: '12', email: 'no address', identifiers: ['612345678', 'nobody'] },
  property: { price: -1, features: ['lift', 'moat'] },
  ownerUserId: newId(),
}
const leadErrors = [
  '/contact/email WRONG_FORMAT',
  '/contact/identifiers/1 WRONG_FORMAT',
  '/contact/phone WRONG_FORMAT',
  '/ownerUserId UNKNOWN_USER',
  '/property/features/1 NOT_ALLOWED',
  '/property/price TOO_SMALL',
  '/status NOT_ALLOWED',
]

const privateWebhook = {
  url: 'http://localhost:4500/',
  headers: { Host: 'crm.example' },
  events: ['lead.invented'],
}
const privateWebhookErrors = [
  '/events/0 NOT_ALLOWED',
  '/headers/Host HEADER_RESERVED',
  '/url ADDRESS_REFUSED',
]

test.each<[method: string, path: string, options: Omit<CallOptions, 'key'>, places: string[]]>([
  [
    'POST',
    '/leads',
    { body: faultyLead, headers: { 'idempotency-key': 'x'.repeat(300) } },
    ['/Idempotency-Key WRONG_LENGTH', ...leadErrors],
  ],
  [
    'PATCH',
    `/leads/${newId()}`,
    { body: { ...faultyLead, statu: 1 }, headers: { 'if-match': '"7' } },
    ['/If-Match WRONG_FORMAT', ...leadErrors, '/statu UNKNOWN_FIELD'],
  ],
  ['PUT', '/leads/by-external-id/crm-1', { body: faultyLead }, leadErrors],
  [
    'POST',
    '/leads/batch',
    { body: { leads: [{ contact: { name: 'Marta' } }, faultyLead, { contact: { phone: '12' } }] } },
    [...leadErrors.map(place => `/leads/1${place}`), '/leads/2/contact/phone WRONG_FORMAT'],
  ],
  [
    'PATCH',
    '/leads',
    {
      body: {
        ids: [newId()],
        filter: { minPrice: 2, maxPrice: 1, statsu: 'new' },
        changes: {
          status: 'nwe',
          ownerUserId: newId(),
          lawfulBasis: { kind: 'contract', expiresAt: '2020-01-01T00:00:00Z' },
        },
      },
    },
    [
      '/changes/lawfulBasis/expiresAt TOO_EARLY',
      '/changes/ownerUserId UNKNOWN_USER',
      '/changes/status NOT_ALLOWED',
      '/filter/maxPrice CONTRADICTION',
      '/filter/statsu UNKNOWN_FIELD',
      '/ids CONTRADICTION',
    ],
  ],
  ['DELETE', '/leads', { body: { erase: 1 } }, ['/erase WRONG_TYPE', '/ids REQUIRED']],
  [
    'GET',
    '/leads?minPrice=2&maxPrice=1&limit=0&status=nwe&fields=prise',
    {},
    ['/fields NOT_ALLOWED', '/limit TOO_SMALL', '/maxPrice CONTRADICTION', '/status NOT_ALLOWED'],
  ],
  ['GET', '/events?types=lead.craeted&limit=0', {}, ['/limit TOO_SMALL', '/types NOT_ALLOWED']],
  [
    'POST',
    '/suppressions',
    {
      body: {
        identifiers: [
          { kind: 'phone', value: '12' },
          { kind: 'fax', value: '12' },
          { kind: 'email', value: 'nobody' },
        ],
        kind: 'optout',
      },
    },
    [
      '/identifiers/0/value WRONG_FORMAT',
      '/identifiers/1/kind NOT_ALLOWED',
      '/identifiers/2/value WRONG_FORMAT',
      '/kind NOT_ALLOWED',
    ],
  ],
  [
    'POST',
    '/suppressions/imports',
    { body: { listName: ' ', identifiers: [], removeBefore: '2999-01-01T00:00:00Z' } },
    ['/listName WRONG_FORMAT', '/removeBefore TOO_LATE'],
  ],
  [
    'POST',
    `/leads/imports?onMatch=merge&mapping=${encodeURIComponent('{"Tel": "contact.fone", "Nombre": "contact.name"}')}`,
    { rawBody: 'Nombre;Tel\nMarta;612345678\n', contentType: 'text/csv' },
    ['/mapping/Tel NOT_ALLOWED', '/onMatch NOT_ALLOWED'],
  ],
  [
    'POST',
    `/leads/imports?mapping=${encodeURIComponent('{"Tel": "contact.fone"}')}`,
    { rawBody: '', contentType: 'text/csv' },
    [' FILE_EMPTY', '/mapping/Tel NOT_ALLOWED'],
  ],
  ['POST', '/webhooks', { body: privateWebhook }, privateWebhookErrors],
  ['PATCH', `/webhooks/${newId()}`, { body: privateWebhook }, privateWebhookErrors],
  [
    'POST',
    `/valuations/${newId()}/share`,
    { body: { expiresAt: '2020-01-01T00:00:00Z', link: 1 } },
    ['/expiresAt NOT_ALLOWED', '/link UNKNOWN_FIELD'],
  ],
  [
    'POST',
    '/valuations',
    {
      body: {
        latitude: 35,
        longitude: -40,
        squareMeters: -1,
        propertyType: 'homes',
        operation: 'sale',
        bathrooms: 1,
        includedComparableIds: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'],
        polygon: [{ latitude: 35, longitude: '-40' }],
      },
    },
    [
      '/bedrooms REQUIRED',
      '/includedComparableIds/0 UNKNOWN',
      '/latitude IN_THE_SEA',
      '/longitude IN_THE_SEA',
      '/polygon TOO_FEW',
      '/polygon/0/longitude WRONG_TYPE',
      '/squareMeters TOO_SMALL',
    ],
  ],
  [
    'GET',
    '/platforms/portal_a/locations?parentId=nowhere&limit=0',
    {},
    ['/limit TOO_SMALL', '/parentId UNKNOWN_LOCATION'],
  ],
])('%s %s', async (method, path, options, places) => {
  expect(formatErrors(await expectRejected(method, path, options))).toEqual(places.toSorted())
})

test('a mapping is compared with the headings of a dry run, and other errors are listed too', async () => {
  const file = { rawBody: 'Nombre;Tel\nMarta;612345678\n', contentType: 'text/csv' }
  const { body: made } = await tenant.call<{ id: string }>('POST', '/leads/imports?dryRun=true', file)
  await tenant.inTenant(tx =>
    tx
      .updateTable('imports')
      .set({ status: 'COMPLETED', file_kept_until: new Date(Date.now() + 60_000) })
      .where('tenant_id', '=', tenant.tenantId)
      .where('id', '=', made.id)
      .execute(),
  )
  const mapping = { Tel: 'contact.fone', Fax: 'note' }
  const refusal = await expectRejected('POST', `/leads/imports/${made.id}/start`, {
    body: { mapping, onMatch: 'merge' },
  })
  expect(formatErrors(refusal)).toEqual([
    '/mapping/Fax UNKNOWN_HEADING',
    '/mapping/Tel NOT_ALLOWED',
    '/onMatch NOT_ALLOWED',
  ])
  expect(refusal.errors.map(({ message }) => message)).toContain(
    '"contact.fone" is not a field of a lead; did you mean contact.phone?',
  )
})

test('all errors found in the database are listed, and each lead of a batch has all its errors', async () => {
  const { status: _status, property: _property, ...faults } = faultyLead
  const refusal = await expectRejected('POST', '/leads', { body: faults })
  const places = leadErrors.filter(place => !/status|property/.test(place))
  expect(formatErrors(refusal)).toEqual(places)
  expect(refusal.message).toBe('4 values are not valid: see errors.')
  const { body: batch } = await tenant.call<{ data: { error: Refusal | null }[] }>('POST', '/leads/batch', {
    body: {
      leads: [{ ...faults, externalId: 'a' }, { externalId: 'b' }, { ...faults, externalId: 'b' }],
    },
  })
  const [first, written, second] = batch.data
  expect(formatErrors(first!.error!)).toEqual(places)
  expect(written!.error).toBeNull()
  expect(formatErrors(second!.error!)).toEqual([...places, '/externalId DUPLICATE_IN_BATCH'].toSorted())
})

test('a reply lists a hundred errors and counts the others, also those from the database', async () => {
  const leads = Array.from({ length: 60 }, (_, index) => ({
    contact: { phone: '12', email: 'nobody' },
    ...(index < 5 ? { status: 'nwe' } : {}),
  }))
  const { errors, moreErrors } = await expectRejected('POST', '/leads/batch', { body: { leads } })
  expect(errors).toHaveLength(100)
  expect(moreErrors).toBe(25)
})

test('the message of a single error is that error', async () => {
  const { message } = await expectRejected('GET', '/leads?limit=0', {})
  expect(message).toBe('limit must be >= 1.')
})
