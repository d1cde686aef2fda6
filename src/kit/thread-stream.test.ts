/** Files read on a thread piece by piece: batches, early ends and errors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createThreadPool, ThreadFailed } from './thread-pool.ts'
import { readOnThread, type StreamPool } from './thread-stream.ts'

const folder = mkdtempSync(join(tmpdir(), 'aldaba-streams-'))
afterAll(() => rmSync(folder, { recursive: true }))
// Each batch is a line. The line `loop` never ends, and `fail` throws.
writeFileSync(
  join(folder, 'worker.mjs'),
  `import { handleStreams } from ${JSON.stringify(new URL('./thread-stream.ts', import.meta.url).href)}
async function* ahead(pieces) {
  const source = pieces[Symbol.asyncIterator]()
  for (let next = source.next(); ; ) {
    const { done, value } = await next
    if (done) return
    next = source.next()
    await new Promise(resolve => setTimeout(resolve, 5))
    yield value
  }
}
handleStreams(async function* (prefix, source) {
  const pieces = prefix === 'ahead ' ? ahead(source) : source
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

test('returns batches, wherever the pieces are split', async () => {
  const pool = createPool()
  expect(await readLines(pool, 'a\nb', 'c\n', 'd')).toEqual(['>a', '>bc', '>d'])
  expect(await readLines(pool)).toEqual([])
  expect(await readLines(pool, '\n\n')).toEqual(['>', '>'])
})

test('supports a reader that requests pieces ahead', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `${index}a\n${index}b\n`)
  const lines = await Array.fromAsync(readOnThread(createPool(), client(), 'ahead ', pieces(...texts)))
  expect(lines).toEqual(texts.flatMap((_, index) => [`ahead ${index}a`, `ahead ${index}b`]))
})

test('copies pieces, so that the source may reuse its buffer', async () => {
  const piece = Buffer.from('a\n')
  async function* twice() {
    yield piece
    yield piece
  }
  expect(await Array.fromAsync(readOnThread(createPool(), client(), '', twice()))).toEqual(['a', 'a'])
})

test('closes the source if reading stops early, and reuses the thread', async () => {
  const pool = createPool()
  const closedBefore = closed
  for await (const line of readOnThread(pool, client(), '>', pieces('a\nb\n', 'c\n', 'd\n'))) {
    expect(line).toBe('>a')
    break
  }
  expect(closed).toBe(closedBefore + 1)
  expect(await readLines(pool, 'x\n', 'y\n')).toEqual(['>x', '>y'])
})

test('throws the error of the reader, after the batches before it', async () => {
  const seen: string[] = []
  const reading = (async () => {
    for await (const line of readOnThread(createPool(), client(), '', pieces('a\nfail\nb\n'))) seen.push(line)
  })()
  await expect(reading).rejects.toThrow('it is wrong')
  expect(seen).toEqual(['a'])
})

test('throws the error of the source', async () => {
  async function* broken() {
    yield Buffer.from('a\n')
    throw new Error('the connection broke')
  }
  const reading = Array.fromAsync(readOnThread(createPool(), client(), '', broken()))
  await expect(reading).rejects.toThrow('the connection broke')
})

test('ends a reader that loops forever', async () => {
  await expect(readLines(createPool(300), 'a\nloop\n')).rejects.toThrow(ThreadFailed)
})

test('throws the reason of an aborted signal', async () => {
  const stopping = new AbortController()
  const reading = Array.fromAsync(readOnThread(createPool(), client(stopping.signal), '', pieces('loop\n')))
  setTimeout(() => stopping.abort(new Error('enough')), 100)
  await expect(reading).rejects.toThrow('enough')
})
