/** Bodies that are processed wait for those that arrive, but never for long. */
import { expect, test } from 'vitest'
import { createCipher } from '../../../kit/crypto.ts'
import type { Database } from '../../../kit/db/index.ts'
import { deriveKeyring } from '../../../kit/keyring.ts'
import { createBodyBatches } from './body-batches.ts'
import { yieldToBacklog } from './yield-to-backlog.ts'

const keyring = deriveKeyring('a key of a test of thirty-two characters')

test('many bodies that are being stored are a backlog, of whatever tenants', async () => {
  const batches = createBodyBatches(createCipher(keyring, async () => keyring))
  const { promise, resolve } = Promise.withResolvers<boolean[]>()
  const database = { withTenant: () => promise } as unknown as Database
  const store = (tenantId: string) =>
    batches.store(database, tenantId, { accountId: 'a', body: Buffer.from(tenantId) })
  const stored = Array.from({ length: 7 }, (_, n) => store(`tenant ${n}`))
  expect(batches.hasBacklog()).toBe(false)
  stored.push(store('tenant 7'))
  expect(batches.hasBacklog()).toBe(true)
  resolve([true])
  await Promise.all(stored)
  expect(batches.hasBacklog()).toBe(false)
})

test('work waits until a backlog ends, but not for one that does not end', async () => {
  let looks = 0
  await yieldToBacklog(() => ++looks < 3)
  expect(looks).toBe(3)
  await yieldToBacklog(() => ++looks > 0)
  expect(looks).toBeLessThan(20)
})
