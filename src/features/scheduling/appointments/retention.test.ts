/** Visitors without a lead are erased at night after the retention period of their workspace. */
import { beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  advanceTo,
  book,
  makeEventType,
  makeVisitor,
  move,
  readAppointment,
  toTime,
} from '../../../../test/scheduling.ts'
import { setSetting } from '../../../../test/settings.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { retention } from '../../privacy/settings.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
  return () => app.stop()
})

const nobody = { name: null, email: null, phone: null, language: null }

test('a visitor without a lead is erased months after the appointment, one with a lead is kept as the lead is', async () => {
  const eventType = await makeEventType(tenant, {
    locationMode: 'video',
    locationDetails: { url: 'https://meet.example/viewing' },
    config: { questions: [{ id: 'why', label: 'Why', type: 'text' }] },
  })
  const visitor = { name: 'Marta Soler' }
  const more = { visitor, answers: { why: 'I move to Reus' }, notes: 'She calls back' }
  const past = await book(tenant, eventType, toTime(1), more)
  const cancelled = await book(tenant, eventType, toTime(2), more)
  await move(tenant, cancelled.id, 'cancel', { reason: 'Marta is ill' })
  const later = await book(tenant, eventType, toTime(20), more)
  const known = await book(tenant, eventType, toTime(3), { visitor: makeVisitor() })
  expect(past.leadId).toBeNull()
  // Won leads are kept.
  await tenant.call('PATCH', `/leads/${known.leadId}`, { body: { status: 'won' } })

  await advanceTo(tenant, toTime(39))
  expect((await readAppointment(tenant, past.id)).visitor).toMatchObject(visitor)

  await setSetting(app.database, tenant.tenantId, retention, { months: 1 })
  await advanceTo(tenant, toTime(40))
  const erased = { visitor: nobody, answers: {}, notes: null, cancelReason: null, links: null }
  await eventually(
    () => readAppointment(tenant, past.id),
    row => row.visitor.name === null,
  )
  expect(await readAppointment(tenant, past.id)).toMatchObject({ ...erased, status: 'completed' })
  expect(await readAppointment(tenant, cancelled.id)).toMatchObject({ ...erased, status: 'cancelled' })
  expect((await readAppointment(tenant, later.id)).visitor).toMatchObject(visitor)
  expect((await readAppointment(tenant, known.id)).visitor.name).toContain('Visitor')
})
