/** What reports make of a message. */
import { expect, test } from 'vitest'
import { applyReport, startProgress } from './message-progress.ts'
import type { OutgoingRow } from './outgoing-rows.ts'

test('a message does not arrive before it was sent, although the provider reports whole seconds', () => {
  const sentAt = new Date('2026-11-02T10:00:00.700Z')
  const at = new Date('2026-11-02T10:00:00Z')
  const progress = startProgress({ status: 'sent', sentAt, providerMessageId: 'p-1' } as OutgoingRow)
  applyReport(progress, { status: 'read', at, providerMessageId: 'p-1' })
  expect(progress).toMatchObject({ status: 'read', deliveredAt: sentAt, readAt: sentAt })
})
