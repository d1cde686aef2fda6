/** The thread pool: results, errors and limits of tasks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { lowPriority } from './priority.ts'
import { createThreadPool, ThreadFailed, type ThreadPoolOptions } from './thread-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'aldaba-threads-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'worker.mjs'),
  `import { getPriority } from 'node:os'
import { threadId } from 'node:worker_threads'
import { handleTasks } from ${JSON.stringify(new URL('./thread.ts', import.meta.url).href)}
let count = 0
handleTasks(task => {
  if (task === 'loop') for (;;);
  if (task === 'grow') for (const held = []; ; ) held.push(new Array(10_000).fill('x'.repeat(held.length)))
  if (task === 'end') process.exit(0)
  if (task === 'end soon') setTimeout(() => process.exit(0), 20)
  if (task === 'priority') return [task, getPriority()]
  if (task === 'fail') throw new Error('it is wrong')
  return [task, threadId, ++count]
})`,
)

type PoolTask = string | Uint8Array
const createPool = (options: Partial<ThreadPoolOptions> = {}) =>
  createThreadPool<PoolTask, [PoolTask, threadOrPriority: number, count?: number]>({
    name: 'things',
    module: pathToFileURL(join(folder, 'worker.mjs')),
    size: 2,
    taskMaxMs: 15_000,
    memoryMaxMb: 32,
    idleMs: 10_000,
    ...options,
  })
const client = (tenantId = 'a', signal = new AbortController().signal) => ({ tenantId, signal })

test('the tasks of one tenant run one after the other on the same thread', async () => {
  const pool = createPool()
  const done = await Promise.all(['1', '2', '3'].map(task => pool.run(client(), task)))
  expect(done.map(([task]) => task)).toEqual(['1', '2', '3'])
  expect(new Set(done.map(([, thread]) => thread)).size).toBe(1)
})

test('a session keeps the state of its thread, which runs no other tasks meanwhile', async () => {
  const pool = createPool({ size: 4 })
  const session = await pool.open(client())
  const [, thread] = await session.run('1')
  const [, other] = await pool.run(client(), '2')
  expect(other).not.toBe(thread)
  expect(await session.run('3')).toEqual(['3', thread, 2])
  session.end()
  expect(await pool.run(client(), '4')).toMatchObject(['4', expect.any(Number), expect.any(Number)])
})

test('a failed session runs no more tasks', async () => {
  const pool = createPool()
  const session = await pool.open(client())
  await expect(session.run('end')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(session.run('1')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  session.end()
  expect(await pool.run(client(), '2')).toMatchObject(['2', expect.any(Number), 1])
})

test('buffers are transferred to the thread', async () => {
  const bytes = Uint8Array.of(1, 2, 3)
  const [task] = await createPool().run(client(), bytes, [bytes.buffer])
  expect(task).toEqual(Uint8Array.of(1, 2, 3))
  expect(bytes.length).toBe(0)
})

test('an error of a task reaches the caller, and the next task gets a new thread', async () => {
  const pool = createPool()
  await expect(pool.run(client(), 'fail')).rejects.toThrow('it is wrong')
  expect(await pool.run(client(), '1')).toMatchObject(['1', expect.any(Number), 1])
})

test.each<[string, Partial<ThreadPoolOptions>, RegExp]>([
  ['loop', { taskMaxMs: 300 }, /longer than 0.3 s/],
  ['grow', {}, /more than 32 MB of memory/],
])(
  'a task that exceeds its limits is ended, without ending the process: %s',
  async (task, options, reason) => {
    const pool = createPool(options)
    const error = await pool.run(client(), task).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ThreadFailed)
    expect((error as Error).message).toMatch(reason)
  },
)

test('a task whose thread exits is rejected with 503, and may be retried', async () => {
  const pool = createPool()
  const refusal = { code: 'UNAVAILABLE', headers: { 'Retry-After': '1' } }
  await expect(pool.run(client(), 'end')).rejects.toMatchObject(refusal)
  expect(await pool.run(client(), '1')).toMatchObject(['1', expect.any(Number), 1])
})

test('a thread that exits while idle is replaced', async () => {
  const pool = createPool()
  const session = await pool.open(client())
  await session.run('end soon')
  await sleep(500)
  await expect(session.run('1')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  session.end()
  await pool.run(client(), 'end soon')
  await sleep(500)
  expect(await pool.run(client(), '2')).toMatchObject(['2', expect.any(Number), 1])
})

test('a thread that cannot be started releases its slot', async () => {
  let failures = 2
  const module = pathToFileURL(join(folder, 'worker.mjs'))
  const href = module.href
  Object.defineProperty(module, 'href', {
    get() {
      if (failures-- > 0) throw new Error('no thread can be started')
      return href
    },
  })
  const pool = createPool({ module, size: 2 })
  for (let failed = 0; failed < 2; failed++)
    await expect(pool.run(client(), '1')).rejects.toThrow('no thread can be started')
  expect(await pool.run(client(), '1')).toMatchObject(['1', expect.any(Number), 1])
})

test.runIf(process.platform === 'linux')('threads have a low priority', async () => {
  const priority = getPriority()
  expect((await createPool().run(client(), 'priority'))[1]).toBe(lowPriority)
  expect(getPriority()).toBe(priority)
})

test('endless tasks of one tenant do not delay another', async () => {
  const pool = createPool()
  const stopping = new AbortController()
  const loops = Promise.allSettled(['loop', 'loop'].map(task => pool.run(client('a', stopping.signal), task)))
  expect(await pool.run(client('b'), '1')).toMatchObject(['1', expect.any(Number), 1])
  stopping.abort(new Error('enough'))
  for (const { status } of await loops) expect(status).toBe('rejected')
})

test('an aborted task is not started', async () => {
  await expect(createPool().run(client('a', AbortSignal.abort(new Error('gone'))), '1')).rejects.toThrow(
    'gone',
  )
})

test('a task does not start on an idle thread that is about to end', async () => {
  const pool = createPool({ idleMs: 50 })
  const [, thread] = await pool.run(client(), '1')
  // Just after the timer that ends it.
  await sleep(50)
  const [, other] = await pool.run(client(), '2')
  expect(other).not.toBe(thread)
})
