/** The booking page for visitors in another time zone than the agent, on the days on which clocks change. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Published, publishPage, sendForm, visit } from '../../../../test/booking-page.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { advanceTo } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Appointment } from '../appointments/schemas.ts'

let app: TestApp

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})

const stepMaxMs = 800 * 86_400_000

/** In steps, because the clock moves by 800 days at most. */
async function advanceFar(tenant: TestTenant, to: string): Promise<void> {
  const toMs = Date.parse(to)
  for (let ms = Date.now() + stepMaxMs; ms < toMs; ms += stepMaxMs)
    await advanceTo(tenant, new Date(ms).toISOString())
  await advanceTo(tenant, to)
}

/** A page of an agent in Madrid with these hours of every day, some days before a change of the clocks. */
async function publishInMadrid(now: string, from: string, to: string): Promise<[TestTenant, Published]> {
  const tenant = await makeTenant(app)
  await advanceFar(tenant, now)
  const weekly = Array.from({ length: 7 }, (_, index) => ({ day: index + 1, from, to }))
  const availability = { timezone: 'Europe/Madrid', weekly, horizonDays: 30 }
  return [tenant, await publishPage(app, tenant, { availability })]
}

/** The start of each button, and what it says. */
const listButtons = (text: string) =>
  [...text.matchAll(/<button name="start" value="([^"]+)">(.+?)<\/button>/g)].map(
    ([, start, label]) => `${start} ${label!.replaceAll(/<\/?small>/g, '')}`,
  )

/**
 * `hours`: of the agent's days. `buttons`: the start in UTC, and what the button says, with the offset from UTC if it is
 * not that of the first.
 */
const changes = [
  {
    name: 'Lisbon and Madrid go forward',
    timezone: 'Europe/Lisbon',
    hours: ['00:00', '04:00'],
    now: '2031-03-27T12:00:00Z',
    day: '2031-03-30',
    shownDay: 'Sunday, 30 March 2031',
    buttons: [
      '2031-03-30T00:00Z 00:00',
      '2031-03-30T00:30Z 00:30',
      '2031-03-30T01:00Z 02:00 UTC+1',
      '2031-03-30T01:30Z 02:30 UTC+1',
      '2031-03-30T22:00Z 23:00 UTC+1',
      '2031-03-30T22:30Z 23:30 UTC+1',
    ],
    zones: ['Lisbon (UTC)', 'Lisbon (UTC)', ...Array(4).fill('Lisbon (UTC+1)')],
  },
  {
    name: 'Lisbon and Madrid go back',
    timezone: 'Europe/Lisbon',
    hours: ['00:00', '04:00'],
    now: '2031-10-23T12:00:00Z',
    day: '2031-10-26',
    shownDay: 'Sunday, 26 October 2031',
    buttons: [
      '2031-10-25T23:00Z 00:00',
      '2031-10-25T23:30Z 00:30',
      '2031-10-26T00:00Z 01:00',
      '2031-10-26T00:30Z 01:30',
      '2031-10-26T01:00Z 01:00 UTC',
      '2031-10-26T01:30Z 01:30 UTC',
      '2031-10-26T02:00Z 02:00 UTC',
      '2031-10-26T02:30Z 02:30 UTC',
      '2031-10-26T23:00Z 23:00 UTC',
      '2031-10-26T23:30Z 23:30 UTC',
    ],
    zones: [...Array(4).fill('Lisbon (UTC+1)'), ...Array(6).fill('Lisbon (UTC)')],
  },
  {
    name: 'Sydney goes back while Madrid stays',
    timezone: 'Australia/Sydney',
    hours: ['16:00', '19:00'],
    now: '2031-04-03T00:00:00Z',
    day: '2031-04-06',
    shownDay: 'Sunday, 6 April 2031',
    buttons: [
      '2031-04-05T14:00Z 01:00',
      '2031-04-05T14:30Z 01:30',
      '2031-04-05T15:00Z 02:00',
      '2031-04-05T15:30Z 02:30',
      '2031-04-05T16:00Z 02:00 UTC+10',
      '2031-04-05T16:30Z 02:30 UTC+10',
    ],
    zones: [...Array(4).fill('Sydney (UTC+11)'), ...Array(2).fill('Sydney (UTC+10)')],
  },
  {
    name: 'Sydney goes forward while Madrid stays',
    timezone: 'Australia/Sydney',
    hours: ['16:00', '19:00'],
    now: '2031-10-02T00:00:00Z',
    day: '2031-10-05',
    shownDay: 'Sunday, 5 October 2031',
    buttons: [
      '2031-10-04T14:00Z 00:00',
      '2031-10-04T14:30Z 00:30',
      '2031-10-04T15:00Z 01:00',
      '2031-10-04T15:30Z 01:30',
      '2031-10-04T16:00Z 03:00 UTC+11',
      '2031-10-04T16:30Z 03:30 UTC+11',
    ],
    zones: [...Array(4).fill('Sydney (UTC+10)'), ...Array(2).fill('Sydney (UTC+11)')],
  },
  {
    name: 'Lord Howe goes back by half an hour',
    timezone: 'Australia/Lord_Howe',
    hours: ['16:00', '19:00'],
    now: '2031-04-03T00:00:00Z',
    day: '2031-04-06',
    shownDay: 'Sunday, 6 April 2031',
    buttons: [
      '2031-04-05T14:00Z 01:00',
      '2031-04-05T14:30Z 01:30',
      '2031-04-05T15:00Z 01:30 UTC+10:30',
      '2031-04-05T15:30Z 02:00 UTC+10:30',
      '2031-04-05T16:00Z 02:30 UTC+10:30',
      '2031-04-05T16:30Z 03:00 UTC+10:30',
    ],
    zones: [...Array(2).fill('Lord Howe Island (UTC+11)'), ...Array(4).fill('Lord Howe Island (UTC+10:30)')],
  },
  {
    name: 'Lord Howe goes forward by half an hour',
    timezone: 'Australia/Lord_Howe',
    hours: ['16:00', '19:00'],
    now: '2031-10-02T00:00:00Z',
    day: '2031-10-05',
    shownDay: 'Sunday, 5 October 2031',
    buttons: [
      '2031-10-04T14:00Z 00:30',
      '2031-10-04T14:30Z 01:00',
      '2031-10-04T15:00Z 01:30',
      '2031-10-04T15:30Z 02:30 UTC+11',
      '2031-10-04T16:00Z 03:00 UTC+11',
      '2031-10-04T16:30Z 03:30 UTC+11',
    ],
    zones: [...Array(3).fill('Lord Howe Island (UTC+10:30)'), ...Array(3).fill('Lord Howe Island (UTC+11)')],
  },
]

