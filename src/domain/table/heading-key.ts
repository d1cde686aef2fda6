/** Normalizes the heading of a column for lookup, and finds the field that it names. */
import { memoize } from '../memoize.ts'
import { toPlainWords } from '../plain-words.ts'
import { contactHeadings } from './contact-headings.ts'
import { findContactField, toWordsWithoutNumbers } from './heading-words.ts'
import { getCustomFieldName, type LeadField, leadFields, type NamedLeadField } from './lead-fields.ts'
import { propertyHeadings } from './property-headings.ts'

const unitPattern = /[([]\s*(?:€|\$|£|eur|euros?|m2|m²|mq|sqm|usd|gbp)\s*[)\]]/gi
// A price per square metre is neither a price nor an area.
const perAreaPattern =
  /(?:€|\$|£|eur|euros?|prec?io|price|pre[cç]o|prezzo|preu|valor)\s*(?:\/|por|per|al?)?\s*(?:m2|m²|mq|sqm)/i

/** The language of a column: `Descrição (PT)`. */
const languagePattern =
  /\s*[([]\s*(?:es|ca|en|pt|it|fr|de|nl|pl|esp|eng|ita|español|castellano|català|english|inglés|português|italiano)\s*[)\]]\s*$/iu
/** `Propietario/a`, `Interesado(s)`. */
const genderPattern = /(?<=\p{L})(?:\/-?|\()(?:a|o|as|os|es|s)\)?(?!\p{L})/giu
/** `P.V.P.` counts as one word. */
const initialsPattern = /(?<!\p{L})(\p{L})\.(?=\p{L}(?!\p{L}))/gu

/** Converts `N.º de Teléfono (1)` to `n de telefono 1`: plain letters and digits, words separated by one space. */
export function toHeadingKey(heading: string): string {
  const splitHeading = heading
    .slice(0, 200)
    .replace(unitPattern, ' ')
    .replace(languagePattern, '')
    .replace(/²/g, '2')
    .replace(/[ºª°]/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(genderPattern, '')
    .replace(initialsPattern, '$1')
  return toPlainWords(splitHeading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The field that a heading names. A lower rank is a more certain and specific match. */
export interface HeadingMatch {
  field: LeadField
  rank: number
}

const matchesByKey = new Map<string, HeadingMatch>()
for (const field of leadFields) {
  // Other programs may have custom fields too; only in our exports they are JSON.
  if (field === 'customFields') continue
  // The names of the fields, as in the headings of our exports.
  matchesByKey.set(toHeadingKey(field), { field, rank: 0 })
  const words = [contactHeadings, propertyHeadings].map(headings => headings[field] ?? '').join(',')
  for (const [rank, word] of words.split(',').entries()) addKey(word.trim().replace(/\s+/g, ' '), field, rank)
}

function addKey(key: string, field: NamedLeadField, rank: number): void {
  if (key !== '' && !matchesByKey.has(key)) matchesByKey.set(key, { field, rank: 1 + rank / 1000 })
}

/** Headings that resemble ours but mean something else, mostly the CRM's own users. */
const unrelatedHeadings = new Set([
  'propietario del contacto',
  'propietario del registro',
  'propietario del lead',
  'propietario del negocio',
  'proprietario do contacto',
  'proprietario do contato',
  'proprietario del contatto',
  'proprietario contatto',
  'proprietario contato',
  'proprietario di lead',
  'proprietario del lead',
  'proprietario do lead',
  'proprietario do negocio',
  'propietario del trato',
  ...[
    'persona',
    'pessoa',
    'trato',
    'negocio',
    'affare',
    'organizacion',
    'organizacao',
    'organizzazione',
  ].flatMap(record => [`${record} propietario`, `${record} proprietario`]),
  'owner id',
])
/** Words that state whose or which value it is. */
const qualifierWords = new Set(
  `de del della delle dello di do da das dos d el la le los lo il o a the of s contacto contact contatto contacte contato
  cliente client customer propietario proprietario propietari owner dueno titular titolare vendedor venditore vendor
  seller landlord lead deal person persona pessoa inmueble immobile immoble imovel propiedad property vivienda anuncio
  anunci annuncio listing home work business mobile primary main principal principale billing mailing other otro value
  valor actual interesado interesada interessado interessada interessato interessata solicitante prospect prospecto comprador
  anunciante inserzionista arrendador`.split(/\s+/),
)

/** Removes the words from a key that state whose or which value it is. */
export function toBareKey(key: string): string {
  return toWordsWithoutNumbers(key)
    .filter(word => !qualifierWords.has(word))
    .join(' ')
}

/** The field that a heading names by its words alone; null if it is unknown. */
export const findFieldByHeading = memoize((heading: string): HeadingMatch | null => {
  const custom = heading.trim()
  if (getCustomFieldName(custom) !== null) return { field: custom as LeadField, rank: 0 }
  if (perAreaPattern.test(heading.slice(0, 200))) return null
  const key = toHeadingKey(heading)
  if (unrelatedHeadings.has(key)) return null
  const withoutNumbers = toWordsWithoutNumbers(key).join(' ')
  for (const [penalty, form] of [key, withoutNumbers, toBareKey(key)].entries()) {
    const matches = matchesByKey.get(form)
    if (matches !== undefined) return { field: matches.field, rank: matches.rank + penalty }
  }
  const contactField = findContactField(toBareKey(key))
  return contactField && { field: contactField, rank: 3 }
})
