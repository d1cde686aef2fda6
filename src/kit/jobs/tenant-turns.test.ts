/** Turns of tenants: a few at once, none twice at once, and whoever waits before whoever comes again. */
import { expect, it } from 'vitest'
import { createTenantTurns } from './tenant-turns.ts'

const setUp = (atOnce: number) => {
  const stopping = new AbortController()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const turns = createTenantTurns<number>({
    atOnce,
    signal: stopping.signal,
    async work(tenantId, wanted) {
      begun.push(`${tenantId} ${[...wanted].join(',')}`)
      await new Promise<void>(resolve => ends.push(resolve))
    },
  })
  const endFirst = async () => {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  return { turns, begun, endFirst, stopping }
}

it('a few tenants are served at once, and what one wants meanwhile is done together in its next turn', async () => {
  const { turns, begun, endFirst } = setUp(2)
  turns.add('a', 1)
  for (const n of [2, 3, 2]) turns.add('a', n)
  turns.add('b', 4)
  turns.add('c', 5)
  expect(begun).toEqual(['a 1', 'b 4'])
  await endFirst()
  expect(begun.slice(2)).toEqual(['a 2,3'])
  await endFirst()
  expect(begun.slice(3)).toEqual(['c 5'])
})

it('a tenant that comes again comes after those that wait', async () => {
  const { turns, begun, endFirst } = setUp(1)
  turns.add('a', 1)
  turns.add('b', 2)
  turns.add('a', 3)
  await endFirst()
  await endFirst()
  expect(begun).toEqual(['a 1', 'b 2', 'a 3'])
})

it('none begins once all is to stop, and the end of those under way is waited for', async () => {
  const { turns, begun, endFirst, stopping } = setUp(1)
  turns.add('a', 1)
  turns.add('b', 2)
  stopping.abort()
  let hasEnded = false
  const ended = turns.ended().then(() => {
    hasEnded = true
  })
  await new Promise(setImmediate)
  expect(hasEnded).toBe(false)
  await endFirst()
  await ended
  expect(begun).toEqual(['a 1'])
})
