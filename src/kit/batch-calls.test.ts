/** Calls answered together: none by work that began before it, and no more than are allowed to wait. */
import { expect, test } from 'vitest'
import { batchCalls, singleFlight } from './batch-calls.ts'

/** Work that ends when told to. */
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

test('the first call begins at once, and those that come meanwhile are answered together after it', async () => {
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

test('what fails, fails for those of its batch alone', async () => {
  const { batches, work } = createSteppedWork()
  const call = batchCalls(work, { size: 10, waitingMax: 10 })
  const [first, second] = [call(1), call(2)]
  batches[0]!.fail()
  await expect(first).rejects.toThrow('broken')
  await settle()
  batches[1]!.end()
  expect(await second).toBe('answer 2')
})

test('who comes when too many wait is refused', async () => {
  const { batches, work } = createSteppedWork()
  const call = batchCalls(work, { size: 10, waitingMax: 2 })
  const served = [1, 2, 3].map(call)
  await expect(call(4)).rejects.toMatchObject({ code: 'UNAVAILABLE', headers: { 'Retry-After': '2' } })
  batches[0]!.end()
  await settle()
  batches[1]!.end()
  expect(await Promise.all(served)).toHaveLength(3)
})

test('between two batches there is a pause, in which more calls come', async () => {
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

test('what many want under one key is done once for all who wait', async () => {
  let done = 0
  const work = async () => {
    await settle()
    return ++done
  }
  const share = singleFlight<number>()
  // Whoever comes once it has begun gets the next one: it may have changed since.
  expect(await Promise.all(Array.from({ length: 50 }, () => share('a', work)))).toEqual([
    1,
    ...Array(49).fill(2),
  ])
  expect(await Promise.all([share('a', work), share('b', work)])).toEqual([3, 4])
})
