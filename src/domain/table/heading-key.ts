// A column's heading in the one form in which it can be looked up, and the field that it names.
import { plainWords } from '../plain-words.ts'
import { remembered } from '../remembered.ts'
import { CONTACT_HEADINGS } from './contact-headings.ts'
import { reachedBy, wordsOf } from './heading-words.ts'
import { customFieldName, LEAD_FIELDS, type LeadField, type NamedLeadField } from './lead-fields.ts'
import { PROPERTY_HEADINGS } from './property-headings.ts'

const UNIT = /[([]\s*(?:€|\$|£|eur|euros?|m2|m²|mq|sqm|usd|gbp)\s*[)\]]/gi
// A price per square metre is neither a price nor an area.
const PER_AREA =
  /(?:€|\$|£|eur|euros?|prec?io|price|pre[cç]o|prezzo|preu|valor)\s*(?:\/|por|per|al?)?\s*(?:m2|m²|mq|sqm)/i

/** Which of several languages: `Descrição (PT)`. */
const LANGUAGE =
  /\s*[([]\s*(?:es|ca|en|pt|it|fr|de|nl|pl|esp|eng|ita|español|castellano|català|english|inglés|português|italiano)\s*[)\]]\s*$/iu
/** `Propietario/a`, `Interesado(s)`. */
const GENDER = /(?<=\p{L})(?:\/-?|\()(?:a|o|as|os|es|s)\)?(?!\p{L})/giu
/** `P.V.P.` is one word. */
const INITIALS = /(?<!\p{L})(\p{L})\.(?=\p{L}(?!\p{L}))/gu

/** `N.º de Teléfono (1)` → `n de telefono 1`: plain letters and digits, words parted by one space. */
export function headingKey(heading: string): string {
  const parted = heading
    .slice(0, 200)
    .replace(UNIT, ' ')
    .replace(LANGUAGE, '')
    .replace(/²/g, '2')
    .replace(/[ºª°]/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(GENDER, '')
    .replace(INITIALS, '$1')
  return plainWords(parted)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** What the key of a heading names; the lower the rank, the surer and the more telling. */
export interface NamedBy {
  field: LeadField
  rank: number
}

const BY_KEY = new Map<string, NamedBy>()
for (const field of LEAD_FIELDS) {
  // Any program may have custom fields; that they are JSON is known of an export of ours alone.
  if (field === 'customFields') continue
  // The fields' own names, as an export of ours is headed.
  BY_KEY.set(headingKey(field), { field, rank: 0 })
  const words = [CONTACT_HEADINGS, PROPERTY_HEADINGS].map(headings => headings[field] ?? '').join(',')
  for (const [at, word] of words.split(',').entries()) addKey(word.trim().replace(/\s+/g, ' '), field, at)
}

function addKey(key: string, field: NamedLeadField, at: number): void {
  if (key !== '' && !BY_KEY.has(key)) BY_KEY.set(key, { field, rank: 1 + at / 1000 })
}

/** Columns that look like one of ours by their words and are about something else: the CRM's own users, and kinds. */
const OTHERS = new Set([
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
  ].flatMap(of => [`${of} propietario`, `${of} proprietario`]),
  'owner id',
])
/** Words that say whose or which value it is, and not what. */
const ROUND_ABOUT = new Set(
  `de del della delle dello di do da das dos d el la le los lo il o a the of s contacto contact contatto contacte contato
  cliente client customer propietario proprietario propietari owner dueno titular titolare vendedor venditore vendor
  seller landlord lead deal person persona pessoa inmueble immobile immoble imovel propiedad property vivienda anuncio
  anunci annuncio listing home work business mobile primary main principal principale billing mailing other otro value
  valor actual interesado interesada interessado interessada interessato interessata solicitante prospect prospecto comprador
  anunciante inserzionista arrendador`.split(/\s+/),
)

/** Of a heading's key the words that say what, and not whose or which. */
export function bareKey(key: string): string {
  return wordsOf(key)
    .filter(word => !ROUND_ABOUT.has(word))
    .join(' ')
}

/** The field that a heading names, by the words alone; null if it names none that is known. */
export const fieldOfHeading = remembered((heading: string): NamedBy | null => {
  const custom = heading.trim()
  if (customFieldName(custom) !== null) return { field: custom as LeadField, rank: 0 }
  if (PER_AREA.test(heading.slice(0, 200))) return null
  const key = headingKey(heading)
  if (OTHERS.has(key)) return null
  const unnumbered = wordsOf(key)
  for (const [penalty, form] of [key, unnumbered.join(' '), bareKey(key)].entries()) {
    const named = BY_KEY.get(form)
    if (named !== undefined) return { field: named.field, rank: named.rank + penalty }
  }
  const reached = reachedBy(bareKey(key))
  return reached && { field: reached, rank: 3 }
})
