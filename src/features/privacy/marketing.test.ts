/** A refusal of marketing ends only with what the person accepts after it. */
import { beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { acceptMarketing, refuseMarketing } from './marketing.ts'
import { findSuppressions } from './suppression-list.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})

test('what the person accepted before a refusal does not end it, in whatever order both arrive', async () => {
  const tenant = await makeTenant(app)
  const identifiers = [{ kind: 'phone', value: '+34612009001' }] as const
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 10, minutes))
  const refuse = (minutes: number) =>
    tenant.inTenant(tx =>
      refuseMarketing(tx, identifiers, { channel: 'chat', note: 'refused', requestedAt: at(minutes) }),
    )
  const accept = (minutes: number) =>
    tenant.inTenant(async tx => {
      await acceptMarketing(tx, identifiers, { channel: 'chat', requestedAt: at(minutes) })
      return (await findSuppressions(tx, identifiers)).size
    })
  await refuse(10)
  expect(await accept(5)).toBe(1)
  await refuse(20)
  expect(await accept(15)).toBe(1)
  expect(await accept(25)).toBe(0)
})
