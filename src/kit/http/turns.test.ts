/** What comes in crowds takes turns: one in a turn of the event loop. */
import { setImmediate as nextLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('the first goes on at once, the others one after another, each in a turn of its own', async () => {
  const nextTurn = createTurns()
  let loops = 0
  const counting = (async () => {
    for (; loops < 10; loops++) await nextLoop()
  })()
  const turns = await Promise.all(Array.from({ length: 5 }, () => nextTurn().then(() => loops)))
  await counting
  expect(turns[0]).toBe(0)
  expect(new Set(turns).size).toBe(5)
  expect(turns).toEqual(turns.toSorted((a, b) => a - b))
})

test('whoever comes after all have gone goes on at once', async () => {
  const nextTurn = createTurns()
  await nextTurn()
  await nextLoop()
  await nextLoop()
  let isThere = false
  void nextTurn().then(() => {
    isThere = true
  })
  await Promise.resolve()
  expect(isThere).toBe(true)
})
