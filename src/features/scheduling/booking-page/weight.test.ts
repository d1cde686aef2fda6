/** The weight of every public page of scheduling, with the longest texts that the API takes and a slot every five minutes. */
import { describe, expect, it } from 'vitest'
import { escapeMarkup } from '../../../documents/markup.ts'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { toDayRange } from '../../../domain/slots/group-by-day.ts'
import type { PublicPage } from '../../../kit/public-route.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { type AppointmentView, toAppointmentPage, toCancelPage, toMovePage } from './appointment-html.ts'
import {
  type PageContext,
  toAboutPage,
  toCalendarPage,
  toClosedPage,
  toCodePage,
  toFormPage,
} from './booking-html.ts'
import type { MonthView } from './calendar-html.ts'
import { renderChange } from './change-notice.ts'
import { toFeedbackPage } from './feedback-html.ts'
import { readForm } from './fields.ts'
import type { FormView } from './form-html.ts'
import { readVisit } from './visit.ts'

const limitBytes = 40_000
/** Takes five bytes in HTML: no character takes more. */
const worst = '&'
const month = '2027-03'
const slot = { startMs: Date.parse('2027-03-28T22:00Z'), endMs: Date.parse('2027-03-29T22:00Z') }

const weigh = ({ body }: PublicPage): number => Buffer.byteLength(body)

/** A slot every five minutes, on every day. */
function makeFullMonth(timezone: string): MonthView {
  const days: MonthView['days'] = {}
  for (let day = 1; day <= 31; day++) {
    const date = `${month}-${String(day).padStart(2, '0')}`
    const { startMs, endMs } = toDayRange(date, date, timezone)
    days[date] = Array.from({ length: (endMs - startMs) / 300_000 }, (_, at) => ({
      startMs: startMs + at * 300_000,
      endMs: startMs + (at + 1) * 300_000,
      bookedSlotId: null,
      seatsLeft: 1000,
    }))
  }
  const shown = { day: `${month}-28`, part: 1, previous: '2027-02', next: '2027-04', isGroup: true }
  return { month, days, ...shown }
}

/** `letter` makes every text of the agency, in its full length. */
function makeContext(language: string, letter: string): PageContext {
  const timezone = 'America/Argentina/ComodRivadavia'
  const query = new URLSearchParams({ lang: language, tz: timezone, embed: '1' })
  return {
    visit: {
      ...readVisit(query, {}, { language: null, fallback: 'en', timezone }),
      // As in no frame: with the header of the agency.
      isEmbedded: false,
    },
    agency: {
      name: letter.repeat(100),
      color: '#e4572e',
      phone: letter.repeat(50),
      email: `${letter.repeat(64)}@${letter.repeat(190)}`,
      logoPath: '../x/logo',
      privacyUrl: `https://agency.example/${letter.repeat(400)}`,
    },
    frameOrigins: [],
    redirectOrigin: null,
    about: {
      name: letter.repeat(200),
      description: letter.repeat(5000),
      durationMin: 1439,
      place: ['On site', letter.repeat(500)],
      agent: letter.repeat(100),
    },
    ownZone: 'America/North_Dakota/New_Salem',
    nowMs: Date.parse('2027-03-01T10:00Z'),
  }
}

type Question = EventTypeRow['config']['questions'][number]
const makeQuestions = (type: Question['type'], label: string, options: string[] = []): Question[] =>
  Array.from({ length: 30 }, (_, at) => ({
    id: `question-${at}-`.padEnd(50, 'x'),
    label,
    type,
    required: true,
    options,
  }))

/** The form as it is refused, with an error at each field and a time that is taken. */
function makeForm({ visit }: PageContext, questions: Question[]): FormView {
  const eventType = {
    config: { questions, bookingPage: { requireCode: true } },
    locationMode: 'call',
    locationDetails: { whoCalls: 'agent' },
  } as unknown as EventTypeRow
  const { fields } = readForm(eventType, visit.words, { form: new URLSearchParams(), country: 'ES' })
  expect(fields.filter(({ error }) => error !== null)).toHaveLength(33)
  return {
    fields,
    slot,
    problems: [visit.words.errors.tooOften],
    nearest: Array(5).fill(slot),
    ticket: 'x'.repeat(100),
    code: '012345',
    isRequest: true,
  }
}

function makeAppointment(letter: string): AppointmentView {
  const path = `../${'x'.repeat(43)}/`
  return {
    status: 'confirmed',
    slot,
    canChange: true,
    isMoved: true,
    videoUrl: `https://meet.example/${letter.repeat(1979)}`,
    instructions: letter.repeat(2000),
    cancelReason: null,
    feedback: null,
    paths: { feedback: path, reschedule: path, cancel: path, ics: path, again: path },
  }
}

