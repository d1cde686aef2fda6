/** Dates in words, in numbers, and relative to the date of the page. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDay, parseLocalInstant } from './dates.ts'

const today = Temporal.PlainDate.from('2026-11-01')

test.each([
  ['3 de Novembro de 2026', '2026-11-03'],
  ['Domingo, 1 de Novembro de 2026', '2026-11-01'],
  ['Publicado em 12 de março de 2025', '2025-03-12'],
  ['3 de octubre de 2026', '2026-10-03'],
  ['1º giugno 2026', '2026-06-01'],
  ['15 ott. 2026', '2026-10-15'],
  ['03/11/2026', '2026-11-03'],
  ['3-1-2026', '2026-01-03'],
  ['31 de Fevereiro de 2026', null],
  ['32/13/2026', null],
  ['3 de Brumaire de 2026', null],
  ['2026', null],
  ['', null],
])('the day of "%s" is %s', (text, day) => {
  expect(parseDay(text)?.toString() ?? null).toBe(day)
})

test.each([
  ['Hoje, 10:32', '2026-11-01T10:32:00.000Z'],
  ['Hoje às 09h05', '2026-11-01T09:05:00.000Z'],
  ['Ontem', '2026-10-31T00:00:00.000Z'],
  ['há 3 dias', '2026-10-29T00:00:00.000Z'],
  // Summer time in Lisbon.
  ['3 de Agosto de 2026', '2026-08-02T23:00:00.000Z'],
  ['03/08/2026 10:32', '2026-08-03T09:32:00.000Z'],
  ['há muito', null],
  ['Novo', null],
])('"%s" is %s', (text, instant) => {
  expect(parseLocalInstant(text, 'Europe/Lisbon', today)).toBe(instant)
})

test('without the date of the page, a relative date is null', () => {
  expect(parseLocalInstant('Hoje, 10:32', 'Europe/Lisbon', null)).toBeNull()
  expect(parseLocalInstant('1 de Novembro de 2026', 'Europe/Lisbon', null)).toBe('2026-11-01T00:00:00.000Z')
})

test('any text gives a valid date or null', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,2}[-/ ]\w{1,4}[-/ ]\d{4} .{0,9}$/)), text => {
      const instant = parseLocalInstant(text, 'Europe/Rome', today)
      if (instant !== null) expect(new Date(instant).toISOString()).toBe(instant)
    }),
  )
})
