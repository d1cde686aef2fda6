/** Questions of forms in nine languages find their fields, and no answer changes the work on a lead. */
import { expect, test } from 'vitest'
import { isLeadField } from '../../../domain/table/lead-fields.ts'
import type { AdLead } from '../../../plugins/ads.ts'
import { mapQuestion } from './field-mapping.ts'
import { toFormPerson } from './to-person.ts'

const map = (key: string, label = key) => mapQuestion({ key, label, field: null }, {})

test.each<[field: string, keys: string]>([
  [
    'contact.name',
    'full_name nombre_completo nom_complet nome_completo nom_et_prénom vollständiger_name naam imię_i_nazwisko',
  ],
  [
    'contact.phone',
    'phone_number número_de_teléfono telèfon numéro_de_téléphone telefonnummer telefoonnummer numer_telefonu telemóvel numero_di_telefono',
  ],
  [
    'contact.email',
    'email correo_electrónico correu_electrònic adresse_e-mail e-mail-adresse e-mailadres adres_e-mail indirizzo_email endereço_de_email',
  ],
  [
    'property.postcode',
    'post_code código_postal codi_postal code_postal postleitzahl postcode kod_pocztowy cap',
  ],
  ['property.municipality', 'city ciudad ville stadt woonplaats miasto'],
])('%s is found', (field, keys) => {
  expect(keys.split(' ').filter(key => map(key) !== field)).toEqual([])
})

test.each([
  'status',
  'estado_del_lead',
  'tags',
  'lawful_basis',
  'consentimiento',
  'external_id',
  'id',
  'aldaba_id',
  'customFields',
  '__proto__',
  'constructor',
  'lawfulBasis.kind',
])('%s becomes a custom field', key => {
  const field = map(key)
  expect(field).toMatch(/^customFields\../)
  expect(isLeadField(field!)).toBe(true)
})

const lead: AdLead = {
  id: '42',
  formId: '7',
  submittedAt: Temporal.Instant.from('2026-11-26T10:00:00Z'),
  answers: [],
  boxes: [{ key: 'contacto', isTicked: true }],
  ad: { id: null, name: null, campaignId: null, campaignName: null },
  isTest: false,
}
const options = { label: 'Meta', country: 'ES', currency: 'EUR', now: new Date('2026-11-26T10:00:01Z') }

test('what a field can’t hold is kept as a custom field, and everything is in the note of a known lead', () => {
  const answers = [
    { name: 'phone_number', value: 'no tengo' },
    { name: 'email', value: 'ana@example.com' },
    { name: 'price', value: 'lo que sea' },
    { name: '__proto__', value: 'x' },
  ]
  const person = toFormPerson({ ...lead, answers }, undefined, options)
  expect(person.identifiers.map(({ value }) => value)).toEqual(['ana@example.com'])
  expect(Object.values(person.customFields!)).toEqual(expect.arrayContaining(['no tengo', 'lo que sea', 'x']))
  expect(person.knownNote).toContain('no tengo')
  expect(person.consent).toBeNull()
})

test('answers without anything that identifies the person are kept', () => {
  const person = toFormPerson({ ...lead, answers: [{ name: 'cuándo', value: 'hoy' }] }, undefined, options)
  expect(person).toMatchObject({ name: null, identifiers: [], customFields: { cuándo: 'hoy' } })
})
