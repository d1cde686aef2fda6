/** Bodies that are processed wait for those that arrive, but never for long. */
import { expect, test } from 'vitest'
import { createCipher } from '../../../kit/crypto.ts'
import type { Database } from '../../../kit/db/index.ts'
import { deriveKeyring } from '../../../kit/keyring.ts'
import { createBodyBatches } from './body-batches.ts'
import { giveWay } from './give-way.ts'

const keyring = deriveKeyring('a key of a test of thirty-two characters')

test('many bodies that are being stored are a crowd, of whatever tenants', async () => {
  const batches = createBodyBatches(createCipher(keyring, async () => keyring))
  const { promise, resolve } = Promise.withResolvers<boolean[]>()
  const database = { withTenant: () => promise } as unknown as Database
  const store = (tenantId: string) =>
    batches.store(database, tenantId, { accountId: 'a', body: Buffer.from(tenantId) })
  const stored = Array.from({ length: 7 }, (_, n) => store(`tenant ${n}`))
  expect(batches.isCrowded()).toBe(false)
  stored.push(store('tenant 7'))
  expect(batches.isCrowded()).toBe(true)
  resolve([true])
  await Promise.all(stored)
  expect(batches.isCrowded()).toBe(false)
})

test('work waits until a crowd ends, but not for one that does not end', async () => {
  let looks = 0
  await giveWay(() => ++looks < 3)
  expect(looks).toBe(3)
  await giveWay(() => ++looks > 0)
  expect(looks).toBeLessThan(20)
})
