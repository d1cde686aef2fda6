/** Long polls and streams of extractions, across processes. They hold no database connection while they wait. */
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  extract,
  getExtraction,
  holdAnswers,
  type Search,
  startExtraction,
} from '../../../test/extraction.ts'
import { eventually, type Reply, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { notifyOnCommit } from '../../kit/db/notifications.ts'
import { newId } from '../../kit/id.ts'
import { pollIntervalMs } from '../../kit/operations/long-poll.ts'
import { toTopic } from '../../kit/operations/operation.ts'
import type { Simulator } from '../../simulator/index.ts'
import { extractionKind } from './operation.ts'
import type { Extraction } from './schemas.ts'

// Two processes of one deployment: one receives the requests, the other runs the extractions.
let api: TestApp
let worker: TestApp
let simulator: Simulator
beforeAll(async () => {
  api = await startTestApp({ env: { ROLE: 'api' } })
  worker = await startTestApp({ env: { ROLE: 'worker' }, databaseUrl: api.config.databaseUrl! })
  simulator = await worker.app.getSimulator()
})
afterEach(() => simulator.faults.clear())
afterAll(async () => {
  await worker.stop()
  await api.stop()
})

const premises: Search = { operation: 'rent', propertyType: 'premises', city: 'madrid' }
const pagePath = (page: number) => `/alquiler/locales/madrid/${page === 1 ? '' : `?page=${page}`}`

/** Starts an extraction that does not progress until it is cancelled. */
async function startHanging(app = api): Promise<{ tenant: TestTenant; extractionId: string }> {
  simulator.faults.add({ kind: 'hang', match: pagePath(1) })
  const tenant = await makeTenant(app)
  const { extractionId } = await startExtraction(tenant, premises)
  if (app === api)
    await eventually(
      () => getExtraction(tenant, extractionId),
      ({ status }) => status === 'RUNNING',
    )
  return { tenant, extractionId }
}

const cancel = (tenant: TestTenant, extractionId: string) =>
  tenant.call('POST', `/extractions/${extractionId}/cancel`)

function revoke({ database }: TestApp, { key }: TestTenant): Promise<unknown> {
  const last4 = key.slice(-4)
  return database.owner
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('last4', '=', last4)
    .execute()
}

describe('?waitSeconds', () => {
  const wait = async <T = Extraction>(tenant: TestTenant, id: string, seconds: unknown) => {
    const beganMs = performance.now()
    const path = `/extractions/${id}?waitSeconds=${seconds}`
    const reply: Reply<T> = await tenant.call<T>('GET', path)
    return { ...reply, tookMs: performance.now() - beganMs }
  }

  /** Returns a function that waits until `count` long polls have read the state and wait for a notification. */
  const watchSleepingPolls = (app = api) => {
    const watch = vi.spyOn(app.database.notifications, 'watch')
    onTestFinished(() => watch.mockRestore())
    return (count: number) =>
      eventually(
        async () => watch.mock.results.filter(({ value }) => value).length,
        waits => waits === count,
      )
  }

  test('answers at once when it has ended', async () => {
    const tenant = await makeTenant(api)
    const { extractionId } = await extract(tenant, premises, { maxResults: 1 })
    const { body, tookMs } = await wait(tenant, extractionId, 60)
    expect(body.status).toBe('COMPLETED')
    expect(tookMs).toBeLessThan(30_000)
  })

  test('answers as soon as the worker completes it', async () => {
    const tenant = await makeTenant(api)
    const release = holdAnswers(simulator, [pagePath(1)])
    const { extractionId } = await startExtraction(tenant, premises, { maxResults: 3 })
    const waitForSleeping = watchSleepingPolls()
    const waiting = wait(tenant, extractionId, 60)
    await waitForSleeping(1)
    release(pagePath(1))
    const { body } = await waiting
    expect(body).toMatchObject({ status: 'COMPLETED', progress: { leadsCreated: 3 } })
    expect(Date.now() - Date.parse(body.finishedAt!)).toBeLessThan(pollIntervalMs)
  })

  test('answers as soon as it is cancelled', async () => {
    const { tenant, extractionId } = await startHanging()
    const waitForSleeping = watchSleepingPolls()
    const waiting = wait(tenant, extractionId, 60)
    await waitForSleeping(1)
    await cancel(tenant, extractionId)
    const { body } = await waiting
    expect(body.status).toBe('CANCELLED')
    expect(Date.now() - Date.parse(body.finishedAt!)).toBeLessThan(pollIntervalMs)
  })

  test('answers with the current state when the time is over', async () => {
    const { tenant, extractionId } = await startHanging()
    const { status, body, tookMs } = await wait(tenant, extractionId, 1)
    expect([status, body.status]).toEqual([200, 'RUNNING'])
    expect(tookMs).toBeGreaterThanOrEqual(1000)
    expect(tookMs).toBeLessThan(30_000)
    await cancel(tenant, extractionId)
  })

  test('for an unknown extraction is 404 at once', async () => {
    const tenant = await makeTenant(api)
    const { status, tookMs } = await wait(tenant, newId(), 60)
    expect(status).toBe(404)
    expect(tookMs).toBeLessThan(30_000)
  })

  test.each([61, -1, 1.5, 'long', ''])(
    'must be a whole number from 0 to 60, else it is 400: %j',
    async seconds => {
      const tenant = await makeTenant(api)
      const { status, body } = await wait<{ errors: { path: string }[] }>(tenant, newId(), seconds)
      expect([status, body.errors.map(({ path }) => path)]).toEqual([400, ['/waitSeconds']])
    },
  )

  test('holds no connection: others are served while three times as many wait as there are connections', async () => {
    const { tenant, extractionId } = await startHanging()
    const waitForSleeping = watchSleepingPolls()
    const waiting = Array.from({ length: 30 }, () => wait(tenant, extractionId, 60))
    await waitForSleeping(30)
    const other = await makeTenant(api)
    const beganMs = performance.now()
    expect((await other.call('GET', '/me')).status).toBe(200)
    const { extractionId: another } = await startExtraction(other, premises)
    expect(performance.now() - beganMs).toBeLessThan(30_000)
    await cancel(other, another)

    await cancel(tenant, extractionId)
    const states = (await Promise.all(waiting)).map(({ body }) => body.status)
    expect(states).toEqual(Array(30).fill('CANCELLED'))
  })

  test('with a key that is revoked meanwhile is 401', async () => {
    const { tenant, extractionId } = await startHanging()
    const waitForSleeping = watchSleepingPolls()
    const waiting = wait<{ code: string }>(tenant, extractionId, 60)
    await waitForSleeping(1)
    await revoke(api, tenant)
    const { status, body, tookMs } = await waiting
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
    expect(tookMs).toBeLessThan(30_000)
  })

  test('is answered when the server stops, which does not wait for it', async () => {
    const stopped = await startTestApp({ env: { ROLE: 'api' } })
    const { tenant, extractionId } = await startHanging(stopped)
    const waitForSleeping = watchSleepingPolls(stopped)
    const waiting = wait(tenant, extractionId, 60)
    await waitForSleeping(1)
    const beganMs = performance.now()
    await stopped.stop()
    expect(performance.now() - beganMs).toBeLessThan(30_000)
    const { status, body } = await waiting
    expect([status, body.status]).toEqual([200, 'QUEUED'])
  })
})

interface StreamEvent {
  event: string
  data: Extraction
}

/** Opens the stream of an extraction. Events are appended to `received`; `closed` resolves when the server ends the stream. */
async function watch({ url }: TestApp, { key }: TestTenant, extractionId: string) {
  const disconnecting = new AbortController()
  const reply = await fetch(`${url}/public/v1/extractions/${extractionId}/events`, {
    headers: { 'x-api-key': key },
    signal: disconnecting.signal,
  })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/event-stream')
  const received: StreamEvent[] = []
  const read = async () => {
    let text = ''
    for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? []
        if (event) received.push({ event, data: JSON.parse(data!) })
      }
    }
  }
  return { received, closed: read(), leave: () => disconnecting.abort() }
}

