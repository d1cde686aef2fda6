/** The page of an appointment over HTTP, and what a booking page must withstand: codes, frames, hostile texts. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import {
  makeEmailAccount,
  type Published,
  publishPage,
  sendForm,
  toQueryStart,
  visit,
} from '../../../../test/booking-page.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectMailbox } from '../../../../test/notices.ts'
import { advanceTo, book, makeEventType, move, readAppointment, toTime } from '../../../../test/scheduling.ts'
import { setSetting } from '../../../../test/settings.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { branding } from '../../identity/settings.ts'
import type { Appointment } from '../appointments/schemas.ts'

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

const listBooked = async () =>
  (await tenant.call<{ data: Appointment[] }>('GET', '/scheduling/appointments')).body.data
const toUrl = ({ links }: Appointment): string => `${app.url}/appointment/${links!.page.split('/').at(-1)}`
const post = (url: string, fields: Record<string, string>) =>
  visit(url, { method: 'POST', body: new URLSearchParams(fields) })

describe('an appointment', () => {
  it('is moved by its link, which stays the same, and once however often the form is sent', async () => {
    const booked = await book(tenant, page, toTime(2))
    const url = toUrl(booked)
    const start = toTime(4)
    const calendar = await visit(`${url}/reschedule?day=${start.slice(0, 10)}&lang=en&tz=UTC`)
    expect(calendar.text).toContain('Until now')
    expect(calendar.text).toContain(`value="${toQueryStart(start)}"`)
    for (const _time of [1, 2]) {
      const moved = await post(`${url}/reschedule?lang=en&tz=UTC`, { start: toQueryStart(start) })
      expect([moved.status, moved.location]).toEqual([303, `${url}?lang=en&tz=UTC&done=moved`])
    }
    expect(await readAppointment(tenant, booked.id)).toMatchObject({
      start,
      sequence: 1,
      links: booked.links,
    })
  })

  it('offers the nearest times if the new one is taken', async () => {
    const booked = await book(tenant, page, toTime(2))
    await book(tenant, page, toTime(3))
    const refused = await post(`${toUrl(booked)}/reschedule?lang=en`, { start: toQueryStart(toTime(3)) })
    expect(refused.status).toBe(422)
    expect(refused.text.match(/type="radio"/g)).toHaveLength(5)
    expect((await readAppointment(tenant, booked.id)).start).toBe(booked.start)
  })

  it('offers other times than its own, and speaks of nothing that was written', async () => {
    const booked = await book(tenant, page, toTime(2))
    const start = toQueryStart(toTime(2, 10, 7))
    const refused = await post(`${toUrl(booked)}/reschedule?lang=en`, { start })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('These times are available. Choose one.')
    expect(refused.text).toContain('type="radio"')
    expect(refused.text).not.toContain(`value="${toQueryStart(booked.start)}"`)
  })

  it('is cancelled only with the button, by the visitor', async () => {
    const booked = await book(tenant, page, toTime(2))
    const url = toUrl(booked)
    expect((await visit(`${url}/cancel?lang=en`)).text).toContain('Do you want to cancel')
    expect((await readAppointment(tenant, booked.id)).status).toBe('confirmed')
    expect((await post(`${url}/cancel?lang=en`, { reason: 'Found another flat' })).location).toBe(
      `${url}?lang=en`,
    )
    expect(await readAppointment(tenant, booked.id)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'visitor',
      cancelReason: 'Found another flat',
    })
    for (const path of ['', '/cancel', '/reschedule'])
      expect((await visit(`${url}${path}?lang=en`)).text).toContain('This appointment is cancelled')
    const posts = [
      post(`${url}/cancel?lang=en`, {}),
      post(`${url}/reschedule?lang=en`, { start: toQueryStart(toTime(5)) }),
    ]
    for (const { location } of await Promise.all(posts)) expect(location).toBe(`${url}?lang=en`)
    expect((await readAppointment(tenant, booked.id)).start).toBe(booked.start)
  })

  it('can no longer be changed near its beginning, and is over after its end', async () => {
    const strict = await publishPage(app, tenant, {
      locationMode: 'onsite',
      locationDetails: { address: 'Carrer de Mallorca, 214', instructions: 'Ring twice.' },
      config: { bookingPage: { cancelBeforeMin: 3 * 24 * 60 } },
    })
    const booked = await book(tenant, strict, toTime(2))
    const url = toUrl(booked)
    expect((await visit(url)).text).toContain('Ring twice.')
    expect((await visit(`${url}/cancel?lang=en`)).text).toContain(
      'can no longer be changed or cancelled here',
    )
    await post(`${url}/cancel`, {})
    await post(`${url}/reschedule`, { start: toQueryStart(toTime(9)) })
    expect(await readAppointment(tenant, booked.id)).toMatchObject({ status: 'confirmed', sequence: 0 })
    await advanceTo(tenant, toTime(3))
    const over = await visit(`${url}?lang=en`)
    expect(over.text).toContain('This appointment is over')
    expect(over.text).not.toContain('Ring twice.')
    expect(over.text).toContain(`href="../book/${strict.url.split('/').at(-1)}?lang=en"`)
  })

  it('is an iCalendar file with its UID, in the state that it has', async () => {
    const booked = await book(tenant, page, toTime(2))
    const url = `${toUrl(booked)}/invite.ics`
    const file = await visit(url)
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(file.text).toContain(`UID:${booked.icalUid}`)
    expect(file.text).toContain('STATUS:CONFIRMED')
    expect(file.text).toContain('BEGIN:VALARM')
    await move(tenant, booked.id, 'cancel', {})
    const cancelled = await visit(url)
    expect(cancelled.text).toContain('STATUS:CANCELLED')
    expect(cancelled.text).not.toContain('BEGIN:VALARM')
    expect(cancelled.headers.get('content-disposition')).toBe('attachment; filename="invite.ics"')
  })

  it('of another kind of link is not found', async () => {
    const booked = await book(tenant, page, toTime(2))
    const token = toUrl(booked).split('/').at(-1)
    expect((await visit(`${app.url}/book/${token}`)).status).toBe(404)
    expect((await visit(page.url.replace('/book/', '/appointment/'))).status).toBe(404)
  })
})

describe('in a frame', () => {
  it('the page is shown only by the sites that the event type names', async () => {
    const policy = async (url: string) => (await visit(url)).headers.get('content-security-policy')
    expect(await policy(`${page.url}?embed=1`)).toContain("frame-ancestors 'none'")
    const framed = await publishPage(app, tenant, {
      config: { bookingPage: { allowedOrigins: ['https://agency.example', 'http://localhost:8080'] } },
    })
    expect(await policy(framed.url)).toContain("frame-ancestors 'none'")
    expect(await policy(`${framed.url}?embed=1`)).toContain(
      'frame-ancestors https://agency.example http://localhost:8080',
    )
    const { location } = await sendForm(app, framed, toTime(2), {}, '&embed=1')
    expect(location).toContain('embed=1')
    expect(await policy(location!)).toContain('frame-ancestors https://agency.example')
  })

  test.each([
    "https://a.example; script-src 'unsafe-inline'",
    'https://a.example/path',
    'javascript:alert(1)',
    '*',
  ])('%s is no site', async origin => {
    const { status } = await tenant.call('PATCH', `/scheduling/event-types/${page.id}`, {
      body: { config: { bookingPage: { allowedOrigins: [origin] } } },
    })
    expect(status).toBe(400)
  })
})

describe('with a code by e-mail', () => {
  const config = { bookingPage: { requireCode: true } }

  it('is published only if there is an e-mail account', async () => {
    await expect(publishPage(app, tenant, { config })).rejects.toThrow('NO_EMAIL_ACCOUNT')
    const draft = await makeEventType(tenant)
    expect(
      (await tenant.call('PATCH', `/scheduling/event-types/${draft.id}`, { body: { config } })).status,
    ).toBe(200)
    const required = await tenant.call('PATCH', `/scheduling/event-types/${page.id}`, { body: { config } })
    expect(required).toMatchObject({ status: 422, body: { code: 'NO_EMAIL_ACCOUNT' } })
    await makeEmailAccount(tenant)
    expect(
      (await tenant.call('PATCH', `/scheduling/event-types/${page.id}`, { body: { config } })).status,
    ).toBe(200)
    const emailAccountId = await connectMailbox(tenant, 'lost@agency.example')
    expect((await tenant.call('DELETE', `/accounts/${emailAccountId}`)).status).toBeLessThan(300)
    const body = { config: { notices: { emailAccountId } } }
    const lost = await tenant.call('PATCH', `/scheduling/event-types/${page.id}`, { body })
    expect(lost).toMatchObject({ status: 422, body: { code: 'NO_EMAIL_ACCOUNT' } })
  })

  it('a visitor books with the code, which is valid once and for five attempts', async () => {
    await makeEmailAccount(tenant)
    const guarded = await publishPage(app, tenant, { config })
    const fields = { email: 'marta@example.com' }
    const asked = await sendForm(app, guarded, toTime(2), fields, '&lang=en')
    expect(asked.text).toContain('Confirm your e-mail address')
    const code = /The code is <strong>(\d{6})</.exec(asked.text)![1]!
    expect(await listBooked()).toEqual([])
    const again = await sendForm(app, guarded, toTime(2), { ...fields, resend: 'yes' }, '&lang=en')
    expect(again.text).toContain('Please wait a minute')
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const refused = await sendForm(app, guarded, toTime(2), { ...fields, code: wrong }, '&lang=en')
    expect([refused.status, refused.text.includes('This is not the code.')]).toEqual([422, true])
    expect((await sendForm(app, guarded, toTime(2), { ...fields, code })).status).toBe(303)
    const used = await sendForm(app, guarded, toTime(3), { ...fields, code }, '&lang=en')
    expect(used.text).toContain('The code is no longer valid.')
    expect(await listBooked()).toHaveLength(1)
  })

  it('nobody guesses it', async () => {
    await makeEmailAccount(tenant)
    const guarded = await publishPage(app, tenant, { config })
    const fields = { email: 'marta@example.com' }
    const asked = await sendForm(app, guarded, toTime(2), fields)
    const code = /The code is <strong>(\d{6})</.exec(asked.text)![1]!
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    await Promise.all(
      Array.from({ length: 8 }, () => sendForm(app, guarded, toTime(2), { ...fields, code: wrong })),
    )
    const late = await sendForm(app, guarded, toTime(2), { ...fields, code }, '&lang=en')
    expect(late.text).toContain('The code is no longer valid.')
    expect(await listBooked()).toEqual([])
  })
})

describe('hostile texts', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\'`</style></title>'

  it('of the agency and of the visitor stay texts, on every page', async () => {
    await setSetting(app.database, tenant.tenantId, branding, {
      color: '#ff0000',
      phone: `+34 ${hostile}`.slice(0, 50),
      email: null,
      website: null,
    })
    const questions = [
      { id: 'q', label: hostile, type: 'select', options: [hostile] },
      { id: 'r', label: hostile, type: 'text' },
    ]
    const evil = await publishPage(app, tenant, {
      name: hostile,
      description: hostile,
      locationMode: 'onsite',
      locationDetails: { address: hostile, instructions: hostile },
      config: { questions },
    })
    const start = toQueryStart(toTime(2))
    const refused = await sendForm(app, evil, toTime(2), {
      name: hostile,
      email: hostile,
      notes: hostile,
      'answer-r': hostile,
    })
    const booked = await sendForm(app, evil, toTime(2), { notes: hostile, 'answer-q': hostile })
    expect(booked.status).toBe(303)
    const { body } = await tenant.call<{ data: { id: string }[] }>('GET', '/scheduling/appointments')
    const changes = { visitor: { name: hostile } }
    const path = `/scheduling/appointments/${body.data[0]!.id}`
    expect((await tenant.call('PATCH', path, { body: changes })).status).toBe(200)
    await post(`${booked.location!.split('?')[0]}/cancel`, { reason: hostile })
    expect((await visit(evil.url)).text).not.toContain('\u202e')
    const urls = [
      evil.url,
      `${evil.url}?start=${start}`,
      `${evil.url}?tz=${encodeURIComponent(hostile)}&lang="><b>`,
      booked.location!,
    ]
    const pages = [refused, ...(await Promise.all(urls.map(url => visit(url))))]
    for (const { text, headers } of pages) {
      expect(text.match(/<script/g)).toHaveLength(1)
      expect(text).not.toMatch(/<img|onerror=alert\(1\)>/)
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
    }
  })
})
