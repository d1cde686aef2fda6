/** The free slots that a refusal names, and the largest teams and rosters, over HTTP. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { book, findUserId, makeEventType, requestBooking, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { SlotList } from './schemas.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const toDate = (days: number) => toTime(days).slice(0, 10)

test('the nearest free slots are found months later, and earlier too', async () => {
  const overrides = [20, 41, 155, 300].map(days => ({
    date: toDate(days),
    intervals: [{ from: '10:00', to: '10:30' }],
  }))
  const eventType = await makeEventType(tenant, { availability: { weekly: [], overrides } })
  await book(tenant, eventType, toTime(41))
  const taken = await requestBooking(tenant, eventType, toTime(41))
  expect([taken.status, taken.body.code, taken.body.nearestSlots[0]?.start]).toEqual([
    409,
    'SLOT_TAKEN',
    toTime(155),
  ])
  const soon = await requestBooking(tenant, eventType, toTime(2))
  expect([soon.status, soon.body.nearestSlots[0]?.start]).toEqual([422, toTime(20)])
  await book(tenant, eventType, toTime(300))
  const last = await requestBooking(tenant, eventType, toTime(300))
  expect(last.body.nearestSlots[0]?.start).toBe(toTime(155))
})

test('a team of 50 with rosters for a year is listed and booked; only the days of the range are computed', async () => {
  const agentUserId = await findUserId(tenant)
  const intervals = [
    { from: '09:00', to: '14:00' },
    { from: '16:00', to: '20:00' },
  ]
  const overrides = Array.from({ length: 366 }, (_, day) => ({ date: toDate(day), intervals }))
  const members: { agendaId: string }[] = []
  for (let agent = 0; agent < 50; agent += 1) {
    const { status, text, body } = await tenant.call<{ id: string }>('POST', '/scheduling/agendas', {
      body: { agentUserId, timezone: 'UTC', workingHours: { weekly: [], overrides } },
    })
    if (status !== 201) throw new Error(text)
    members.push({ agendaId: body.id })
  }
  const team = await makeEventType(tenant, {
    agendaId: members[0]!.agendaId,
    config: { assignment: { kind: 'round_robin', members } },
  })
  const path = `/scheduling/event-types/${team.id}/slots`
  const listed = await tenant.call<SlotList>('GET', `${path}?from=${toDate(40)}&to=${toDate(54)}`)
  expect(listed.status, listed.text).toBe(200)
  expect(listed.body.data[toDate(50)]).toHaveLength(18)
  await book(tenant, team, toTime(50))
  const held = await tenant.call('POST', `/scheduling/event-types/${team.id}/holds`, {
    body: { start: toTime(360) },
  })
  expect(held.status, held.text).toBe(201)
  const odd = await requestBooking(tenant, team, toTime(50, 10, 7))
  expect([odd.status, odd.body.nearestSlots.length]).toEqual([422, 5])
  const share = `/scheduling/event-types/${team.id}/share`
  const { url } = (await tenant.call<{ url: string }>('POST', share, { body: {} })).body
  const page = await fetch(new URL(new URL(url).pathname, app.url))
  expect([page.status, (await page.text()).includes('<button name="start"')]).toEqual([200, true])
})
