/** The energy of a sheet in words, and as a label. */
import { expect, it } from 'vitest'
import { createFormats } from '../../../documents/formats.ts'
import { toEnergy } from './energy.ts'
import { getSheetWords } from './languages.ts'

const words = getSheetWords('es')
const formats = createFormats(words, 'EUR', 'Europe/Madrid')
const nothing = { rating: null, emissions: null, consumptionKwhM2: null, emissionsKgM2: null }
const amounts = { consumptionKwhM2: 157, emissionsKgM2: 33 }

it('states both ratings with their amounts', () => {
  const energy = toEnergy({ rating: 'E', emissions: 'D', ...amounts }, words, formats)
  expect(energy!.text).toMatch(/: E, 157 kWh\/m²·a; .*: D, 33 kg CO₂\/m²·a\.$/)
  expect(energy!.svg).toContain('33 kg CO₂/m²·a')
})

it('states amounts without ratings as text', () => {
  const energy = toEnergy({ ...nothing, ...amounts }, words, formats)!
  expect(energy.svg).toBeNull()
  expect(energy.text).toMatch(/: 157 kWh\/m²·a; .*: 33 kg CO₂\/m²·a\.$/)
})

it.each([
  [{ emissions: 'D' }, /: 157 kWh\/m²·a; .*: D, 33 kg CO₂\/m²·a\.$/],
  [{ rating: 'E' }, /: E, 157 kWh\/m²·a; .*: 33 kg CO₂\/m²·a\.$/],
] as const)('states an amount without its rating beside the other rating: %j', (ratings, text) => {
  const energy = toEnergy({ ...nothing, ...amounts, ...ratings }, words, formats)!
  expect(energy.text).toMatch(text)
  for (const amount of ['157 kWh/m²·a', '33 kg CO₂/m²·a']) expect(energy.svg).toContain(`>${amount}<`)
})

it('is nothing if nothing is known', () => {
  expect(toEnergy(nothing, words, formats)).toBeNull()
})
