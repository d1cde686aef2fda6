/** Batched calls: none joins a batch that started before it, and the number of waiting calls is limited. */
import { expect, test } from 'vitest'
import { batchCalls, batchCallsByKey, singleFlight } from './batch-calls.ts'

/** Work whose batches the test ends one by one. */
function createSteppedWork() {
  const batches: { values: number[]; end(): void; fail(): void }[] = []
  const work = (values: number[]) =>
    new Promise<string[]>((resolve, reject) =>
      batches.push({
        values,
        end: () => resolve(values.map(value => `answer ${value}`)),
        fail: () => reject(new Error('broken')),
      }),
    )
  return { batches, work }
}
const settle = () => new Promise(resolve => setImmediate(resolve))

test('the first call starts at once, and calls that arrive meanwhile form the next batches', async () => {
  const { batches, work } = createSteppedWork()
  const call = batchCalls(work, { size: 3, waitingMax: 10 })
  const answers = [1, 2, 3, 4, 5].map(call)
  expect(batches.map(({ values }) => values)).toEqual([[1]])
  for (let index = 0; index < 3; index++) {
    batches[index]!.end()
    await settle()
  }
  expect(batches.map(({ values }) => values)).toEqual([[1], [2, 3, 4], [5]])
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5].map(value => `answer ${value}`))
})

test('an error rejects only the calls of its batch', async () => {
  const { batches, work } = createSteppedWork()
  const call = batchCalls(work, { size: 10, waitingMax: 10 })
  const [first, second] = [call(1), call(2)]
  batches[0]!.fail()
  await expect(first).rejects.toThrow('broken')
  await settle()
  batches[1]!.end()
  expect(await second).toBe('answer 2')
})

test('a call is rejected with 503 when too many wait', async () => {
  const { batches, work } = createSteppedWork()
  const call = batchCalls(work, { size: 10, waitingMax: 2 })
  const served = [1, 2, 3].map(call)
  await expect(call(4)).rejects.toMatchObject({ code: 'UNAVAILABLE', headers: { 'Retry-After': '2' } })
  batches[0]!.end()
  await settle()
  batches[1]!.end()
  expect(await Promise.all(served)).toHaveLength(3)
})

test('calls that arrive during the pause join the next batch', async () => {
  const batches: number[][] = []
  const work = async (values: number[]) => {
    batches.push(values)
    return values
  }
  const call = batchCalls(work, { size: 10, waitingMax: 10, pauseMs: 50 })
  expect(await call(1)).toBe(1)
  const [second, third] = [call(2), call(3)]
  await settle()
  expect(batches).toEqual([[1]])
  expect(await Promise.all([second, third])).toEqual([2, 3])
  expect(batches).toEqual([[1], [2, 3]])
})

test('each key has batches of its own', async () => {
  const batches: [string, number[]][] = []
  const call = batchCallsByKey(
    async (key: string, values: number[]) => {
      batches.push([key, values])
      await settle()
      if (key === 'broken') throw new Error(key)
      return values
    },
    { size: 10, waitingMax: 10 },
  )
  const isRefused = expect(call('broken', 0)).rejects.toThrow('broken')
  expect(await Promise.all([call('a', 1), call('b', 2), call('a', 3), call('a', 4)])).toEqual([1, 2, 3, 4])
  await isRefused
  expect(batches).toEqual([
    ['broken', [0]],
    ['a', [1]],
    ['b', [2]],
    ['a', [3, 4]],
  ])
})

test('work under one key runs once for all waiting calls', async () => {
  let done = 0
  const work = async () => {
    await settle()
    return ++done
  }
  const share = singleFlight<number>()
  // Calls that arrive after the start share the next run, because the data may have changed since.
  expect(await Promise.all(Array.from({ length: 50 }, () => share('a', work)))).toEqual([
    1,
    ...Array(49).fill(2),
  ])
  expect(await Promise.all([share('a', work), share('b', work)])).toEqual([3, 4])
})
