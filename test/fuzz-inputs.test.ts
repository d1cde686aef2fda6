/** Fuzzes every value that a caller can send to any route: no reply may be a 5xx. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import type { Route } from '../src/kit/route.ts'
import { compile, type TSchema } from '../src/kit/schema.ts'
import { toExampleRequest } from './example-requests.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { makeLeads } from './make.ts'
import { naughtyStrings } from './naughty-strings.ts'
import { listProblemCodes, makeResource } from './route-paths.ts'

const routes = describeFeatures().flatMap(feature => feature.routes)
const id = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'

const texts = [
  // Each one is invalid in another way for a number, id, time, area, address or cursor.
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '99999999999999999999',
  '0x10',
  'NaN',
  'Infinity',
  'null',
  'true',
  id,
  id.toUpperCase(),
  `urn:uuid:${id}`,
  `{${id}}`,
  '00000000-0000-0000-0000-000000000000',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01T00:00:00.123456789123Z',
  '-2026-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  'infinity',
  '1,2,3,4',
  '-180,-90,180,90',
  `${'9'.repeat(400)},0,0,0`,
  '1,2,3',
  '4,3,2,1',
  'http://x',
  'https://[::1',
  'http://a:99999/',
  'https://xn--/',
  'data:,',
  'W10',
  'bnVsbA',
  '\u0000',
  '\ud800',
  '\uffff',
  '%',
  '_',
  '\\',
  "'",
  "'; drop table leads; --",
  '{{7*7}}',
  '🏠'.repeat(50),
  'x'.repeat(5000),
]
const values = [
  ...texts,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  [[]],
  [null],
  ['x'],
  {},
  { a: 1 },
  { id: {} },
]

let app: TestApp
let extractionId: string
let leadId: string
let importId: string
let noteId: string
let subscriptionId: string
let deliveryId: string
let valuationId: string
let fichaId: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  await app.database.owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000 }).execute()
  const { example } = routes.find(({ operation }) => operation === 'startExtraction')!
  const { body } = await app.call<{ extractionId: string }>('POST', '/extractions', { body: example })
  extractionId = body.extractionId
  await makeLead()
  importId = await makeResource(app, app.workspace.testKey, '/leads/imports/{id}', '/leads/imports')
  subscriptionId = await makeResource(app, app.workspace.testKey, '/webhooks/{id}', '/webhooks')
  const deliveries = `/webhooks/${subscriptionId}/deliveries`
  deliveryId = await makeResource(
    app,
    app.workspace.testKey,
    '/webhooks/{id}/deliveries/{deliveryId}',
    deliveries,
  )
  valuationId = await makeResource(app, app.workspace.testKey, '/valuations/{id}', '/valuations')
  fichaId = await makeResource(app, app.workspace.testKey, '/fichas/{id}', '/fichas')
  // Waiting for an operation that has ended returns at once.
  for (const path of [`/extractions/${extractionId}`, `/leads/imports/${importId}`])
    await app.call('POST', `${path}/cancel`)
  for (const status of ['disabled', 'enabled'])
    await app.call('PATCH', `/webhooks/${subscriptionId}`, { body: { status } })
})
afterAll(() => app.stop())

async function makeLead(): Promise<void> {
  ;[leadId] = (await makeLeads(app.database, app.workspace.testTenantId, [{}])) as [string]
  const note = await app.call<{ id: string }>('POST', `/leads/${leadId}/notes`, { body: { body: 'a note' } })
  noteId = note.body.id
}

async function sendInput(route: Route, path: string, body?: unknown): Promise<void> {
  const what = `${route.method} ${path} ${JSON.stringify(body)}`.slice(0, 300)
  const sent = body === undefined ? (route.upload ? toExampleRequest(route) : {}) : { body }
  const reply = await app.call<{ code: string }>(route.method, path, sent)
  if (reply.status === route.status || ('createdStatus' in route && reply.status === route.createdStatus))
    return
  expect(reply.status, what).toBeLessThan(500)
  // Paths that do not match the route are not tested.
  if (reply.status !== 405) expect([...listProblemCodes(route), 'NOT_FOUND'], what).toContain(reply.body.code)
}

async function tryAll<T>(items: T[], attempt: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += 20) await Promise.all(items.slice(i, i + 20).map(attempt))
}

/**
 * Replaces every value of a JSON document by another, one at a time, and adds an unknown field to every object. In
 * lists only the first object is changed.
 */
function* replaceEach(document: unknown, value: unknown): Generator<unknown> {
  yield value
  if (typeof document !== 'object' || document === null) return
  const isLikeFirst = ([key, inner]: [string, unknown]) =>
    Array.isArray(document) && key !== '0' && typeof inner === 'object'
  for (const [key, inner] of Object.entries(document).filter(entry => !isLikeFirst(entry)))
    for (const other of replaceEach(inner, value))
      yield Array.isArray(document) ? document.with(Number(key), other) : { ...document, [key]: other }
  if (!Array.isArray(document)) yield { ...document, extra: value }
}

