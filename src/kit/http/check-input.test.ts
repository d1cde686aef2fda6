/** One reply lists errors of the schemas, the headers, the route and the database. */
import type { FastifyRequest } from 'fastify'
import { expect, it, test } from 'vitest'
import { type InputError, invalidInput, Problem } from '../problem.ts'
import { type JsonRoute, route } from '../route.ts'
import { strictObject, Type } from '../schema.ts'
import { addFoundErrors, createInputCheck } from './check-input.ts'

const error = (path: string) => ({ path, code: 'ANY', message: 'is wrong' })
const text = Type.Optional(Type.String())

/** A route with these checks and a body of any shape. */
function createTestRoute(checks: Pick<JsonRoute, 'check' | 'findErrors'>, body = anything): JsonRoute {
  return route({
    method: 'POST',
    path: '/things',
    operation: 'makeThing',
    tag: 'Things',
    summary: 'Makes a thing',
    scope: 'any',
    query: strictObject({ name: text }),
    body,
    status: 201,
    reply: Type.Null(),
    ...checks,
    handle: async () => null,
  })
}

const anything = strictObject({
  changes: Type.Optional(
    strictObject({ status: text, basis: Type.Optional(strictObject({ kind: text, end: text })) }),
  ),
  ids: Type.Optional(Type.Array(Type.String())),
  people: Type.Optional(Type.Array(strictObject({ name: text, phone: text }))),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  part: text,
})

const context = {
  database: { getClockShiftMs: () => 0 },
  authenticator: { confirm: async () => {} },
} as never

const createTestRequest = (body: unknown, { query = {}, headers = {} } = {}) =>
  ({ body, query, params: {}, headers, caller: {} }) as unknown as FastifyRequest

/** Returns the errors with which a request is refused. */
async function collectErrors(testRoute: JsonRoute, request: FastifyRequest): Promise<InputError[]> {
  try {
    await createInputCheck(testRoute)(request, context)
    return []
  } catch (problem) {
    return (problem as Problem).errors!
  }
}

/** Returns the input that a route's check receives. */
async function readCheckedInput(
  request: FastifyRequest,
): Promise<{ query: unknown; body: unknown } | 'nothing'> {
  let checked: { query: unknown; body: unknown } | 'nothing' = 'nothing'
  const check: JsonRoute['check'] = ({ query, body }) => {
    checked = { query, body }
    return []
  }
  await collectErrors(createTestRoute({ check }), request)
  return checked
}

it('passes only values that fit the schema to a check, also nested ones', async () => {
  const body = { changes: { status: 1, basis: { kind: 1, end: 'then' } }, ids: ['a', 2], part: 'here' }
  expect(await readCheckedInput(createTestRequest(body, { query: { name: ['a', 'b'] } }))).toEqual({
    query: {},
    body: { changes: { basis: { end: 'then' } }, part: 'here' },
  })
  expect(body.changes.status).toBe(1)
})

it('removes only an invalid field of an object in a list, but a whole list of plain values with an invalid one', async () => {
  const people = [{ name: 'a', phone: 1 }, { name: 'b' }]
  expect(await readCheckedInput(createTestRequest({ people, ids: ['a', 2] }))).toMatchObject({
    body: { people: [{ name: 'a' }, { name: 'b' }] },
  })
  expect(await readCheckedInput(createTestRequest({ people: [...people, 5], part: 'here' }))).toMatchObject({
    body: { part: 'here' },
  })
})

it('reads JSON Pointer escapes, and removes the whole top-level field if the pointer was truncated', async () => {
  expect(await readCheckedInput(createTestRequest({ headers: { 'a/b~c': 1, d: '2' } }))).toMatchObject({
    body: { headers: { d: '2' } },
  })
  const longName = 'x'.repeat(320)
  expect(
    await readCheckedInput(createTestRequest({ headers: { [longName]: 1, d: '2' }, part: 'here' })),
  ).toEqual({
    query: {},
    body: { part: 'here' },
  })
})

it('changes nothing outside the body', async () => {
  const body = JSON.parse('{"part":"here","__proto__":{"toString":1},"constructor":{"name":2}}')
  expect(await readCheckedInput(createTestRequest(body))).toMatchObject({ body: { part: 'here' } })
  expect({}.toString).toBeTypeOf('function')
})

it('reports no error twice, and none for a value with errors inside', async () => {
  const testRoute = createTestRoute({
    check: () => [error('/ids'), error('/part')],
    findErrors: async () => [error('/ids'), error('/part'), error('/people/0/phone')],
  })
  const errors = await collectErrors(testRoute, createTestRequest({ ids: ['a', 2] }))
  expect(errors.map(({ path }) => path)).toEqual(['/ids/1', '/part', '/people/0/phone'])
})

it('does not check a body that is not an object, nor one with more errors than a reply lists', async () => {
  expect(await readCheckedInput(createTestRequest([]))).toBe('nothing')
  expect(await readCheckedInput(createTestRequest({ ids: Array.from({ length: 101 }, () => 1) }))).toBe(
    'nothing',
  )
})

test('errors of headers are listed with those of the body', async () => {
  const headers = { 'if-match': '"7', 'idempotency-key': 'x'.repeat(300) }
  const errors = await collectErrors(createTestRoute({}), createTestRequest({ part: 1 }, { headers }))
  expect(errors.map(({ path }) => path)).toEqual(['/part', '/If-Match', '/Idempotency-Key'])
})

test('the database is not queried for a request without errors, nor before the key is confirmed', async () => {
  const order: string[] = []
  const testRoute = createTestRoute({
    findErrors: async () => {
      order.push('find')
      return []
    },
  })
  const confirm = async () => void order.push('confirm')
  const check = createInputCheck(testRoute)
  await check(createTestRequest({}), { ...(context as object), authenticator: { confirm } } as never)
  expect(order).toEqual([])
  const refusal = check(createTestRequest({ part: 1 }), {
    ...(context as object),
    authenticator: { confirm },
  } as never)
  await expect(refusal).rejects.toBeInstanceOf(Problem)
  expect(order).toEqual(['confirm', 'find'])
})

test('a refusal by prepare also lists errors found in the database; other problems are unchanged', async () => {
  const testRoute = createTestRoute({ findErrors: async () => [error('/mapping'), error('/file')] })
  const complete = (problem: unknown) => addFoundErrors(problem, testRoute, createTestRequest({}), context)
  expect(await complete(invalidInput('/file', 'EMPTY', 'is empty'))).toMatchObject({
    errors: [{ path: '/file', code: 'EMPTY' }, { path: '/mapping' }],
  })
  const busy = new Problem('UNAVAILABLE', 'Busy.')
  expect(await complete(busy)).toBe(busy)
})
