/** A runner that ends by itself is replaced, and none is left running by a stop. */
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { keepRunning, type Runner } from './keep-running.ts'

function createRunner(calls: string[], name: string): Runner & { end(): void } {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  return {
    ended,
    end,
    async stop() {
      calls.push(`stop ${name}`)
      end()
    },
    release: () => void calls.push(`release ${name}`),
  }
}

/** Starts of runners are under way until the test decides. The first one is decided. */
async function start() {
  const calls: string[] = []
  const stopping = new AbortController()
  const first = createRunner(calls, 'first')
  const starts = [createStart(), createStart(), createStart()]
  starts[0]!.resolve(first)
  let started = 0
  const kept = await keepRunning({
    start: () => {
      const { isCalled, promise } = starts[started++]!
      isCalled.resolve()
      return promise
    },
    restartDelayMs: 0,
    signal: stopping.signal,
    log: createLog('silent'),
  })
  return { kept, calls, stopping, first, second: starts[1]!, third: starts[2]! }
}

const createStart = () => ({
  ...Promise.withResolvers<Runner>(),
  isCalled: Promise.withResolvers<void>(),
})

test('a runner that ends by itself is replaced, also if a start fails', async () => {
  const { kept, calls, stopping, first, second, third } = await start()
  first.end()
  await second.isCalled.promise
  expect(kept.current()).toBe(null)
  second.reject(new Error('no connection'))
  await third.isCalled.promise
  third.resolve(createRunner(calls, 'third'))
  await third.promise
  stopping.abort()
  await kept.stop()
  expect(calls).toEqual(['release first', 'stop third'])
})

test('a runner that ends by itself between the abort and the stop is released', async () => {
  const { kept, calls, stopping, first } = await start()
  first.stop = () => Promise.reject(new Error('Runner is already stopped'))
  stopping.abort()
  first.end()
  await kept.stop()
  expect(calls).toEqual(['release first'])
})

test('a runner whose start is under way at the stop is stopped', async () => {
  const { kept, calls, stopping, first, second } = await start()
  first.end()
  await second.isCalled.promise
  stopping.abort()
  const stopped = kept.stop()
  second.resolve(createRunner(calls, 'second'))
  await stopped
  expect(calls).toEqual(['release first', 'stop second'])
})
