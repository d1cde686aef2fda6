/** The words of texts and of searches are split in the same way. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

it('finds a lead by a long word, by a phone without its prefix and by the beginning of a word', async () => {
  const long = 'z'.repeat(1500)
  const { status, text } = await tenant.call('POST', '/leads', {
    body: {
      contact: { name: "D'Ávila", phone: '+34 600 11 22 33' },
      property: { title: `Ático ${'q'.repeat(80)}`, description: `${long} ${'w'.repeat(2500)}` },
    },
  })
  expect(status, text).toBe(201)
  for (const q of [
    'z'.repeat(200),
    'w'.repeat(200),
    'w'.repeat(61),
    'q'.repeat(79),
    'avila',
    'atic',
    '600112233',
    "d'avila",
  ])
    expect((await tenant.listLeads({ q })).data.length, q).toBe(1)
})
