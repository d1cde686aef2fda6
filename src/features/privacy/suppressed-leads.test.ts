/** `suppressed_leads`: `contactable=false` finds suppressed leads, whether the lead or the entry was added first. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { reviewSuppressedLeads } from './jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

test('finds suppressed leads, whether the lead or the entry was added first', async () => {
  const tenant = await makeTenant(app)
  const make = async (phone: string) => {
    const { body } = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact: { phone } } })
    await tenant.call('PUT', `/leads/${body.id}/lawful-basis`, { body: { kind: 'contract' } })
    return body.id
  }
  const suppress = async (phone: string) => {
    const body = { identifiers: [{ kind: 'phone', value: phone }] }
    const reply = await tenant.call<{ data: { id: string }[] }>('POST', '/suppressions', { body })
    return reply.body.data[0]!.id
  }
  const listFound = async () =>
    (await tenant.listLeads({ contactable: false })).data.map(({ id }) => id).sort()
  const listSuppressed = async () => {
    const rows = await tenant.inTenant(tx =>
      tx.selectFrom('suppressed_leads').select('lead_id').where('tenant_id', '=', tenant.tenantId).execute(),
    )
    return rows.map(row => row.lead_id).sort()
  }
  const before = await make('612000001')
  const entry = await suppress('612000001')
  await suppress('612000002')
  await suppress('612000003')
  const after = await make('612000002')
  const changed = await make('612000004')
  await make('612000005')
  expect(await listFound()).toEqual([before, after].sort())
  await tenant.call('PATCH', `/leads/${changed}`, { body: { contact: { phone: '612000003' } } })
  expect(await listFound()).toEqual([before, after, changed].sort())
  expect((await tenant.call('DELETE', `/suppressions/${entry}`)).status).toBe(204)
  expect(await listFound()).toEqual([after, changed].sort())

  await tenant.inTenant(tx =>
    tx
      .deleteFrom('suppressed_leads')
      .where('tenant_id', '=', tenant.tenantId)
      .where('lead_id', '=', changed)
      .execute(),
  )
  expect(await listSuppressed()).toEqual([before, after].sort())
  const context = { database: app.database, tenantId: tenant.tenantId, signal: new AbortController().signal }
  await reviewSuppressedLeads.run({}, context as never)
  expect(await listSuppressed()).toEqual([after, changed].sort())
})
