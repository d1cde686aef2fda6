/** Files with characters that PostgreSQL cannot store: they are removed, and a repeated row matches its lead. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows } from '../../../test/imports.ts'
import { makeTenant } from '../../../test/tenant.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

const lines = [
  '{"name":"A\\u0000na","phone":"612000001","k\\ud800":"v\\u0000"}',
  '{"name":"E\\uD800va","phone":"612000002","deep":{"k\\u0000":["\\udc00"]}}',
]

test('lines of JSON match the leads that they created, and can update them', async () => {
  const tenant = await makeTenant(app)
  const send = () => importFile(tenant, `${lines.join('\n')}\n`, { contentType: 'application/x-ndjson' })
  expect((await send()).progress).toMatchObject({ created: 2, failed: 0 })
  expect((await send()).progress).toMatchObject({ unchanged: 2 })
  const leads = (await tenant.listAllLeads()).toReversed()
  expect(leads.map(({ contact }) => contact.name).toSorted()).toEqual(['Ana', 'E\ufffdva'])
  for (const { id } of leads) await tenant.call('PATCH', `/leads/${id}`, { body: { contact: { name: 'x' } } })
  const again = await send()
  expect(again.progress, JSON.stringify(await listRows(tenant, again))).toMatchObject({
    updated: 2,
    failed: 0,
  })
})