describe.each(changes)('$name:', ({ timezone, hours, now, day, shownDay, buttons, zones }) => {
  it('the page shows the times of the visitor, books the instant that was shown, and confirms it in the same time', async () => {
    const [tenant, page] = await publishInMadrid(now, hours[0]!, hours[1]!)
    const query = `&lang=en&tz=${timezone}`
    const shown = await visit(`${page.url}?day=${day}${query}`)
    expect(shown.text).toContain(shownDay)
    expect(listButtons(shown.text)).toEqual(buttons)

    const confirmed: string[] = []
    for (const button of buttons) {
      const [start] = button.split(' ') as [string]
      const { location } = await sendForm(app, page, start, {}, query)
      const { text } = await visit(location!)
      confirmed.push(/[^>]+\d\d:\d\d–[^<]+/.exec(text)?.[0].trim() ?? text)
    }
    for (const [at, button] of buttons.entries()) {
      expect(confirmed[at]).toContain(`${shownDay}, ${button.split(' ')[1]}–`)
      expect(confirmed[at]).toContain(zones[at])
    }
    const { body } = await tenant.call<{ data: Appointment[] }>('GET', '/scheduling/appointments?limit=100')
    const booked = body.data.map(({ start, timezone }) => ({ start: `${start.slice(0, 16)}Z`, timezone }))
    const wanted = buttons.map(button => ({ start: button.split(' ')[0]!, timezone }))
    expect(booked.toSorted((a, b) => a.start.localeCompare(b.start))).toEqual(wanted)
  })
})

it('the visitor chooses the time zone with a form, which keeps the language and the day', async () => {
  const [, page] = await publishInMadrid('2031-03-27T12:00:00Z', '10:00', '11:00')
  const { text } = await visit(`${page.url}?day=2031-04-02&lang=pt`)
  const form = /<form class="zone" method="get">.*?<\/form>/s.exec(text)![0]
  expect(form).toMatch(/<button\b(?![^>]*type="button")/)
  expect(form).toContain('<option value="Europe/Madrid" selected>')
  expect(form).toContain('<option value="Australia/Sydney">')
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  const query = new URLSearchParams(fields.map(([, name, value]) => [name!, value!]))
  query.set('tz', 'Australia/Sydney')
  const chosen = await visit(`${page.url}?${query}`)
  expect(chosen.text).toContain('<html lang="pt"')
  expect(chosen.text).toContain('<option value="Australia/Sydney" selected>')
  expect(listButtons(chosen.text)).toEqual(['2031-04-02T08:00Z 19:00', '2031-04-02T08:30Z 19:30'])
})
