/** How often the booking page books, for one client and for one event type. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Published, publishPage, sendForm, visit } from '../../../../test/booking-page.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { advanceTo, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Appointment } from '../appointments/schemas.ts'
import { countPageUse, eventTypeLimit } from './booking-counts.ts'

let app: TestApp
let tenant: TestTenant
let page: Published

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  page = await publishPage(app, tenant)
})

const refusal = 'Too many appointments are being booked here at the moment.'
const countBooked = async () =>
  (await tenant.call<{ data: Appointment[] }>('GET', '/scheduling/appointments?limit=100')).body.data.length

/** One after the other, each for another time, of another visitor. */
async function sendMany(count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at++) statuses.push((await sendForm(app, page, toTime(2, at))).status)
  return statuses
}

describe('one client', () => {
  it('books as often as a family does, not as a script does, until an hour has passed', async () => {
    expect(await sendMany(10)).toEqual(Array(10).fill(303))
    const { status, text } = await sendForm(app, page, toTime(2, 12), {}, '&lang=en')
    expect(status).toBe(422)
    expect(text).toContain(refusal)
    expect(await countBooked()).toBe(10)
    const other = await publishPage(app, tenant)
    expect((await sendForm(app, other, toTime(3))).status).toBe(303)
    await advanceTo(tenant, new Date(Date.now() + 3_700_000).toISOString())
    expect((await sendForm(app, page, toTime(2, 12))).status).toBe(303)
  })
})

it('all clients together use one event type so many times a minute, from all processes', async () => {
  const use = (at: number) =>
    countPageUse(app.database, app.deployment.cipher, {
      tenantId: tenant.tenantId,
      eventTypeId: page.id,
      address: `198.51.100.${at}`,
      kind: 'booking',
    })
  const used = await Promise.all(Array.from({ length: eventTypeLimit.count + 5 }, (_, at) => use(at)))
  expect(used.filter(isAllowed => isAllowed)).toHaveLength(eventTypeLimit.count)
  expect((await sendForm(app, page, toTime(2))).status).toBe(422)
  await advanceTo(tenant, new Date(Date.now() + 70_000).toISOString())
  expect((await sendForm(app, page, toTime(2))).status).toBe(303)
})

/** As many as have a slot or wait for one, see `admission.ts`. */
const crowd = 36

it('a crowd on the page of one agency does not stand before the visitor of another', async () => {
  const crowded = await publishPage(app, tenant, { durationMin: 5, availability: { slotIntervalMin: 5 } })
  const other = await publishPage(app, await makeTenant(app))
  let shown = 0
  const visits = Array.from({ length: crowd }, async () => {
    const { status } = await visit(crowded.url)
    shown++
    return status
  })
  await Promise.race(visits)
  expect((await visit(other.url)).status).toBe(200)
  expect(shown).toBeLessThan(crowd / 2)
  expect(await Promise.all(visits)).toEqual(Array(crowd).fill(200))
})

it('one client opens pages as often as a person does, not as a script does', async () => {
  const statuses: number[] = []
  while (statuses.length < 150 && !statuses.includes(429)) {
    const { status, headers } = await visit(`${page.url}?view=about`)
    statuses.push(status)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(statuses.at(-1)).toBe(429)
  expect(statuses.slice(0, -1)).toEqual(Array(statuses.length - 1).fill(200))
})
