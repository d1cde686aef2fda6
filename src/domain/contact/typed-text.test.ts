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
  [
    'María José de los Ángeles Fernández de Córdoba y Ponce',
    'María José de los Ángeles Fernández de Córdoba y Ponce',
  ],
  ['José “Pepe” Ruiz', 'José “Pepe” Ruiz'],
  ['Josef „Sepp“ Huber', 'Josef „Sepp“ Huber'],
  ['Jean "Jeannot" Blanc', 'Jean "Jeannot" Blanc'],
  ['Ana\u00a0López', 'Ana López'],
  ['Jean\u2011Luc', 'Jean-Luc'],
  ['Ana\u202fLópez\u00a0', 'Ana López'],
  ['Ana + Luis', 'Ana + Luis'],
  ['Pepe / María', 'Pepe / María'],
  ['Ana 🏠', 'Ana'],
  ['👩‍👧‍👦', null],
  ['Ana/Luis', null],
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
  ['Rua Augusta 274 1100-053 Lisboa', 'Rua Augusta 274 1100-053 Lisboa'],
  ['Calle Serrano 12 4 2 28001 Madrid', 'Calle Serrano 12 4 2 28001 Madrid'],
  ['Av. Meridiana 350 3 1 08027', 'Av. Meridiana 350 3 1 08027'],
  ['Calle Mayor 5 – 2º A', 'Calle Mayor 5 – 2º A'],
  ['C/ Gran Vía 3, pta:4', 'C/ Gran Vía 3, pta: 4'],
  ['Calle\u00a0Mayor\u00a03', 'Calle Mayor 3'],
  ['Edificio “Torre” 3', 'Edificio “Torre” 3'],
  ['Rua X 5 | r/c', 'Rua X 5 | r/c'],
  ['Calle Mayor 3\r\n28013 Madrid', 'Calle Mayor 3, 28013 Madrid'],
  ['Calle Mayor 401\u2010403', 'Calle Mayor 401-403'],
  ['llame al 912\u2011345\u2011678', null],
  ['llame al 912 345 678', null],
  ['llame al 91 234 56 78', null],
  ['llame al 61234 5678', null],
  ['entre en https://evil.example', null],
  ['a@b.example', null],
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
        if (kept !== null) expect(kept).not.toMatch(/\.[\p{L}\p{N}]|:\S|@|\n|\d{9}/u)
    }),
  )
})
