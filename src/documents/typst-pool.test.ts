/** The pool of Typst processes: limits and fair sharing. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { FairQueueOptions } from '../kit/fair-queue.ts'
import { createTypstPool } from './typst-pool.ts'
import { PdfInputRefused, PdfProcessFailed, type TypstLimits } from './typst-process.ts'

const program = new URL('../../test/fake-typst.ts', import.meta.url)

function makeRender(limits: Partial<TypstLimits> = {}, queueing: Partial<FairQueueOptions> = {}) {
  const pool = createTypstPool(
    { program, renderMaxMs: 20_000, memoryMaxBytes: 1024 ** 3, documentsMax: 100, idleMs: 60_000, ...limits },
    {
      name: 'PDFs',
      capacity: 2,
      waitMaxMs: 20_000,
      retryAfterSeconds: 5,
      waitingMax: { all: 30, tenant: 20, key: 10 },
      ...queueing,
    },
  )
  return async (json: string, tenantId = 'a', signal = new AbortController().signal) =>
    Buffer.from(
      await pool.render({ tenantId, keyId: 'key', signal }, () => ({
        template: 'document',
        json,
        files: [],
      })),
    ).toString()
}

test('a process does not get our environment variables', async () => {
  vi.stubEnv('ENCRYPTION_KEY', 'secret')
  vi.stubEnv('DATABASE_URL', 'secret')
  const names: string[] = JSON.parse(await makeRender()('environment'))
  vi.unstubAllEnvs()
  expect(names.filter(name => name in process.env && name !== 'NODE_COMPILE_CACHE')).toEqual([])
  expect(names).not.toContain('ENCRYPTION_KEY')
})

test('a process renders several documents and is replaced after `documentsMax`', async () => {
  const render = makeRender({ documentsMax: 2 })
  const pids = []
  for (let nth = 0; nth < 4; nth++) pids.push(await render('pid'))
  expect(pids[0]).toBe(pids[1])
  expect(pids[2]).toBe(pids[3])
  expect(pids[0]).not.toBe(pids[2])
})

test('an idle process ends', async () => {
  const render = makeRender({ idleMs: 1 })
  const pid = Number(await render('pid'))
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 150_000)
  expect(await render('say again')).toBe('again')
})

test('an input that takes too long fails, its process is killed, and the next one is rendered', async () => {
  const render = makeRender({ renderMaxMs: 1500 })
  const pid = Number(await render('pid'))
  await expect(render('hang')).rejects.toThrow('more than 1500 ms')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 150_000)
  expect(await render('say next')).toBe('next')
})

test.runIf(existsSync('/proc/self/status'))('an input that needs too much memory fails', async () => {
  const render = makeRender({ memoryMaxBytes: 300 * 1024 ** 2 })
  await expect(render('grow')).rejects.toMatchObject({ exceededLimits: true })
  expect(await render('say next')).toBe('next')
})

test('an input whose process is killed is rendered by another one', async () => {
  const render = makeRender()
  const pid = Number(await render('pid'))
  const printed = render('sleep 300')
  setTimeout(() => process.kill(pid, 'SIGKILL'), 50)
  expect(await printed).toBe('slept')
  expect(await render(`exitOnce ${join(tmpdir(), `aldaba-${randomUUID()}`)}`)).toBe('survived')
})

test('an input that crashes two processes fails, and does not affect others', async () => {
  const render = makeRender()
  const [fallen, other] = await Promise.allSettled([render('exit'), render('say hello', 'b')])
  expect(fallen).toMatchObject({ reason: expect.any(PdfProcessFailed) })
  expect(other).toMatchObject({ value: 'hello' })
})

test('a refused input does not end the process', async () => {
  const render = makeRender()
  const pid = await render('pid')
  await expect(render('refuse it')).rejects.toThrow(PdfInputRefused)
  expect(await render('pid')).toBe(pid)
})

test('the size of an input is limited', async () => {
  await expect(makeRender()(`say ${'x'.repeat(1024 ** 2)}`)).rejects.toThrow(
    'The input of a PDF is larger than',
  )
})

test('an input aborted in the queue is not rendered', async () => {
  const render = makeRender()
  const disconnected = new AbortController()
  const first = render('sleep 300', 'a')
  const abandoned = Array.from({ length: 10 }, () => render('say x', 'a', disconnected.signal))
  const settled = Promise.allSettled(abandoned)
  disconnected.abort(new Error('the reader went away'))
  for (const result of await settled)
    expect(result).toMatchObject({ reason: { message: 'the reader went away' } })
  await first
  expect(await render('count')).toBe('2')
})

test('a tenant with many documents does not delay others, and is limited', async () => {
  const render = makeRender()
  const ended: string[] = []
  const queued = Array.from({ length: 12 }, (_, nth) =>
    render('sleep 200', 'a').then(
      () => ended.push(`a${nth}`),
      error => ended.push(error.code),
    ),
  )
  ended.push(await render('say b', 'b'))
  expect(ended[0]).toBe('TOO_MANY_CONCURRENT_REQUESTS')
  // At most the documents that were already being rendered.
  expect(ended.filter(one => one.startsWith('a')).length).toBeLessThanOrEqual(2)
  await Promise.all(queued)
  expect(ended.filter(one => one.startsWith('a'))).toHaveLength(11)
})
