/** The booking page over HTTP: days, times, the form, and what is refused. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import {
  makeTicket,
  type Published,
  publishPage,
  sendForm,
  toQueryStart,
  visit,
} from '../../../../test/booking-page.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { book, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { issueTicket } from '../../../kit/form-ticket.ts'
import type { Appointment } from '../appointments/schemas.ts'
import { openAppointmentsMax } from './submit.ts'

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

describe('the calendar', () => {
  it('shows the first free day of the month, in the language and time zone of the visitor', async () => {
    const { status, text, headers } = await visit(`${page.url}?tz=America/Bogota`, {
      headers: { 'Accept-Language': 'ca-ES,es;q=0.9' },
    })
    expect(status).toBe(200)
    expect(text).toContain('<html lang="ca">')
    expect(text).toContain('<option value="America/Bogota" selected>Bogotà (UTC−5)')
    expect(text).toMatch(/aria-current="date"/)
    expect(text).toMatch(/<button name="start" value="\d{4}-\d\d-\d\dT\d\d:\d\dZ">\d\d:\d\d<\/button>/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('opens the month of the next free slot, however far; this one if nothing can be booked', async () => {
    const [month, farDay] = [toTime(0).slice(0, 7), toTime(600).slice(0, 10)]
    const patch = (overrides: object[]) =>
      tenant.call('PATCH', `/scheduling/event-types/${page.id}`, {
        body: { availability: { weekly: [], overrides, horizonDays: 730 } },
      })
    expect((await patch([{ date: farDay, intervals: [{ from: '10:00', to: '11:00' }] }])).status).toBe(200)
    const far = (await visit(`${page.url}?tz=UTC&lang=en`)).text
    expect(far).toContain(`day=${farDay}`)
    expect(far).toContain('<button name="start"')
    await patch([])
    const none = (await visit(`${page.url}?tz=UTC&lang=en`)).text
    const title = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
    expect(none).toContain(`<h2 id="month">${title.format(Date.parse(`${month}-15`))}</h2>`)
    expect(none).not.toContain('aria-label="Next month"')
  })

  it('does not offer a time that is booked, and offers it again after its cancellation', async () => {
    const start = toTime(3)
    const day = `${page.url}?day=${start.slice(0, 10)}&tz=UTC`
    const button = `value="${toQueryStart(start)}"`
    expect((await visit(day)).text).toContain(button)
    const { id } = await book(tenant, page, start)
    expect((await visit(day)).text).not.toContain(button)
    await tenant.call('POST', `/scheduling/appointments/${id}/cancel`, { body: {} })
    expect((await visit(day)).text).toContain(button)
  })

  it.each([
    'day=9999-12-31',
    'day=0000-00-00',
    'month=1970-01',
    'month=9999-12',
    'day=2026-02-31',
    'start=9999-12-31T23:59Z',
    'start=x&day=y&month=z&tz=Mars/Olympus&lang=tlh&embed=7',
    `tz=${'A'.repeat(5000)}`,
  ])('stays in its horizon: %s', async query => {
    const { status, text } = await visit(`${page.url}?${query}`)
    expect([200, 422]).toContain(status)
    expect(text.length).toBeLessThan(40_000)
  })

  it('is gone once its link is revoked, and says so while it is closed', async () => {
    await tenant.call('PATCH', `/scheduling/event-types/${page.id}`, {
      body: { config: { bookingPage: { isPublished: false } } },
    })
    const closed = await visit(`${page.url}?lang=en`)
    expect(closed.text).toContain('can’t be booked here')
    expect((await sendForm(app, page, toTime(2))).status).toBe(200)
    expect(await listBooked()).toEqual([])
    await tenant.call('DELETE', `/scheduling/event-types/${page.id}/share`)
    expect((await visit(page.url)).status).toBe(404)
  })
})

describe('a booking', () => {
  it('leads to the page of the appointment, which is on the lead and says where it was made', async () => {
    const start = toTime(2)
    const { status, location } = await sendForm(
      app,
      page,
      start,
      { notes: 'Vengo con niños.' },
      '&tz=Europe/Lisbon&lang=pt',
    )
    expect(status).toBe(303)
    expect(location).toMatch(/\/appointment\/[\w-]{32}\?lang=pt&tz=Europe%2FLisbon$/)
    const shown = await visit(location!)
    expect(shown.text).toContain('A sua marcação está confirmada')
    const [booked] = await listBooked()
    expect(booked).toMatchObject({
      start,
      source: 'page',
      timezone: 'Europe/Lisbon',
      notes: 'Vengo con niños.',
      visitor: { name: 'Marta Soler', language: 'pt' },
      leadId: expect.any(String),
    })
  })

  it('does not say where somebody lives whose phone a stranger wrote, and is no reply of theirs', async () => {
    const phone = '+34611222333'
    const { body: owner } = await tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact: { name: 'Eva', phone }, property: { address: 'Calle Secreta 7', postcode: '28013' } },
    })
    const onSite = await publishPage(app, tenant, { locationMode: 'onsite' })
    const { location } = await sendForm(app, onSite, toTime(2), { phone })
    expect((await visit(location!)).text).not.toContain('Secreta')
    const [booked] = await listBooked()
    expect(booked).toMatchObject({ leadId: owner.id, location: { address: null } })
    const { body } = await tenant.call<{ status: string }>('GET', `/leads/${owner.id}`)
    expect(body.status).toBe('new')
  })

  it('is made once, however often and simultaneously its form is sent', async () => {
    const ticket = makeTicket(app, page.id)
    const fields = { ticket, email: 'twice@example.com', phone: '+34655000001' }
    const replies = await Promise.all([1, 2, 3].map(() => sendForm(app, page, toTime(2), fields)))
    expect(new Set(replies.map(({ location }) => location)).size).toBe(1)
    expect(await listBooked()).toHaveLength(1)
  })

  it('is not that of another form with the same ticket, which is shown again with one of its own', async () => {
    const ticket = makeTicket(app, page.id)
    const first = { ticket, name: 'Ana', email: 'ana@example.com', phone: '+34655000002' }
    const { location } = await sendForm(app, page, toTime(2), first)
    expect((await sendForm(app, page, toTime(2), { ...first, phone: '655 00 00 02' })).location).toBe(
      location,
    )
    const other = { ...first, name: 'María José', email: 'mj@example.com', phone: '+34655000003' }
    for (const [start, fields] of [
      [toTime(3), first],
      [toTime(2), other],
    ] as const) {
      const { status, text } = await sendForm(app, page, start, fields)
      expect([status, text.includes(fields.name)]).toEqual([422, true])
      expect(text).not.toContain(`value="${ticket}"`)
    }
    expect(await listBooked()).toHaveLength(1)
  })

  it('goes on to the page of the agency if it names one', async () => {
    const thanks = await publishPage(app, tenant, {
      config: { bookingPage: { redirectUrl: 'https://agency.example/thanks' } },
    })
    const form = await visit(`${thanks.url}?start=${toQueryStart(toTime(2))}`)
    expect(form.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://agency.example;",
    )
    expect((await sendForm(app, thanks, toTime(2))).location).toBe('https://agency.example/thanks')
  })

  it('of a slot that was taken offers the nearest ones and keeps what was typed', async () => {
    const start = toTime(2)
    await book(tenant, page, start)
    const refused = await sendForm(app, page, start, { notes: 'Núria "Quim" <b>' }, '&lang=en')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Somebody has just booked this time.')
    expect(refused.text).toContain('Núria &#34;Quim&#34; &lt;b&gt;</textarea>')
    const offered = [...refused.text.matchAll(/type="radio" name="start" value="([^"]+)"/g)].map(
      found => found[1]!,
    )
    expect(offered).toHaveLength(5)
    const again = await sendForm(app, page, start, { start: offered[0] })
    expect(again.status).toBe(303)
  })
})

describe('a form', () => {
  const questions = [
    { id: 'budget', label: 'Your <i>budget</i>', type: 'select', required: true, options: ['low', 'high'] },
    { id: 'terms', label: 'I accept', type: 'checkbox', required: true },
    { id: 'mobile', label: 'Another phone', type: 'phone' },
  ]

  it('is shown again with what is wrong beside each field', async () => {
    const asked = await publishPage(app, tenant, { locationMode: 'onsite', config: { questions } })
    const { status, text } = await sendForm(
      app,
      asked,
      toTime(2),
      { name: ' ', email: 'marta@', phone: '12', 'answer-budget': 'none', 'answer-mobile': 'call me' },
      '&lang=en',
    )
    expect(status).toBe(422)
    for (const name of ['name', 'email', 'phone', 'q0', 'q1', 'q2']) {
      expect(text).toContain(`<a href="#${name}">`)
      expect(text).toContain(`id="${name}-error"`)
    }
    expect(text).toContain('value="marta@"')
    expect(text).not.toContain('<i>')
    expect(await listBooked()).toEqual([])
  })

  test.each([
    ['en', 'entre en https://evil.example/login', 'Please enter only your name, without numbers and links.'],
    ['pt', 'Ligue 912345678', 'Escreva apenas o seu nome, sem números nem ligações.'],
    [
      'es',
      'su cuenta fue bloqueada llame ahora mismo al banco',
      'Escriba solo su nombre, sin números ni enlaces.',
    ],
  ])('that has a message in place of a name is refused: %s', async (language, name, sentence) => {
    const { status, text } = await sendForm(app, page, toTime(2), { name }, `&lang=${language}`)
    expect(status).toBe(422)
    expect(text).toContain('id="name-error"')
    expect(text).toContain(sentence)
    expect(await listBooked()).toEqual([])
  })

  it('keeps a name as people write it, without what messengers turn into a link', async () => {
    const sent = await sendForm(app, page, toTime(2), { name: ' Mª  del Mar O’Neill ' })
    expect(sent.status).toBe(303)
    const other = await sendForm(app, page, toTime(3), { name: 'Ana.com' })
    expect(other.status).toBe(303)
    expect((await listBooked()).map(({ visitor }) => visitor.name).sort()).toEqual([
      'Ana. com',
      'Mª del Mar O’Neill',
    ])
  })

  it('passes the answers on', async () => {
    const asked = await publishPage(app, tenant, { locationMode: 'onsite', config: { questions } })
    const sent = await sendForm(app, asked, toTime(2), {
      phone: '',
      'answer-budget': 'high',
      'answer-terms': 'yes',
    })
    expect(sent.status).toBe(303)
    expect((await listBooked())[0]).toMatchObject({ answers: { budget: 'high', terms: true } })
  })

  test.each([
    ['without a ticket', () => ({ ticket: undefined })],
    ['with the ticket of another event type', () => ({ ticket: makeTicket(app, tenant.tenantId) })],
    [
      'that nobody can have filled in so fast',
      () => ({ ticket: issueTicket(app.deployment.cipher, page.id) }),
    ],
    [
      'of last week',
      () => ({
        ticket: issueTicket(app.deployment.cipher, page.id, { issuedMs: Date.now() - 7 * 86_400_000 }),
      }),
    ],
    ['with the field that only machines see', () => ({ website: 'https://spam.example' })],
  ])('%s has to be sent again', async (_what, makeFields) => {
    const { status, text } = await sendForm(app, page, toTime(2), makeFields(), '&lang=en')
    expect(status).toBe(422)
    expect(text).toContain('Please check your details and send them again.')
    expect(await listBooked()).toEqual([])
  })

  it('of a visitor with many appointments to come is refused', async () => {
    const fields = { email: 'many@example.com', phone: '+34655999999' }
    const sent = Array.from({ length: openAppointmentsMax + 3 }, (_, at) =>
      sendForm(app, page, toTime(2, 8 + at), fields),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.filter(status => status === 303)).toHaveLength(openAppointmentsMax)
    const other = await sendForm(app, page, toTime(3), { ...fields, phone: '+34655999998' }, '&lang=en')
    expect(other.text).toContain(`You already have ${openAppointmentsMax} appointments`)
  })

  it('with texts of a million characters is refused, and nothing is booked', async () => {
    const long = 'ñ<'.repeat(30_000)
    const { status, text } = await sendForm(app, page, toTime(2), { name: long.slice(0, 20_000) }, '&lang=en')
    expect(status).toBe(422)
    expect(text).toContain('Please write at most 60 characters.')
    expect((await sendForm(app, page, toTime(2), { notes: 'x'.repeat(1_000_000) })).status).toBe(413)
    expect(await listBooked()).toEqual([])
  })
})
