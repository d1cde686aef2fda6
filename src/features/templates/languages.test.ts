/** The fallback chain of languages, and the names of people. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toFirstName } from './first-name.ts'
import { chooseLanguage } from './languages.ts'
import { toProviderName } from './submit.ts'

const languages = ['es', 'es-MX', 'pt-BR', 'pt-PT', 'pt', 'en', 'en-GB', 'fr', 'ca', 'zh-Hant-TW']
const toBase = (language: string) => language.split('-')[0]

test('the requested language is used, then its base, then the same language elsewhere, then the default', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...languages), { minLength: 1 }),
      fc.option(fc.constantFrom(...languages)),
      (available, requested) => {
        const fallback = available[0]!
        const chosen = chooseLanguage(available, { requested, fallback })
        expect(available).toContain(chosen)
        if (requested === null) expect(chosen).toBe(fallback)
        else if (available.includes(requested)) expect(chosen).toBe(requested)
        else if (available.includes(toBase(requested)!)) expect(chosen).toBe(toBase(requested))
        else if (available.some(language => toBase(language) === toBase(requested)))
          expect(toBase(chosen)).toBe(toBase(requested))
        else expect(chosen).toBe(fallback)
      },
    ),
  )
})

test.each([
  ['Marta Soler', 'Marta'],
  ['MARTA SOLER', 'Marta'],
  ['marta soler', 'Marta'],
  ['Álvaro', 'Álvaro'],
  ['Anne-Marie Dubois', 'Anne-Marie'],
  ...[
    'Particular',
    'PARTICULAR',
    'Propietario',
    'Anunciante',
    'Sin nombre',
    'El propietario',
    'Casa de Ana',
    'Piso Gracia',
  ].map((name): [string, null] => [name, null]),
  ...[
    'Inmobiliaria Sol S.L.',
    'Fincas Ruiz',
    'Mª José García',
    'Ma José García',
    'M.ª Pilar',
    'Eigentümer',
  ].map((name): [string, null] => [name, null]),
  ['Soler Puig, Marta', 'Marta'],
  ['Sra. Marta Soler', 'Marta'],
  ['Dr. Müller', null],
  ['Herr Jürgen Müller', 'Jürgen'],
  ['Àngel', 'Àngel'],
  ['M. Soler', null],
  ['600123456', null],
  ['', null],
  [null, null],
])('the first name of %j is %j', (name, first) => {
  expect(toFirstName(name)).toBe(first)
})

test.each([
  ['First contact!', 'first_contact'],
  ['Añadir visita nº 2', 'anadir_visita_no_2'],
  ['💬', 'template'],
])('the name of %j at a provider is %j', (name, providerName) => {
  expect(toProviderName(name)).toBe(providerName)
})
