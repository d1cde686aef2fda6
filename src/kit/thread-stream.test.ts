/** Files that a thread reads piece by piece: what comes back, and what becomes of those that are left or fail. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createThreadPool, ThreadFailed } from './thread-pool.ts'
import { readOnThread, type StreamPool } from './thread-stream.ts'

const folder = mkdtempSync(join(tmpdir(), 'aldaba-streams-'))
afterAll(() => rmSync(folder, { recursive: true }))
// Each batch is a line; one that is `loop` takes for ever, and one that is `fail` can't be read.
writeFileSync(
  join(folder, 'worker.mjs'),
  `import { handleStreams } from ${JSON.stringify(new URL('./thread-stream.ts', import.meta.url).href)}
async function* ahead(pieces) {
  const source = pieces[Symbol.asyncIterator]()
  for (let next = source.next(); ; ) {
    const { done, value } = await next
    if (done) return
    next = source.next()
    await new Promise(go => setTimeout(go, 5))
    yield value
  }
}
handleStreams(async function* (prefix, given) {
  const pieces = prefix === 'ahead ' ? ahead(given) : given
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true })
    const lines = text.split('\\n')
    text = lines.pop()
    for (const line of lines) {
      if (line === 'loop') for (;;);
      if (line === 'fail') throw new Error('it is wrong')
      yield prefix + line
    }
  }
  if (text) yield prefix + text
})`,
)

const createPool = (taskMaxMs = 15_000): StreamPool<string, string> =>
  createThreadPool({
    name: 'files',
    module: pathToFileURL(join(folder, 'worker.mjs')),
    size: 2,
    taskMaxMs,
    memoryMaxMb: 32,
    idleMs: 10_000,
  })
const client = (signal = new AbortController().signal) => ({ tenantId: 'a', signal })

let closed = 0
async function* pieces(...texts: string[]) {
  try {
    for (const text of texts) yield Buffer.from(text)
  } finally {
    closed++
  }
}
const readLines = (pool: StreamPool<string, string>, ...texts: string[]) =>
  Array.fromAsync(readOnThread(pool, client(), '>', pieces(...texts)))

test('come back in batches, however they are cut', async () => {
  const pool = createPool()
  expect(await readLines(pool, 'a\nb', 'c\n', 'd')).toEqual(['>a', '>bc', '>d'])
  expect(await readLines(pool)).toEqual([])
  expect(await readLines(pool, '\n\n')).toEqual(['>', '>'])
})

test('are read whole by one who reads ahead', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => `${at}a\n${at}b\n`)
  const lines = await Array.fromAsync(readOnThread(createPool(), client(), 'ahead ', pieces(...texts)))
  expect(lines).toEqual(texts.flatMap((_, at) => [`ahead ${at}a`, `ahead ${at}b`]))
})

test('stay with those who sent them', async () => {
  const piece = Buffer.from('a\n')
  async function* twice() {
    yield piece
    yield piece
  }
  expect(await Array.fromAsync(readOnThread(createPool(), client(), '', twice()))).toEqual(['a', 'a'])
})

test('that are left are closed, and others are read by the same thread', async () => {
  const pool = createPool()
  const closedBefore = closed
  for await (const line of readOnThread(pool, client(), '>', pieces('a\nb\n', 'c\n', 'd\n'))) {
    expect(line).toBe('>a')
    break
  }
  expect(closed).toBe(closedBefore + 1)
  expect(await readLines(pool, 'x\n', 'y\n')).toEqual(['>x', '>y'])
})

test('that can not be read say why, and those before it are there', async () => {
  const seen: string[] = []
  const reading = (async () => {
    for await (const line of readOnThread(createPool(), client(), '', pieces('a\nfail\nb\n'))) seen.push(line)
  })()
  await expect(reading).rejects.toThrow('it is wrong')
  expect(seen).toEqual(['a'])
})

test('whose bytes do not come fail with their reason', async () => {
  async function* broken() {
    yield Buffer.from('a\n')
    throw new Error('the line is cut')
  }
  const reading = Array.fromAsync(readOnThread(createPool(), client(), '', broken()))
  await expect(reading).rejects.toThrow('the line is cut')
})

test('without end are ended', async () => {
  await expect(readLines(createPool(300), 'a\nloop\n')).rejects.toThrow(ThreadFailed)
})

test('that nobody waits for any more end with the reason', async () => {
  const stopping = new AbortController()
  const reading = Array.fromAsync(readOnThread(createPool(), client(stopping.signal), '', pieces('loop\n')))
  setTimeout(() => stopping.abort(new Error('enough')), 100)
  await expect(reading).rejects.toThrow('enough')
})
