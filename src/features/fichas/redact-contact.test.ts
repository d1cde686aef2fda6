/** Phone numbers, e-mail addresses, URLs and names are removed from texts; other numbers stay. */
import { expect, test } from 'vitest'
import { redactContact, redactTitle } from './redact-contact.ts'

test.each([
  ['Piso reformado. Llame al 612 34 56 78. Muy luminoso.', 'Piso reformado. Muy luminoso.'],
  ['Escriba a marta@example.com o vea www.example.com/ref?1', null],
  ['Tel.+34612345678', null],
  ['(+351) 912 345 678 disponível\nCom garagem.', 'Com garagem.'],
  ['Pídalo en inmo.es. Terraza.', 'Terraza.'],
  ['Marta Soler vende.\n\nCasa con jardín.', 'Casa con jardín.'],
  ['Piso reformado. Llama a Marta 600 000 000. Muy luminoso.', 'Piso reformado. Muy luminoso.'],
  ['Visitas: preguntar por Carles. Terraza.', 'Terraza.'],
  ['Terrassa. Pregunteu per la Núria. Ascensor.', 'Terrassa. Ascensor.'],
  ['Contacto: Sr. Jordi Pons\nCon ascensor.', 'Con ascensor.'],
  ['LLAMA A MARTA. Piso alto.', 'Piso alto.'],
  ['Garagem. Fale com a Ana. Varanda.', 'Garagem. Varanda.'],
  ['Terrazzo. Chiedere di Anna. Ascensore.', 'Terrazzo. Ascensore.'],
  ['Balcon. Demandez Mme Dupont.', 'Balcon.'],
  ['Garten. Rufen Sie Max an.', 'Garten.'],
  ['Garden. Ask for Tom. Garage.', 'Garden. Garage.'],
  ['MARTA SOLER VENDE. Piso alto.', 'Piso alto.'],
  ['soy marta soler. Piso alto.', 'Piso alto.'],
])('%j → %j', (text, expected) => {
  expect(redactContact(text, ['Marta Soler'])).toBe(expected)
})

test('a name of one word counts only in a sentence about a person', () => {
  expect(redactContact('Soy Sol y vendo mi casa. Salón con sol. Plaza del Sol.', ['Sol'])).toBe(
    'Salón con sol. Plaza del Sol.',
  )
  expect(redactContact('Sou a Ana, proprietária. Casa Anabela.', ['Ana'])).toBe('Casa Anabela.')
})

test('a name of common words counts in lower case only in a sentence about a person', () => {
  expect(redactContact('Vendo casa nova. CASA NOVA vende. Terraza.', ['Casa Nova'])).toBe(
    'Vendo casa nova. Terraza.',
  )
})

test.each([
  ['Particular Marta Soler vende piso', 'Particular vende piso'],
  ['MARTA SOLER VENDE PISO', 'VENDE PISO'],
  ['Piso en Sol - Marta Soler', 'Piso en Sol'],
  ['Marta Soler: piso con terraza', 'piso con terraza'],
  ['Piso de Marta Soler, Madrid', 'Piso, Madrid'],
  ['Piso en Sol', 'Piso en Sol'],
  ['Marta Soler', null],
  ['Piso. Llame al 612 34 56 78', 'Piso.'],
])('the title %j → %j', (title, expected) => {
  expect(redactTitle(title, ['Marta Soler', 'Sol'])).toBe(expected)
})

test('of a long sentence only the person is removed', () => {
  const start = `Piso ${'muy '.repeat(50)}luminoso`
  expect(redactContact(`${start}, llama a Marta para verlo.`)).toBe(`${start}, para verlo.`)
})

test.each([
  'Piso de 320.000 € con 3 habitaciones, 2 baños y 80 m².',
  'Contratto 4+4, tre mensilità di cauzione. Rif. 0815-96670.',
  'Parcela de 123456789 m². Registro ESFCTU00000811900012345678.',
  'Entre 250.000 - 300.000 €; construido en 2005-2007.',
  'Casa en contacto con la Naturaleza. Calle Llamas. Llamativa terraza.',
  'Contacte con nosotros para visitarlo. Call us. Preguntar por financiación.',
  'Autoestrada que liga a Lisboa. A sala fala com o jardim.',
])('%j stays', text => {
  expect(redactContact(text, ['Ana'])).toBe(text)
})

test('only the contact is removed from a long sentence', () => {
  const start = `Piso ${'muy '.repeat(50)}luminoso`
  expect(redactContact(`${start}, más en www.example.com.`)).toContain(start)
})

/** The processor time of the fastest of some runs. */
function measureMs(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test.each(['llama a ', 'contacto : ', 'Ana ', '1-', 'a.', '+', 'a@', 'ref', '1.'])(
  'the time for %j grows with the length of the text, not with its square',
  piece => {
    const measure = (length: number, count: number) => {
      const text = piece.repeat(length / piece.length)
      return measureMs(() => {
        for (let nth = 0; nth < count; nth++) redactContact(text, ['Ana', 'Ana Mas'])
      })
    }
    // The same text in one piece: 16 times as long if it grew with the square.
    expect(measure(40_000, 1)).toBeLessThan(6 * measure(2500, 16) + 20)
  },
)

test('the end of a very long text is cut off', () => {
  expect(redactContact('Piso. '.repeat(1_000_000))!.length).toBeLessThanOrEqual(40_000)
  expect(redactTitle(`Ana Mas ${'-'.repeat(4_000_000)}a`, ['Ana Mas'])).toBeNull()
})
