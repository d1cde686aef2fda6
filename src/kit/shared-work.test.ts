/** Callers that share one run of work. */
import { expect, test } from 'vitest'
import { createSharedWork } from './shared-work.ts'

/** Work that ends when the test says so, and the signals of its runs. */
function makeWork() {
  const share = createSharedWork<string>()
  const runs: { signal: AbortSignal; finish: (result: string) => void }[] = []
  const call = (key: string, signal = new AbortController().signal) =>
    share(key, signal, async signal => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      signal.addEventListener('abort', () => reject(signal.reason))
      runs.push({ signal, finish: resolve })
      return promise
    })
  return { call, runs }
}

test('callers of one key get the result of one run; later ones and other keys start another', async () => {
  const { call, runs } = makeWork()
  const results = Promise.all([call('a'), call('a'), call('b')])
  expect(runs).toHaveLength(2)
  runs[0]!.finish('first')
  runs[1]!.finish('other')
  expect(await results).toEqual(['first', 'first', 'other'])
  const later = call('a')
  runs[2]!.finish('second')
  expect(await later).toBe('second')
})

test('a caller that leaves gets its reason, and the others keep the run', async () => {
  const { call, runs } = makeWork()
  const visitor = new AbortController()
  const [leaving, staying] = [call('a', visitor.signal), call('a')]
  visitor.abort(new Error('gone'))
  await expect(leaving).rejects.toThrow('gone')
  expect(runs[0]!.signal.aborted).toBe(false)
  runs[0]!.finish('done')
  expect(await staying).toBe('done')
})

test('a run is aborted when all callers leave at once, and the next caller starts another', async () => {
  const { call, runs } = makeWork()
  const stopping = new AbortController()
  const leaving = [call('a', stopping.signal), call('a', stopping.signal)]
  stopping.abort(new Error('stopping'))
  for (const call of leaving) await expect(call).rejects.toThrow('stopping')
  expect(runs[0]!.signal.aborted).toBe(true)
  const next = call('a')
  runs[1]!.finish('again')
  expect(await next).toBe('again')
  await expect(call('a', stopping.signal)).rejects.toThrow('stopping')
  expect(runs).toHaveLength(2)
})

test('a failure reaches all callers and is not kept', async () => {
  const share = createSharedWork<string>()
  const { signal } = new AbortController()
  let count = 0
  const fail = async () => {
    count++
    await Promise.resolve()
    throw new Error('refused')
  }
  const calls = await Promise.allSettled([share('a', signal, fail), share('a', signal, fail)])
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(share('a', signal, fail)).rejects.toThrow('refused')
  expect(count).toBe(2)
})
