/** Long bodies of WhatsApp, which are read on threads. */
import { expect, test } from 'vitest'
import { inlineMaxBytes } from '../../../kit/thread-pool.ts'
import { parseBody } from './parse-body.ts'
import { webhook } from './webhook.ts'

const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')
const statuses = Array.from({ length: 200 }, (_, index) => ({
  id: `wamid.${index}`,
  status: 'failed',
  timestamp: String(1_764_000_000 + index),
  recipient_id: '34612345678',
  errors: [{ code: 131_047, title: 'x'.repeat(100) }],
}))
const metadata = { display_phone_number: '34910000000', phone_number_id: '106540352242922' }
const changes = [{ field: 'messages', value: { metadata, statuses } }]
const entry = [{ id: '102290129340398', time: 1_764_000_000, changes }]
const body = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))

test('a long body is read on a thread, with the same events', async () => {
  expect(body.length).toBeGreaterThan(inlineMaxBytes)
  const events = await webhook.parse(body, receivedAt, 'account')
  expect(events.map(({ at }) => at.epochMilliseconds)).toEqual(
    statuses.map(({ timestamp }) => Number(timestamp) * 1000),
  )
  expect(events).toEqual(parseBody(body, receivedAt))
})

test('long bodies of one account do not keep those of another one waiting', async () => {
  const readAll = async (accountIds: string[]) => {
    const order: string[] = []
    await Promise.all(
      accountIds.map(async id => {
        await webhook.parse(body, receivedAt, id)
        order.push(id)
      }),
    )
    return order
  }
  // Both threads start.
  await readAll(['busy', 'other'])
  const order = await readAll([...Array<string>(60).fill('busy'), 'other'])
  expect(order.indexOf('other')).toBeLessThan(40)
})
