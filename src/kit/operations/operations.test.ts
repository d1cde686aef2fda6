/** All kinds of operations share fields, statuses, routes, long polls, streams and cancellation. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toExtractionBody } from '../../../test/extraction.ts'
import { shareTestApp, startTestApp, type TestApp } from '../../../test/harness.ts'
import { sendFile } from '../../../test/imports.ts'
import { makeLeads } from '../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { newId } from '../id.ts'
import { operationStatuses } from './operation.ts'

interface Operation {
  status: string
  progress: { percent: number }
  error: object | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

/** Starts an operation of each kind; returns its path. */
const kinds: [kind: string, start: (app: TestApp, tenant: TestTenant) => Promise<string>][] = [
  [
    'an extraction',
    async (_app, tenant) => {
      const body = toExtractionBody({ operation: 'sale', propertyType: 'garages', city: 'cordoba' })
      const started = await tenant.call<{ extractionId: string }>('POST', '/extractions', { body })
      return `/extractions/${started.body.extractionId}`
    },
  ],
  [
    'an import',
    async (_app, tenant) => {
      const file = `Nombre;Precio\n${Array.from({ length: 1200 }, (_, n) => `Ana ${n};${1000 + n}`).join('\n')}\n`
      const { body } = await sendFile(tenant, file)
      return `/leads/imports/${body.id}`
    },
  ],
  [
    'a change of many leads',
    async (app, tenant) => {
      await makeLeads(
        app.database,
        tenant.tenantId,
        Array.from({ length: 1001 }, () => ({})),
      )
      const { body } = await tenant.call<{ id: string }>('PATCH', '/leads', {
        body: { filter: { platform: 'portal_a' }, changes: { addTags: ['all'] } },
      })
      return `/leads/operations/${body.id}`
    },
  ],
]

let app: TestApp
let idleApp: TestApp
beforeAll(async () => {
  app = await shareTestApp()
  // This process takes no jobs.
  idleApp = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => Promise.all([app.stop(), idleApp.stop()]))

const finished = {
  status: 'COMPLETED',
  progress: { percent: 100 },
  error: null,
  createdAt: expect.any(String),
  startedAt: expect.any(String),
  finishedAt: expect.any(String),
}

/** Reads all events of a stream. */
async function readStream(on: TestApp, tenant: TestTenant, path: string) {
  const reply = await fetch(`${on.url}/public/v1${path}/events`, { headers: { 'x-api-key': tenant.key } })
  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  const text = await reply.text()
  return [...text.matchAll(/event: (\w+)\n(?:.*\n)*?data: (.*)/g)].map(([, event, data]) => ({
    event,
    data: JSON.parse(data!) as Operation,
  }))
}

test.each(kinds)('%s can be long-polled and streamed to its end', async (_kind, start) => {
  const tenant = await makeTenant(app)
  const path = await start(app, tenant)
  const [streamed, { body }] = await Promise.all([
    readStream(app, tenant, path),
    tenant.call<Operation>('GET', `${path}?waitSeconds=30`),
  ])
  expect(body).toMatchObject(finished)
  expect(streamed.at(-1)).toMatchObject({ event: 'end', data: finished })
  for (const { event, data } of streamed) {
    expect(operationStatuses).toContain(data.status)
    expect(event).toBe(data.status === 'COMPLETED' ? 'end' : 'progress')
  }
  const refused = await tenant.call<{ code: string; message: string }>('POST', `${path}/cancel`)
  expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_TRANSITION'])
  expect(refused.body.message).toMatch(
    /^A COMPLETED \w+ can't be cancelled: only one that is QUEUED or RUNNING can\.$/,
  )
})

test.each(kinds)(
  '%s that is queued can be cancelled once; its long polls and streams end',
  async (_kind, start) => {
    const tenant = await makeTenant(idleApp)
    const path = await start(idleApp, tenant)
    expect((await tenant.call<Operation>('GET', path)).body).toMatchObject({
      status: 'QUEUED',
      progress: { percent: 0 },
      startedAt: null,
      finishedAt: null,
    })
    const waiting = tenant.call<Operation>('GET', `${path}?waitSeconds=30`)
    const streaming = readStream(idleApp, tenant, path)
    const cancelled = await tenant.call<Operation>('POST', `${path}/cancel`)
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'CANCELLED'])
    expect((await waiting).body).toEqual(cancelled.body)
    expect((await streaming).at(-1)).toEqual({ event: 'end', data: cancelled.body })
    expect((await tenant.call('POST', `${path}/cancel`)).status).toBe(409)
  },
)

test.each(['/extractions', '/leads/imports', '/leads/operations'])(
  'an unknown id below %s is 404',
  async path => {
    const tenant = await makeTenant(app)
    const url = `${path}/${newId()}`
    const replies = [
      await tenant.call('GET', url),
      await tenant.call('GET', `${url}?waitSeconds=30`),
      await tenant.call('GET', `${url}/events`),
      await tenant.call('POST', `${url}/cancel`),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  },
)
