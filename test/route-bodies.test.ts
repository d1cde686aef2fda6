/** Tests generated from the list of routes: the bodies that every route refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import type { Route } from '../src/kit/route.ts'
import { toExampleRequest } from './example-requests.ts'
import { type CallOptions, startTestApp, type TestApp } from './harness.ts'
import { sendTo, toUnknownPath, withNames } from './route-paths.ts'

const routes = describeFeatures().flatMap(feature => feature.routes)
const withBody = routes.filter(route => route.body)
const withClosedBody = withBody.filter(
  ({ body }) => 'additionalProperties' in body! && !body.additionalProperties,
)

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  await app.database.owner.updateTable('workspaces').set({ requests_per_minute: 1_000_000 }).execute()
})
afterAll(() => app.stop())

const send = (route: Route, path: string, options: CallOptions = {}) => sendTo(app, route, path, options)

describe.each(withNames(withClosedBody))('the body of %s', (_name, route) => {
  const path = toUnknownPath(route)

  it('is refused with 400 and the field name if it has an unknown field', async () => {
    const body = { ...(route.example as object), 'no/such~field': 1 }
    // An example may refer to what does not exist here, which is an error too.
    const error = expect.objectContaining({ path: '/no~1such~0field', code: 'UNKNOWN_FIELD' })
    expect(await send(route, path, { body })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', errors: expect.arrayContaining([error]) },
    })
  })
})

describe.each(withNames(withBody))('the body of %s', (_name, route) => {
  const path = toUnknownPath(route)

  it.each(['', '[]', '"text"', '5', 'null'])(
    'is refused with 400 if it is not an object: %j',
    async rawBody => {
      expect(await send(route, path, { rawBody })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', errors: [{ path: '' }] },
      })
    },
  )
})

describe.each(withNames(routes.filter(({ upload }) => upload)))('%s refuses', (_name, route) => {
  it.each([
    'application/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'nonsense',
  ])('%s with 415', async contentType => {
    if (route.upload!.types.includes(contentType)) return
    const reply = await send(route, toUnknownPath(route), { ...toExampleRequest(route), contentType })
    expect(reply).toMatchObject({
      status: 415,
      body: { message: expect.stringContaining(route.upload!.types[0]!) },
    })
  })
})

describe.each(withNames(routes.filter(route => route.method !== 'GET' && !route.upload)))(
  '%s refuses',
  (_name, route) => {
    const path = toUnknownPath(route)

    it.each([
      ['half an object', '{"a":'],
      ['a form', 'a=1'],
      ['a key that would alter the prototype', '{"__proto__":{"a":1}}'],
    ])('%s sent as JSON with 400', async (_what, rawBody) => {
      expect(await send(route, path, { rawBody })).toMatchObject({
        status: 400,
        body: { code: 'MALFORMED_JSON' },
      })
    })

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data; boundary=x',
    ])('%s with 415', async type => {
      const headers = { 'content-type': type }
      expect(
        (await send(route, path, { rawBody: JSON.stringify(route.example ?? {}), headers })).status,
      ).toBe(415)
    })

    it('a body larger than the limit of the route with 413', async () => {
      const body = {
        ...(route.example as object),
        padding: 'x'.repeat(('bodyMaxBytes' in route && route.bodyMaxBytes) || 1024 * 1024),
      }
      expect((await send(route, path, { body })).status).toBe(413)
    })
  },
)
