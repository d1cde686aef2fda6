/** What a visitor says after an appointment, on its page. */
import { beforeAll, beforeEach, expect, it, test } from 'vitest'
import { type Published, publishPage, visit } from '../../../../test/booking-page.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { advanceTo, book, listEvents, move, readAppointment, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import type { Appointment } from '../appointments/schemas.ts'
import { getFeedbackWords } from './feedback-words.ts'

let app: TestApp
let tenant: TestTenant
let page: Published
let booked: Appointment
let url: string

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  page = await publishPage(app, tenant)
  booked = await book(tenant, page, toTime(2))
  url = `${app.url}/appointment/${booked.links!.page.split('/').at(-1)}`
})

const send = (fields: Record<string, string>) =>
  visit(`${url}/feedback?lang=en`, { method: 'POST', body: new URLSearchParams(fields) })
const end = () => advanceTo(tenant, toTime(2, 12))
const readOutcome = async () => (await readAppointment(tenant, booked.id)).outcome

it('is asked for on the page once the appointment has ended, and kept with an event', async () => {
  expect((await visit(`${url}?lang=en`)).text).not.toContain('/feedback')
  expect((await send({ result: 'offer' })).location).toBe(`${url}?lang=en`)
  expect(await readOutcome()).toBeNull()
  await end()
  expect((await visit(`${url}?lang=en`)).text).toContain('Give your feedback')
  const form = await visit(`${url}/feedback?lang=en`)
  expect(form.text).toContain('I would like to make an offer')
  expect(form.text.match(/type="radio"/g)).toHaveLength(5)
  const sent = await send({ result: 'offer', rating: '5', text: ' Light,\r\nand <b>quiet</b>. ' })
  expect([sent.status, sent.location]).toEqual([303, `${url}?lang=en`])
  expect(await readOutcome()).toEqual({
    result: 'offer',
    recordedBy: 'visitor',
    feedback: { result: 'offer', rating: 5, text: 'Light,\nand <b>quiet</b>.', givenAt: expect.any(String) },
    recordedAt: expect.any(String),
    byUserId: null,
  })
  expect((await visit(`${url}?lang=en`)).text).toContain('Thank you for your feedback')
  const recorded = (await listEvents(tenant)).filter(({ type }) => type === 'appointment.outcome_recorded')
  expect(recorded.map(({ data }) => data)).toMatchObject([{ appointmentId: booked.id, result: 'offer' }])
})

it('is given once', async () => {
  await end()
  await Promise.all(['offer', 'interested', 'other'].map(result => send({ result })))
  const first = await readOutcome()
  expect((await send({ result: 'not_interested' })).status).toBe(303)
  expect((await visit(`${url}/feedback?lang=en`)).location).toBe(`${url}?lang=en`)
  expect(await readOutcome()).toEqual(first)
  expect((await listEvents(tenant)).filter(({ type }) => type.endsWith('outcome_recorded'))).toHaveLength(1)
})

it('stays apart from what an agent records, whoever is first', async () => {
  await end()
  await move(tenant, booked.id, 'outcome', { result: 'undecided' })
  await send({ result: 'interested', rating: '4' })
  expect(await readOutcome()).toMatchObject({
    result: 'undecided',
    recordedBy: 'agent',
    feedback: { result: 'interested', rating: 4 },
  })
  const refused = await move(tenant, booked.id, 'outcome', { result: 'offer', feedback: { rating: 1 } })
  expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: '/feedback' }]])
  await move(tenant, booked.id, 'outcome', { result: 'offer' })
  expect(await readOutcome()).toMatchObject({
    result: 'offer',
    feedback: { result: 'interested', rating: 4, text: null },
  })
})

it('is shown again with what is wrong, and what was typed', async () => {
  await end()
  const nothing = await send({ rating: '3', text: '<script>' })
  expect(nothing.status).toBe(422)
  expect(nothing.text).toContain('choose one of the options')
  expect(nothing.text).toContain('<option selected>3</option>')
  expect(nothing.text).toContain('&lt;script&gt;</textarea>')
  expect((await send({ result: 'other', text: 'x'.repeat(5001) })).text).toContain('at most 5000 characters')
  expect((await send({ result: 'other', rating: '6' })).status).toBe(303)
  expect((await readOutcome())?.feedback.rating).toBeNull()
})

it('is not asked for if nobody came', async () => {
  await end()
  await move(tenant, booked.id, 'no-show')
  expect((await visit(`${url}?lang=en`)).text).not.toContain('/feedback')
  await send({ result: 'other' })
  expect(await readOutcome()).toBeNull()
})

test('the form has the words of each of the nine languages', async () => {
  await end()
  for (const language of messageLanguages) {
    const { text } = await visit(`${url}/feedback?lang=${language}`)
    const { title, question } = getFeedbackWords(language)
    expect(text).toContain(`<h1 id="feedback">${title}</h1>`)
    expect(text).toContain(question)
    expect(text.length).toBeLessThan(40_000)
  }
})
