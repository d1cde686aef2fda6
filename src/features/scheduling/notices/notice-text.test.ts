/** The texts of notices, in all languages. */
import { describe, expect, it, test } from 'vitest'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { formatWhen } from './format-when.ts'
import { getNoticeWords } from './languages.ts'
import { type NoticeFacts, toGreetedName, writeAgentNotice, writeVisitorNotice } from './notice-text.ts'
import { noticeKinds } from './plan-notices.ts'

const location = {
  mode: 'onsite' as const,
  address: 'Carrer de Mallorca, 214',
  latitude: null,
  longitude: null,
  url: null,
  phone: null,
  instructions: 'Llame al 2.º 1.ª.',
}
const facts = (change: Partial<NoticeFacts> = {}): NoticeFacts => ({
  kind: 'booked',
  language: 'es',
  appointment: {
    status: 'confirmed',
    start: new Date('2026-12-01T10:00:00Z'),
    end: new Date('2026-12-01T10:30:00Z'),
    location,
    visitor: { name: 'Marta Soler', email: 'marta@example.com', phone: '+34612345678', language: 'es' },
    cancelledBy: null,
    cancelReason: null,
    answers: {},
    notes: null,
  },
  questions: [],
  timezone: 'Europe/Madrid',
  title: 'Visita',
  agentName: 'Jordi Puig',
  agency: 'Finques Puig',
  whoCalls: null,
  link: 'https://aldaba.example/appointment/abc',
  bookAgainUrl: null,
  ...change,
})

test('a confirmation says when, where, with whom, and how to change it', () => {
  expect(writeVisitorNotice(facts())).toEqual({
    subject: 'Cita confirmada: Visita, 1 dic, 11:00',
    text: `Hola, Marta Soler:

Su cita está confirmada.

Visita
Cuándo: martes, 1 de diciembre de 2026, 11:00–11:30 · Madrid (UTC+1)
Lugar: Carrer de Mallorca, 214
Con: Jordi Puig

Llame al 2.º 1.ª.

Ver, cambiar o cancelar la cita:
https://aldaba.example/appointment/abc

Finques Puig`,
  })
})

test('the agent reads who comes; a cancellation has no link to change it', () => {
  expect(writeAgentNotice(facts()).text).toContain('Visitante: Marta Soler\nTeléfono: +34612345678')
  expect(writeVisitorNotice(facts({ kind: 'cancelled' })).text).not.toContain('https://')
  const expired = facts({
    kind: 'cancelled',
    appointment: { ...facts().appointment, cancelledBy: 'expiry' },
  })
  expect(writeVisitorNotice(expired).text).toContain(getNoticeWords('es').expired)
})

it('gives the agent the answers and the message of the visitor, and the visitor neither', () => {
  const question = { required: false, options: [] }
  const asked = facts({
    questions: [
      { ...question, id: 'budget', label: 'Su presupuesto', type: 'text' },
      { ...question, id: 'parking', label: 'Con garaje', type: 'checkbox' },
      { ...question, id: 'since', label: 'Desde', type: 'text' },
    ],
    appointment: {
      ...facts().appointment,
      answers: { budget: '300.000', parking: true },
      notes: 'Con perro.',
    },
  })
  expect(writeAgentNotice(asked).text).toMatch(/\n\nSu presupuesto: 300\.000\nCon garaje: ✓\n\nCon perro\.$/)
  expect(writeVisitorNotice(asked).text).not.toMatch(/300\.000|perro/)
})

describe('a cancellation', () => {
  const cancelled = (cancelledBy: 'agent' | 'visitor') =>
    facts({
      kind: 'cancelled',
      appointment: {
        ...facts().appointment,
        status: 'cancelled',
        cancelledBy,
        cancelReason: 'Está vendido.',
      },
      bookAgainUrl: 'https://aldaba.example/book/xyz',
    })

  it('gives the visitor the reason, and the page on which they book again', () => {
    expect(writeVisitorNotice(cancelled('agent')).text).toMatch(
      /Con: Jordi Puig\n\nMotivo: Está vendido\.\n\nReservar otra cita:\nhttps:\/\/aldaba\.example\/book\/xyz\n\nFinques Puig$/,
    )
  })

  it('sends what a visitor writes to the agent alone: the address may be that of somebody else', () => {
    expect(writeVisitorNotice(cancelled('visitor')).text).not.toContain('Está vendido')
    expect(writeAgentNotice(cancelled('visitor')).text).toContain('Motivo: Está vendido.')
  })
})

describe.each(messageLanguages)('in %s', language => {
  it.each(noticeKinds)('%s', kind => {
    for (const { subject, text } of [
      writeVisitorNotice(facts({ kind, language })),
      writeAgentNotice(facts({ kind, language })),
    ]) {
      expect(subject).toContain('Visita')
      expect(text).toContain('(UTC+1)')
      expect(`${subject}${text}`).not.toMatch(/undefined|\bnull\b|\$\{|Invalid/)
    }
  })

  it('names who calls', () => {
    const call = { ...location, mode: 'call' as const, address: null, phone: '+34931000000' }
    const appointment = { ...facts().appointment, location: call }
    const texts = (['agent', 'visitor'] as const).map(
      whoCalls => writeVisitorNotice(facts({ language, appointment, whoCalls })).text,
    )
    expect(texts[0]).not.toBe(texts[1])
    for (const text of texts) expect(text).toContain('+34931000000')
  })
})

test('the time is that of the zone, over midnight and across a change of the clocks too', () => {
  const when = { start: new Date('2026-10-24T22:30:00Z'), end: new Date('2026-10-25T01:30:00Z') }
  expect(formatWhen({ ...when, timezone: 'Europe/Madrid' }, 'en-GB')).toBe(
    'Sunday, 25 October 2026, 00:30–02:30 · Madrid (UTC+2)',
  )
  expect(formatWhen({ ...when, timezone: 'UTC' }, 'en-GB')).toContain('22:30–Sunday, 25 October 2026, 01:30')
})

test.each([
  ['Marta  Soler', 'Marta Soler'],
  ["Siobhán O'Neill-Pérez", "Siobhán O'Neill-Pérez"],
  ['WIN MONEY at http://evil.example', null],
  ['www.evil.example', null],
  ['x'.repeat(61), null],
  ['', null],
  [null, null],
])('%j is greeted as %j', (name, expected) => {
  expect(toGreetedName(name)).toBe(expected)
})

test.each(messageLanguages)('a move that waits for a confirmation says so in %s', language => {
  const { appointment } = facts()
  const moved = facts({ kind: 'rescheduled', language, appointment: { ...appointment, status: 'pending' } })
  const { toVisitor, toAgent } = getNoticeWords(language).unconfirmed
  expect(writeVisitorNotice(moved).text).toContain(` ${toVisitor}`)
  expect(writeAgentNotice(moved).text).toContain(` ${toAgent}`)
  expect(writeVisitorNotice({ ...moved, appointment }).text).not.toContain(toVisitor)
})