const oddNames = ['', '\0', 'a\ud800', '__proto__', 'constructor', "'", 'x'.repeat(100)]
const oddValues = [
  'a\ud800',
  '\0b',
  'http://x/\udc00',
  id,
  '9999-12-31T23:59:59.999Z',
  '2016-12-31T23:59:60Z',
  0,
  -1,
  1.005,
  2 ** 31,
  1e308,
  true,
  null,
  [],
  ['a\ud800'],
  [id],
  {},
]

/** Adds optional fields one at a time with valid values, and fields with odd names where the schema allows any name. */
function* addEach(schema: Json, document: Json): Generator<Json> {
  for (const name of schema.patternProperties ? oddNames : [])
    yield { ...document, ...JSON.parse(`{${JSON.stringify(name)}:1}`) }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const known = document[name]
    if (known === undefined)
      for (const value of oddValues.filter(isAllowedBy(property))) yield { ...document, [name]: value }
    const object = [property, ...(property.anyOf ?? [])].find(({ type }) => type === 'object')
    if (object && !Array.isArray(known))
      for (const inner of addEach(object, (known ?? {}) as Json)) yield { ...document, [name]: inner }
  }
}

interface Json extends Record<string, unknown> {
  type?: string
  properties?: Record<string, Json>
  patternProperties?: object
  anyOf?: Json[]
}

function isAllowedBy(schema: object, kind: 'body' | 'text' = 'body'): (value: unknown) => boolean {
  const validate = compile(schema as TSchema, kind)
  return value => validate(structuredClone(value)).length === 0
}

/** Bodies that the schema refuses get no further: a sample is enough. */
const sampleInputs = <T>(values: T[], isAllowed: (value: T) => boolean) =>
  sampleEvenly(values.filter((value, n) => n % 20 === 0 || isAllowed(value)))

const sentMax = 30
/** Returns all values, or `sentMax` evenly spaced ones from a random start. */
const sampleEvenly = <T>(values: T[]) => {
  const share = Math.min(1, sentMax / values.length)
  const start = Math.random()
  return values.filter((_, n) => Math.floor(n * share + start) !== Math.floor((n - 1) * share + start))
}

const listProperties = (schema: { properties?: object } | undefined) => Object.keys(schema?.properties ?? {})
/** The request with this text for each of these names. */
const toParameters = (names: string[], text: string) =>
  Object.fromEntries(names.map(name => [name, text.toWellFormed()]))
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
/** Unknown ids are refused before values are read, so the values use existing ids. */
const toKnownPath = ({ path }: Route) =>
  path
    .replace('{platform}', 'portal_a')
    .replace('/extractions/{id}', `/extractions/${extractionId}`)
    .replace('/leads/{id}', `/leads/${leadId}`)
    .replace('/leads/imports/{id}', `/leads/imports/${importId}`)
    .replace('/fichas/{id}', `/fichas/${fichaId}`)
    .replace('{noteId}', noteId)
    .replace('/valuations/{id}', `/valuations/${valuationId}`)
    .replace('/webhooks/{id}', `/webhooks/${subscriptionId}`)
    .replace('{deliveryId}', deliveryId)
    .replaceAll(/\{\w+\}/g, id)

it.each(routes.filter(route => route.params).map(route => [`${route.method} ${route.path}`, route] as const))(
  'any path parameter: %s',
  async (_name, route) => {
    const isAllowed = isAllowedBy(route.params!, 'text')
    const some = sampleInputs(texts, text => isAllowed(toParameters(listProperties(route.params), text)))
    await tryAll(some, text => sendInput(route, route.path.replaceAll(/\{\w+\}/g, encode(text))))
  },
)

it.each(
  routes.flatMap(route =>
    listProperties(route.query).map(name => [route.method, route.path, name, route] as const),
  ),
)('any query parameter: %s %s?%s=', async (_method, _path, name, route) => {
  const isAllowed = isAllowedBy(route.query!, 'text')
  const all = name === 'q' ? [...texts, ...naughtyStrings] : texts
  const some = sampleInputs(all, text => isAllowed(toParameters([name], text)))
  await tryAll(some, text => sendInput(route, `${toKnownPath(route)}?${name}=${encode(text)}`))
  await sendInput(route, `${toKnownPath(route)}?${name}=1&${name}=2`)
  await sendInput(route, `${toKnownPath(route)}?${name}`)
  await sendInput(route, `${toKnownPath(route)}?${name}[a]=1`)
  // Later requests would name a deleted lead.
  if (route.method === 'DELETE') await makeLead()
})

it.each(routes.filter(route => route.body).map(route => [`${route.method} ${route.path}`, route] as const))(
  'any body: %s',
  async (_name, route) => {
    const { body: example } = toExampleRequest(route)
    const bodies = values.flatMap(value => [...replaceEach(example, value)])
    // At least the whole body, its single value, and an added field.
    expect(bodies.length).toBeGreaterThanOrEqual(3 * values.length)
    const isAllowed = isAllowedBy(route.body!)
    const withAdditions = sampleEvenly([...addEach(route.body as Json, example as Json)])
    await tryAll([...sampleInputs(bodies, isAllowed), ...withAdditions], body =>
      sendInput(route, toKnownPath(route), body),
    )
    if (route.method === 'DELETE') await makeLead()
  },
)
