/** Identifiers of contacts as people write, paste and export them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Identifier, parsePhoneSearch, toIdentifier, toIdentifiers } from './identifiers.ts'

const parseValue = (kind: Identifier['kind'], text: string, country = 'ES') =>
  toIdentifier(kind, text, country)?.value ?? null

describe('a phone', () => {
  test.each<[text: string, country: string, value: string | null]>([
    ['612 34 56 78', 'ES', '+34612345678'],
    ['612-345-678', 'ES', '+34612345678'],
    ['(+34) 612.345.678', 'ES', '+34612345678'],
    ['0034 612345678', 'ES', '+34612345678'],
    ['34 612345678', 'ES', '+34612345678'],
    ['tel:+34-612-345-678', 'ES', '+34612345678'],
    ['\u202a+34 612 34 56 78\u202c', 'ES', '+34612345678'],
    ['612\u00a0345\u00a0678', 'ES', '+34612345678'],
    ['93 412 34 56', 'ES', '+34934123456'],
    ['912 345 678', 'PT', '+351912345678'],
    ['(+351) 21 868 38 47', 'PT', '+351218683847'],
    ['00351 912345678', 'ES', '+351912345678'],
    ['347 123 4567', 'IT', '+393471234567'],
    ['06 4512 3456', 'IT', '+390645123456'],
    ['+39 06 4512 3456', 'ES', '+390645123456'],
    ['912 345 678', 'IT', null],
    ['612 345', 'ES', null],
    ['93 412 34 56 / 612 345 678', 'ES', null],
    ['m@x.es', 'ES', null],
    [' ', 'ES', null],
  ])('%j in %s is %s', (text, country, value) => {
    expect(parseValue('phone', text, country)).toBe(value)
  })
})

describe('an e-mail', () => {
  test.each<[text: string, value: string | null]>([
    ['marta@x.es', 'marta@x.es'],
    ['  Marta.Soler@X.ES ', 'marta.soler@x.es'],
    ['Marta <Marta@x.es>', 'marta@x.es'],
    ['"Soler, Marta" <marta@x.es>;', 'marta@x.es'],
    ['<marta@x.es>', 'marta@x.es'],
    ['(marta@x.es).', 'marta@x.es'],
    ['marta@x.es.', 'marta@x.es'],
    ['mailto:marta@x.es?subject=Piso', 'marta@x.es'],
    ['MAILTO:marta%2Bpisos@x.es', 'marta+pisos@x.es'],
    ['mailto:marta%@x.es', 'marta%@x.es'],
    ['mar\u200bta@x.es', 'marta@x.es'],
    ['m.soler+pisos@gmail.com', 'm.soler+pisos@gmail.com'],
    ['info@bücher.es', 'info@xn--bcher-kva.es'],
    ['info@BÜCHER.es', 'info@xn--bcher-kva.es'],
    ['begoña@x.es', 'begoña@x.es'],
    ['begon\u0303a@x.es', 'begoña@x.es'],
    ["d'angelo@studio-case.it", "d'angelo@studio-case.it"],
    ['marta@x', null],
    ['marta@1.2.3.4', null],
    ['marta@[1.2.3.4]', null],
    ['marta@x..es', null],
    ['marta@-x.es', null],
    ['marta@x_y.es', null],
    ['marta@x.es/piso', null],
    ['marta@x.es:80', null],
    ['.marta@x.es', null],
    ['ma..rta@x.es', null],
    ['marta soler@x.es', null],
    ['a@x.es, b@x.es', null],
    [`marta@x.es${'.'.repeat(100_000)}`, null],
    ['@x.es', null],
    ['marta', null],
    [`${'a'.repeat(64)}@x.es`, `${'a'.repeat(64)}@x.es`],
    [`${'a'.repeat(65)}@x.es`, null],
    [`${'ñ'.repeat(33)}@x.es`, null],
    [`m@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.es`, null],
  ])('%j is %s', (text, value) => {
    expect(parseValue('email', text)).toBe(value)
  })
})

describe('a chat', () => {
  test.each<[text: string, value: string | null]>([
    ['34612345678', 'whatsapp:34612345678'],
    ['+34612345678', 'whatsapp:34612345678'],
    ['612345678', 'whatsapp:34612345678'],
    ['34612345678@c.us', 'whatsapp:34612345678'],
    ['34612345678@s.whatsapp.net', 'whatsapp:34612345678'],
    ['34612345678:12@s.whatsapp.net', 'whatsapp:34612345678'],
    ['whatsapp:34612345678', 'whatsapp:34612345678'],
    ['WhatsApp:34612345678@c.us', 'whatsapp:34612345678'],
    ['https://wa.me/34612345678?text=Hola', 'whatsapp:34612345678'],
    ['https://api.whatsapp.com/send?phone=34612345678', 'whatsapp:34612345678'],
    ['whatsapp:118273645546372@lid', 'whatsapp:118273645546372@lid'],
    ['whatsapp:120363028912345678@g.us', null],
    ['telegram:MartaSoler', 'telegram:MartaSoler'],
    ['Telegram:42', 'telegram:42'],
    ['whatsapp:hola', null],
    ['https://x.es/', null],
    ['marta', null],
    ['12', null],
  ])('%j is %s', (text, value) => {
    expect(parseValue('chat', text)).toBe(value)
  })
})

describe('the identifiers of a contact', () => {
  test('are collected from all fields, without duplicates', () => {
    const contact = {
      phones: ['612 34 56 78', null, '+34 612345678', '93 412 34 56 / 600 111 222'],
      emails: ['Marta <M@x.es>', 'a@x.es; b@x.es', 'nobody'],
      chats: ['34612345678@c.us', 'telegram:42'],
    }
    expect(toIdentifiers(contact, 'ES').map(({ value }) => value)).toEqual([
      '+34612345678',
      '+34934123456',
      '+34600111222',
      'm@x.es',
      'a@x.es',
      'b@x.es',
      'whatsapp:34612345678',
      'telegram:42',
    ])
  })

  test('include the phone of a WhatsApp chat', () => {
    expect(toIdentifiers({ chats: ['351912345678@s.whatsapp.net'] }, 'ES')).toEqual([
      { kind: 'phone', value: '+351912345678' },
      { kind: 'chat', value: 'whatsapp:351912345678' },
    ])
  })

  test('are empty for an empty contact', () => {
    expect(toIdentifiers({ phones: [null, ''], emails: ['-'] }, 'ES')).toEqual([])
  })
})

test('a parsed e-mail address is parsed again to the same value', () => {
  const domain = fc.constantFrom('x.es', 'Bücher.es', 'correo.example.com', 'MÜLLER.de')
  const local = fc.stringMatching(/^[a-zA-Zñ0-9]{1,8}([.+_-][a-zA-Z0-9]{1,8})?$/)
  fc.assert(
    fc.property(local, domain, (localPart, host) => {
      const value = parseValue('email', `"X" <${localPart}@${host}>`)
      expect(value).not.toBeNull()
      expect(parseValue('email', value!)).toBe(value)
      expect(parseValue('email', value!.toUpperCase())).toBe(value)
    }),
  )
})

test('no text makes parsing fail', () => {
  const country = fc.constantFrom('ES', 'XX', '')
  fc.assert(
    fc.property(fc.constantFrom('phone', 'email', 'chat'), fc.string(), country, (kind, text, country) => {
      const found = toIdentifier(kind, text, country)
      expect(found === null || (found.kind === kind && found.value !== '')).toBe(true)
      expect(parsePhoneSearch(text, country).every(digits => /^\d{4,}$/.test(digits))).toBe(true)
    }),
  )
})

describe('a part of a phone number', () => {
  test.each<[query: string, country: string, digits: string[]]>([
    ['+34 612 34 56 78', 'ES', ['34612345678']],
    ['0034612345678', 'ES', ['34612345678']],
    ['(+34) 612', 'ES', ['34612']],
    ['612-345', 'ES', ['34612345', '612345']],
    ['(612) 345 678', 'ES', ['34612345678', '612345678']],
    ['612345', 'ES', ['34612345', '612345']],
    ['612.345', 'ES', ['34612345', '612345']],
    ['612\u2013345', 'ES', ['34612345', '612345']],
    ['34612345678', 'ES', ['3434612345678', '34612345678']],
    ['912 345', 'PT', ['351912345', '912345']],
    ['06 4512', 'IT', ['39064512', '3964512']],
    ['07911 12', 'GB', ['440791112', '44791112']],
    ['+49 (0)211 863', 'ES', ['49211863']],
    ['612345', 'XX', ['612345']],
    ['tel 612345', 'ES', ['34612345', '612345']],
    ['Tlf.: +34 612 345', 'ES', ['34612345']],
    ['móvil 612345', 'ES', ['34612345', '612345']],
    ['telegram 612345', 'ES', []],
    ['612', 'ES', []],
    ['+34 6', 'ES', []],
    ['+0612345', 'ES', []],
    ['calle 612345', 'ES', []],
    ['3 hab. 80 m2', 'ES', []],
    ['1234567890123456', 'ES', []],
    ['---', 'ES', []],
    ['', 'ES', []],
  ])('%j in %s is searched as %j', (query, country, digits) => {
    expect(parsePhoneSearch(query, country)).toEqual(digits)
  })

  test('finds the number by any prefix of it', () => {
    const truncated = fc.tuple(fc.constantFrom('+34', '0034', '(+34) ', ''), fc.integer({ min: 4, max: 9 }))
    fc.assert(
      fc.property(
        truncated,
        fc.integer({ min: 600_000_000, max: 749_999_999 }),
        ([prefix, length], number) => {
          const typed = prefix + String(number).slice(0, length).replace(/(...)/g, '$1 ')
          expect(parsePhoneSearch(typed, 'ES').some(digits => `34${number}`.startsWith(digits))).toBe(true)
        },
      ),
    )
  })
})
