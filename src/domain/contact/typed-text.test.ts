/** Names and places as people type them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toPersonName, toPlaceText } from './typed-text.ts'

it.each([
  ['Marta Soler', 'Marta Soler'],
  [' Mª  Carmen O’Neill-Puig ', 'Mª Carmen O’Neill-Puig'],
  ['M.Carmen Ruiz', 'M. Carmen Ruiz'],
  ['Sr. D. Íñigo Martín de la Fuente', 'Sr. D. Íñigo Martín de la Fuente'],
  ['Ana & Luis', 'Ana & Luis'],
  ['王小明', '王小明'],
  ['su banco bloqueó la cuenta, entre en https://evil.example/login', null],
  ['Llame al 912345678', null],
  ['evil.example', 'evil. example'],
  ['t.me/estafa', null],
  ['a@b.example', null],
  ['Marta\nSoler', null],
  ['Marta\u200bSoler', null],
  ['su cuenta fue bloqueada llame ahora mismo al banco', null],
  ['x'.repeat(61), null],
  ['', null],
])('the name %j is %j', (text, name) => {
  expect(toPersonName(text)).toBe(name)
})

it.each([
  ['C/ Mayor 3, 2º 1ª, 28013 Madrid', 'C/ Mayor 3, 2º 1ª, 28013 Madrid'],
  ['Avda.Mayor 12', 'Avda. Mayor 12'],
  ['Carrer de Mallorca, 401-403', 'Carrer de Mallorca, 401-403'],
  ['llame al 912 345 678', null],
  ['entre en https://evil.example', null],
  ['a@b.example', null],
  ['Calle\nMayor', null],
  ['x'.repeat(151), null],
])('the address %j is %j', (text, place) => {
  expect(toPlaceText(text)).toBe(place)
})

it('nothing that a messenger turns into a link is left', () => {
  const parts = fc.constantFrom('evil', '.', 'com', '/', ':', '//', 'www', '@', ' ', '912345678', '\n', 'Ana')
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), words => {
      const text = words.join('')
      for (const kept of [toPersonName(text), toPlaceText(text)])
        if (kept !== null) expect(kept).not.toMatch(/\.[\p{L}\p{N}]|:|@|\n|\d{9}/u)
    }),
  )
})