/** Every page but the form, whose questions alone can be heavier: 30 × 50 answers of 200 characters. */
const pages: Record<string, (context: PageContext, letter: string) => PublicPage> = {
  calendar: context =>
    toCalendarPage(context, makeFullMonth(context.visit.timezone), { title: context.about.name }),
  'whole description': toAboutPage,
  closed: toClosedPage,
  code: (context, letter) =>
    toCodePage(context, {
      slot,
      values: [],
      email: letter.repeat(254),
      problems: [context.visit.words.errors.codeUnsendable],
      testCode: '012345',
    }),
  appointment: (context, letter) => toAppointmentPage(context, makeAppointment(letter)),
  'cancelled appointment': (context, letter) =>
    toAppointmentPage(context, {
      ...makeAppointment(letter),
      status: 'cancelled',
      cancelReason: letter.repeat(1000),
    }),
  'reschedule: calendar': context =>
    toCalendarPage(context, makeFullMonth(context.visit.timezone), {
      title: context.visit.words.reschedule,
      notice: renderChange(context.visit, slot, `../${'x'.repeat(43)}`),
    }),
  'reschedule: refused': context =>
    toMovePage(context, {
      from: slot,
      to: slot,
      problems: [context.visit.words.errors.taken],
      nearest: Array(5).fill(slot),
      isRequest: true,
    }),
  cancel: context =>
    toCancelPage(context, {
      slot,
      back: '../x',
      reason: '',
      problem: context.visit.words.errors.tooLong(1000),
    }),
  feedback: context =>
    toFeedbackPage(context, {
      slot,
      typed: { result: '', rating: '', text: '', problems: [context.visit.words.errors.option] },
    }),
}

describe.each(messageLanguages)('under 40 KB in %s', language => {
  it.each(Object.keys(pages))('%s', name => {
    expect(weigh(pages[name]!(makeContext(language, worst), worst))).toBeLessThan(limitBytes)
  })

  it('the form with 30 questions of 200 letters, refused at every field', () => {
    const context = makeContext(language, 'a')
    const questions = makeQuestions('phone', 'a'.repeat(200))
    expect(weigh(toFormPage(context, makeForm(context, questions)))).toBeLessThan(limitBytes)
  })

  it.each([worst, 'ñ'])(
    'the form with every question and answer as long as possible, without these texts and their tags (%s)',
    letter => {
      const context = makeContext(language, worst)
      const options = Array.from({ length: 50 }, (_, at) => String(at).padEnd(200, letter))
      const label = letter.repeat(200)
      const page = toFormPage(context, makeForm(context, makeQuestions('select', label, options)))
      const texts =
        Buffer.byteLength(escapeMarkup(options.join('') + label + label.slice(0, 60))) +
        '<option>'.length * options.length
      expect(weigh(page) - 30 * texts).toBeLessThan(limitBytes)
    },
  )
})

const readTimes = ({ body }: PublicPage) =>
  [...String(body).matchAll(/<button name="start"[^>]*>(\d\d:\d\d)/g)].map(found => found[1]!)

it('shows the times of a long day in parts, which together are the whole day', () => {
  const context = makeContext('es', 'a')
  const view = makeFullMonth('Europe/Madrid')
  const visit = { ...context.visit, timezone: 'Europe/Madrid' }
  const show = (part: number) => toCalendarPage({ ...context, visit }, { ...view, part }, { title: 'x' })
  const { body } = show(0)
  expect(String(body).match(/<td><a /g)).toHaveLength(31)
  expect(body).toContain('aria-label="domingo, 28 de marzo de 2027: 276 horas libres"')
  const labels = [...String(body).matchAll(/part=\d#times"[^>]*>([^<]*)</g)].map(found => found[1])
  expect(labels).toEqual(['00:00–08:35', '08:40–16:15', '16:20–23:55'])
  const times = [0, 1, 2].flatMap(part => readTimes(show(part)))
  expect(new Set(times).size).toBe(276)
  // The clocks go forward at two o'clock.
  expect(times.filter(time => time.startsWith('02:'))).toEqual([])
  expect(readTimes(show(99))).toEqual(readTimes(show(2)))
})

it('cuts a description that is too long between words, and links to the whole one', () => {
  const context = makeContext('es', 'a')
  const description = 'ñandú & más '.repeat(400)
  const shown = String(
    toCalendarPage({ ...context, about: { ...context.about, description } }, makeFullMonth('UTC'), {
      title: 'x',
    }).body,
  )
  expect(shown).toMatch(/(ñandú|&amp;|más)… <a href="\?[^"]*view=about">Leer todo<\/a>/)
  const whole = String(toAboutPage({ ...context, about: { ...context.about, description } }).body)
  expect(whole).toContain(escapeMarkup(description.trim()))
  const usual = String(
    toCalendarPage(
      { ...context, about: { ...context.about, description: 'una visita de prueba más '.repeat(200) } },
      makeFullMonth('UTC'),
      { title: 'x' },
    ).body,
  )
  expect(usual).not.toContain('Leer todo')
})
