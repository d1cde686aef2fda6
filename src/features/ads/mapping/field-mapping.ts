/** Which field of a lead the answer to a question is written to. */

import { toPlainWords } from '../../../domain/plain-words.ts'
import { findFieldByHeading } from '../../../domain/table/heading-key.ts'
import {
  getCustomFieldName,
  isLeadField,
  type LeadField,
  leadFields,
  type Mapping,
} from '../../../domain/table/lead-fields.ts'
import { didYouMean } from '../../../kit/did-you-mean.ts'
import { toPointerPart } from '../../../kit/json-pointer.ts'
import type { InputError } from '../../../kit/problem.ts'
import type { AdQuestion } from '../../../plugins/ads.ts'

/** An answer must not change the work on a lead, state a consent, or name a lead. */
const refused =
  /^(?:aldabaId|status|tags|externalId|customFields|contact\.advertiserType|contact\.identifiers|lawfulBasis\..*)$/

const isAllowed = (field: string): field is LeadField => isLeadField(field) && !refused.test(field)

/** Labels of contact fields in languages that tables of agencies rarely have; tables know the others. */
const labels: Record<string, string> = {
  'contact.name': `nom complet, nom et prenom, votre nom, vollstandiger name, vor und nachname, ihr name, volledige naam,
    naam, voor en achternaam, uw naam, imie i nazwisko, pelne imie i nazwisko`,
  'contact.firstName': 'prenom, vorname, voornaam, imie',
  'contact.lastName': 'nom de famille, nachname, familienname, achternaam, nazwisko',
  'contact.phone': `telephone, numero de telephone, telephone portable, portable, telefonnummer, handynummer, mobilnummer,
    rufnummer, telefoonnummer, mobiel nummer, mobiele nummer, gsm nummer, telefoon, numer telefonu, telefon komorkowy, nr telefonu`,
  'contact.email': `adresse e mail, adresse email, adresse electronique, courriel, e mail adresse, email adresse, e mailadres,
    emailadres, adres e mail, adres email`,
  'property.postcode': 'code postal, postleitzahl, plz, postcode, kod pocztowy',
  'property.municipality':
    'ville, commune, stadt, ort, wohnort, stad, plaats, woonplaats, gemeente, miasto, miejscowosc',
  'property.province': 'departement, bundesland, provincie, wojewodztwo',
  'property.address':
    'adresse, rue, adresse postale, strasse, strasse und hausnummer, straat, straatnaam, adres, ulica',
}
const fieldByLabel = new Map(
  Object.entries(labels).flatMap(([field, words]) =>
    words.split(',').map(word => [word.trim().replace(/\s+/g, ' '), field as LeadField] as const),
  ),
)

/** `numéro_de_téléphone` is `numero de telephone`. */
const toKey = (text: string) =>
  toPlainWords(text.replaceAll('ł', 'l').replaceAll('ß', 'ss'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A heading that must be nearly the words of a field: a whole question is about something else. */
const rankMax = 2

function guessField(text: string): LeadField | null {
  const known = fieldByLabel.get(toKey(text))
  if (known) return known
  const match = findFieldByHeading(text.replaceAll('_', ' '))
  return match && match.rank < rankMax && isAllowed(match.field) ? match.field : null
}

/** The field of a question: as it was set, as the network means it, or as it is called; otherwise a custom field. Null: none. */
export function mapQuestion({ key, label, field }: AdQuestion, fieldMapping: Mapping): LeadField | null {
  if (Object.hasOwn(fieldMapping, key)) return fieldMapping[key]!
  return field ?? guessField(key) ?? guessField(label) ?? toCustomField(label)
}

const customNameMax = 100

/** A field that the API accepts: without characters that its name must not have. */
const toCustomField = (label: string): LeadField => {
  const name = label
    .replace(/[~"\\\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, customNameMax)
    .toWellFormed()
  return `customFields.${name || 'answer'}`
}

const customName = /^[^~"\\\p{Cc}]{1,100}$/u

/** An error for each field that answers cannot be written to, and for each question that the form does not have. */
export function validateFieldMapping(
  mapping: Record<string, string | null>,
  questions: readonly AdQuestion[],
): InputError[] {
  const keys = questions.map(({ key }) => key)
  return Object.entries(mapping).flatMap(([key, field]): InputError[] => {
    const path = `/fieldMapping/${toPointerPart(key)}`
    if (!keys.includes(key))
      return [
        { path, code: 'UNKNOWN_QUESTION', message: `is no question of this form${didYouMean(key, keys)}` },
      ]
    if (field === null) return []
    const custom = getCustomFieldName(field)
    if (custom === null ? isAllowed(field) : customName.test(custom)) return []
    const allowed = leadFields.filter(isAllowed)
    const hint = didYouMean(field, allowed)
    return [{ path, code: 'NOT_ALLOWED', message: `${JSON.stringify(field)} is no field for answers${hint}` }]
  })
}
