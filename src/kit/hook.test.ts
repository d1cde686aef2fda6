/** Hooks call all their handlers in order. */
import { expect, test } from 'vitest'
import { createContext } from './db/context.ts'
import type { Database, Tx } from './db/index.ts'
import { bindHooks, callHook, hook, on } from './hook.ts'

/** Returns a database and a transaction of it. */
function open() {
  const database = {} as Database
  const tx = {} as Tx
  createContext(tx, { database, tenantId: 'none', shiftMs: 0 })
  return { database, tx }
}
const { database, tx } = open()

test('handlers run one after the other, in the order of the features', async () => {
  const counted = hook<number, number>('counted')
  const steps: string[] = []
  const handler = (name: string, sleepMs: number) =>
    on(counted, async (given, n) => {
      expect(given).toBe(tx)
      steps.push(`${name} begins`)
      await new Promise(resolve => setTimeout(resolve, sleepMs))
      steps.push(`${name} ends`)
      return n * sleepMs
    })
  bindHooks(database, [{ hooks: [handler('first', 10)] }, {}, { hooks: [handler('second', 1)] }])
  expect(await callHook(tx, counted, 3)).toEqual([30, 3])
  expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('an error of a handler ends the call', async () => {
  const refused = hook<null>('refused')
  let ran = false
  bindHooks(database, [
    { hooks: [on(refused, () => Promise.reject(new Error('no')))] },
    {
      hooks: [
        on(refused, async () => {
          ran = true
        }),
      ],
    },
  ])
  await expect(callHook(tx, refused, null)).rejects.toThrow('no')
  expect(ran).toBe(false)
})

test('binding features again does not duplicate their handlers', async () => {
  const counted = hook<null, number>('counted')
  const features = [{ hooks: [on(counted, async () => 1)] }]
  bindHooks(database, features)
  bindHooks(database, features)
  expect(await callHook(tx, counted, null)).toEqual([1])
})

test('programs of one process have handlers of their own', async () => {
  const counted = hook<null, number>('counted')
  const other = open()
  bindHooks(database, [{ hooks: [on(counted, async () => 1)] }])
  bindHooks(other.database, [
    { hooks: [on(counted, async () => 2)] },
    { hooks: [on(counted, async () => 3)] },
  ])
  expect(await callHook(tx, counted, null)).toEqual([1])
  expect(await callHook(other.tx, counted, null)).toEqual([2, 3])
})

test('a hook without handlers throws', async () => {
  await expect(callHook(tx, hook<null>('lonely'), null)).rejects.toThrow('no feature handles the hook lonely')
})
