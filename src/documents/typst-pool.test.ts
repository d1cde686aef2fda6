/** The processes that print reports: bounded in every way, and shared fairly. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { FairQueueOptions } from '../kit/fair-queue.ts'
import { createTypstPool } from './typst-pool.ts'
import { PaperFailed, PaperRefused, type TypstLimits } from './typst-process.ts'

const program = new URL('../../test/odd-typst.ts', import.meta.url)

function makePool(limits: Partial<TypstLimits> = {}, queueing: Partial<FairQueueOptions> = {}) {
  const pool = createTypstPool(
    { program, paperMaxMs: 20_000, memoryMaxBytes: 1024 ** 3, papersMax: 100, idleMs: 60_000, ...limits },
    {
      ...{ of: 'PDFs', places: 2, waitMaxMs: 20_000, retryAfterSeconds: 5 },
      ...{ waitingMax: { all: 30, tenant: 20, key: 10 }, ...queueing },
    },
  )
  return async (json: string, tenantId = 'a', signal = new AbortController().signal) =>
    Buffer.from(await pool.print({ tenantId, keyId: 'key', signal }, () => ({ json, logo: null }))).toString()
}

test('a process hears nothing of our environment', async () => {
  vi.stubEnv('ENCRYPTION_KEY', 'secret')
  vi.stubEnv('DATABASE_URL', 'secret')
  const names: string[] = JSON.parse(await makePool()('environment'))
  vi.unstubAllEnvs()
  expect(names.filter(name => name in process.env && name !== 'NODE_COMPILE_CACHE')).toEqual([])
  expect(names).not.toContain('ENCRYPTION_KEY')
})

test('a process prints one paper after another, and another takes its place after so many', async () => {
  const print = makePool({ papersMax: 2 })
  const pids = []
  for (let nth = 0; nth < 4; nth++) pids.push(await print('pid'))
  expect(pids[0]).toBe(pids[1])
  expect(pids[2]).toBe(pids[3])
  expect(pids[0]).not.toBe(pids[2])
})

test('a process ends when there has been nothing to do for long', async () => {
  const print = makePool({ idleMs: 1 })
  const pid = Number(await print('pid'))
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000)
  expect(await print('say again')).toBe('again')
})

test('a paper that takes too long fails, its process is ended, and the next one is printed', async () => {
  const print = makePool({ paperMaxMs: 1500 })
  const pid = Number(await print('pid'))
  await expect(print('hang')).rejects.toThrow('more than 1500 ms')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000)
  expect(await print('say next')).toBe('next')
})

test.runIf(existsSync('/proc/self/status'))('a paper that takes too much memory fails likewise', async () => {
  const print = makePool({ memoryMaxBytes: 300 * 1024 ** 2 })
  await expect(print('grow')).rejects.toMatchObject({ isSpent: true })
  expect(await print('say next')).toBe('next')
})

test('a paper whose process is killed is printed by another one', async () => {
  const print = makePool()
  const pid = Number(await print('pid'))
  const printed = print('sleep 300')
  setTimeout(() => process.kill(pid, 'SIGKILL'), 50)
  expect(await printed).toBe('slept')
  expect(await print(`fallOnce ${join(tmpdir(), `aldaba-${randomUUID()}`)}`)).toBe('stood')
})

test('a paper that fells two processes has failed, and harms nobody else', async () => {
  const print = makePool()
  const [fallen, other] = await Promise.allSettled([print('fall'), print('say hello', 'b')])
  expect(fallen).toMatchObject({ reason: expect.any(PaperFailed) })
  expect(other).toMatchObject({ value: 'hello' })
})

test('a paper that is refused leaves the process as it was', async () => {
  const print = makePool()
  const pid = await print('pid')
  await expect(print('refuse it')).rejects.toThrow(PaperRefused)
  expect(await print('pid')).toBe(pid)
})

test('a paper is of bounded length', async () => {
  await expect(makePool()(`say ${'x'.repeat(1024 ** 2)}`)).rejects.toThrow('A paper is larger than')
})

test('what is abandoned before its turn is not printed', async () => {
  const print = makePool()
  const gone = new AbortController()
  const first = print('sleep 300', 'a')
  const abandoned = Array.from({ length: 10 }, () => print('say x', 'a', gone.signal))
  const settled = Promise.allSettled(abandoned)
  gone.abort(new Error('the reader went away'))
  for (const result of await settled)
    expect(result).toMatchObject({ reason: { message: 'the reader went away' } })
  await first
  expect(await print('count')).toBe('2')
})

test('one who has many printed delays nobody else, and is refused more than so many', async () => {
  const print = makePool()
  const ended: string[] = []
  const queued = Array.from({ length: 12 }, (_, nth) =>
    print('sleep 200', 'a').then(
      () => ended.push(`a${nth}`),
      error => ended.push(error.code),
    ),
  )
  ended.push(await print('say b', 'b'))
  expect(ended).toEqual(['TOO_MANY_CONCURRENT_REQUESTS', expect.any(String)])
  await Promise.all(queued)
  expect(ended.filter(one => one.startsWith('a'))).toHaveLength(11)
})
