/** The rendering of the booking page: its languages, its time zones and its form. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { computeContrast, createPalette, toDarkAccent } from '../../../documents/palette.ts'
import { findAcceptedLanguage } from '../../../documents/visitor-language.ts'
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { getBookingWords } from './languages.ts'
import { listZones } from './time-zones.ts'
import { formatLength, formatWhen } from './when.ts'

describe.each(messageLanguages)('in %s', language => {
  it('has every text, with what it says in it', () => {
    const words = getBookingWords(language)
    expect(new Intl.DateTimeFormat(words.locale).resolvedOptions().locale.slice(0, 2)).toBe(language)
    expect(words.privacy('Agencia Ñ')).toContain('Agencia Ñ')
    expect(words.code.text('012345', 'Agencia Ñ')).toMatch(/012345.*Agencia Ñ|Agencia Ñ.*012345/s)
    expect(words.errors.tooMany(5)).toContain('5')
    const texts = JSON.stringify(words)
    expect(texts).not.toMatch(/undefined|""/)
  })
})

test.each([
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['nl, EU;q=0.5', 'eu'],
  ['tlh', null],
  ['', null],
  [undefined, null],
  [`${'x,'.repeat(100_000)}es`, null],
])('of %j it takes %j', (header, language) => {
  expect(findAcceptedLanguage(header)).toBe(language)
})

it('lists the zones of the visitor and of the agency, west before east, each city once', () => {
  const nowMs = Date.parse('2027-01-15T12:00Z')
  const zones = listZones({ chosen: 'Asia/Kathmandu', own: 'Australia/Lord_Howe', locale: 'es' }, nowMs)
  expect(zones).toContainEqual({ id: 'Europe/Lisbon', label: 'Lisboa (UTC)' })
  const ukraine = listZones({ chosen: 'Europe/Kiev', own: 'Europe/Kyiv', locale: 'de' }, nowMs)
  expect(ukraine.filter(({ label }) => label === 'Kiew (UTC+2)').map(({ id }) => id)).toEqual(['Europe/Kiev'])
  const ids = zones.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['Asia/Kathmandu', 'Australia/Lord_Howe']))
  expect(ids.indexOf('America/New_York')).toBeLessThan(ids.indexOf('Europe/Madrid'))
  expect(new Set(ids).size).toBe(ids.length)
})

it('names both days of an appointment over midnight', () => {
  const viewer = { words: getBookingWords('en'), timezone: 'Europe/Madrid' }
  const slot = { startMs: Date.parse('2027-01-15T22:30Z'), endMs: Date.parse('2027-01-16T00:00Z') }
  expect(formatWhen(viewer, slot)).toBe(
    'Friday, 15 January 2027, 23:30–Saturday, 16 January 2027, 01:00 · Madrid (UTC+1)',
  )
  expect([45, 60, 95].map(formatLength)).toEqual(['45 min', '1 h', '1 h 35 min'])
})

it('can be read in every colour of an agency, in both colour schemes', () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map(number => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(color, brand => {
      const { accent, onBrand } = createPalette(brand)
      expect(computeContrast(accent, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(computeContrast(onBrand, brand)).toBeGreaterThanOrEqual(4.5)
      expect(computeContrast(toDarkAccent(brand, '#1d232b'), '#1d232b')).toBeGreaterThanOrEqual(4.5)
    }),
    { seed: 61 },
  )
})