const toEventNames = (received: StreamEvent[]) => received.map(({ event, data }) => `${event} ${data.status}`)

describe('the stream of an extraction', () => {
  test('starts with the current state, then waits for changes', async () => {
    const { tenant, extractionId } = await startHanging()
    const { received, closed } = await watch(api, tenant, extractionId)
    await expect.poll(() => received).not.toEqual([])
    expect(received).toEqual([{ event: 'progress', data: await getExtraction(tenant, extractionId) }])
    await cancel(tenant, extractionId)
    await closed
    expect(toEventNames(received)).toEqual(['progress RUNNING', 'end CANCELLED'])
  })

  test('sends progress as it happens, then the end, and closes', async () => {
    const tenant = await makeTenant(api)
    const release = holdAnswers(simulator, [pagePath(2), pagePath(3)])
    const { extractionId } = await startExtraction(tenant, premises, { maxResults: 90 })
    const { received, closed } = await watch(api, tenant, extractionId)
    const listPages = () => received.map(({ data }) => data.progress.pagesFetched)
    for (const page of [1, 2]) {
      await expect.poll(listPages).toContain(page)
      release(pagePath(page + 1))
    }
    await closed
    const pages = listPages()
    expect(pages).toEqual(pages.toSorted((a, b) => a - b))
    expect([...new Set(pages)]).toEqual(expect.arrayContaining([1, 2, 3]))
    expect(received.slice(0, -1).every(({ event }) => event === 'progress')).toBe(true)
    expect(new Set(received.map(({ data }) => JSON.stringify(data))).size).toBe(received.length)
    expect(received.at(-1)).toEqual({ event: 'end', data: await getExtraction(tenant, extractionId) })
    expect(received.at(-1)!.data).toMatchObject({ status: 'COMPLETED', progress: { percent: 100 } })
  })

  test('sends only the end if the extraction has ended', async () => {
    const tenant = await makeTenant(api)
    const extraction = await extract(tenant, premises, { maxResults: 1 })
    const { received, closed } = await watch(api, tenant, extraction.extractionId)
    await closed
    expect(received).toEqual([{ event: 'end', data: extraction }])
  })

  test('is an ordinary 404 for an unknown extraction, and for one of another tenant', async () => {
    const [tenant, other] = [await makeTenant(api), await makeTenant(api)]
    const { extractionId } = await extract(other, premises, { maxResults: 1 })
    for (const id of [newId(), extractionId]) {
      const { status, headers, body } = await tenant.call('GET', `/extractions/${id}/events`)
      expect([status, body]).toMatchObject([404, { code: 'NOT_FOUND' }])
      expect(headers.get('content-type')).toContain('application/json')
    }
  })

  test('is released when the client disconnects', async () => {
    const { tenant, extractionId } = await startHanging()
    const watches = vi.spyOn(api.database.notifications, 'watch')
    const { received, closed, leave } = await watch(api, tenant, extractionId)
    const disconnected = expect(closed).rejects.toThrow('abort')
    await expect.poll(() => received).not.toEqual([])
    const stop = vi.spyOn(watches.mock.results[0]!.value as { stop(): void }, 'stop')
    watches.mockRestore()
    leave()
    await disconnected
    await expect.poll(() => stop.mock.calls).toHaveLength(1)
    await cancel(tenant, extractionId)
  })

  test('ends when the server stops, which does not wait for the extraction', async () => {
    const stopped = await startTestApp({ env: { ROLE: 'api' } })
    const { tenant, extractionId } = await startHanging(stopped)
    const { received, closed } = await watch(stopped, tenant, extractionId)
    const beganMs = performance.now()
    await stopped.stop()
    await closed
    expect(performance.now() - beganMs).toBeLessThan(30_000)
    expect(toEventNames(received)).toEqual(['progress QUEUED'])
  })

  test('ends with an error when the key is revoked', async () => {
    const { tenant, extractionId } = await startHanging()
    const { received, closed } = await watch(api, tenant, extractionId)
    await revoke(api, tenant)
    await tenant.inTenant(tx => notifyOnCommit(tx, toTopic(extractionKind, extractionId)))
    await closed
    expect(received.map(({ event }) => event)).toEqual(['progress', 'error'])
    expect(received[1]!.data).toMatchObject({ statusCode: 401, code: 'UNAUTHENTICATED' })
  })
})
