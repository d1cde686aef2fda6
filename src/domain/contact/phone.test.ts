/** Phone numbers of the numbering plans, in the forms in which people write them. */
import { describe, expect, test } from 'vitest'
import { readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { toE164 } from './phone.ts'

/** Example numbers of a numbering plan: `ES ; MOBILE ; "612345678"`. */
function loadExamples(prefix: string): { type: string; number: string }[] {
  const rows = readShared(`fixtures/phone/${prefix}-examples.csv`).trim().split('\n').slice(1)
  return rows.map(row => {
    const [, type = '', number = ''] = row.split(';').map(cell => cell.trim().replaceAll('"', ''))
    return { type, number }
  })
}

function expectAllFormsParsed(number: string, country: string, prefix: string): void {
  const e164 = `+${prefix}${number}`
  const spaced = number.replace(/(...)(?=.)/g, '$1 ')
  const forms = [number, spaced, `+${prefix} ${spaced}`, `00${prefix}${number}`, `(+${prefix}) ${number}`]
  expect(forms.map(form => toE164(form, country))).toEqual(forms.map(() => e164))
  expect(toE164(number.slice(0, -2), country)).toBeNull()
}

test.each([
  ['ES', '34', '934123456'],
  ['ES', '34', '612345678'],
  ['ES', '34', '711223344'],
  ['ES', '34', '900123456'],
  ['PT', '351', '213456789'],
  ['PT', '351', '912345678'],
  ['IT', '39', '3471234567'],
])('%s +%s %s in the forms in which people write it', (country, prefix, number) =>
  expectAllFormsParsed(number, country, prefix),
)

describeShared('the numbering plans', () => {
  describe.each([
    ['ES', '34'],
    ['PT', '351'],
  ])('%s', (country, prefix) => {
    test.each(loadExamples(prefix))('$type $number', ({ number }) =>
      expectAllFormsParsed(number, country, prefix),
    )
  })
})

const rows: [text: string, country: string, e164: string | null, why: string][] = [
  ['93 412 34 56', 'ES', '+34934123456', 'a landline in pairs'],
  ['612-345-678', 'ES', '+34612345678', 'dashes'],
  ['612.345.678', 'ES', '+34612345678', 'dots'],
  ['+34 93 412 34 56 ext. 12', 'ES', '+34934123456', 'the extension is dropped'],
  ['+49 211 418488-0', 'ES', '+492114184880', 'a foreign number with its prefix'],
  ['+49 (0)211 - 86 32 38 0', 'ES', '+492118632380', 'the trunk zero in brackets is dropped'],
  ['Tel. 612 345 678', 'ES', '+34612345678', 'a word before it'],
  ['93 412 34 56 / 612 345 678', 'ES', null, 'two numbers are not one'],
  ['01865 638261', 'GB', '+441865638261', 'the trunk zero is dropped'],
  ['934123456', 'XX', null, 'unknown country, no prefix'],
  ['+34934123456', 'XX', '+34934123456', 'unknown country, with a prefix'],
  ['112', 'ES', null, 'an emergency number'],
  ['-', 'ES', null, 'a placeholder'],
  ['Llamar ahora', 'ES', null, 'words'],
  ['', 'ES', null, 'nothing'],
]
test.each(rows)('%j in %s is %s (%s)', (text, country, e164) => {
  expect(toE164(text, country)).toBe(e164)
})
