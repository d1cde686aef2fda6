// A column's heading in the one form in which it can be looked up, and the field that it names.
import { plainWords } from '../listing/plain-words.ts'
import { CONTACT_HEADINGS } from './contact-headings.ts'
import { customFieldName, LEAD_FIELDS, type LeadField, type NamedLeadField } from './lead-fields.ts'
import { PROPERTY_HEADINGS } from './property-headings.ts'

const UNIT = /[([]\s*(?:€|\$|£|eur|euros?|m2|m²|mq|sqm|usd|gbp)\s*[)\]]/gi
// A price per square metre is neither a price nor an area.
const PER_AREA =
  /(?:€|\$|£|eur|euros?|prec?io|price|pre[cç]o|prezzo|preu|valor)\s*(?:\/|por|per|al?)?\s*(?:m2|m²|mq|sqm)/i

/** `N.º de Teléfono (1)` → `n de telefono 1`: plain letters and digits, words parted by one space. */
export function headingKey(heading: string): string {
  const parted = heading
    .slice(0, 200)
    .replace(UNIT, ' ')
    .replace(/²/g, '2')
    .replace(/[ºª°]/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
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
  'owner id',
])
/** Words that say whose or which value it is, and not what. */
const ROUND_ABOUT = new Set(
  `de del della delle dello di do da das dos d el la le los lo il o a the of s contacto contact contatto contacte contato
  cliente client customer propietario proprietario propietari owner dueno titular titolare vendedor venditore vendor
  seller landlord lead deal person persona pessoa inmueble immobile immoble imovel propiedad property vivienda anuncio
  anunci annuncio listing home work business mobile primary main principal principale billing mailing other otro value
  valor actual`.split(/\s+/),
)

/** Words for a phone or an address, and those that say which of several: a heading of these alone is one. */
const REACHED_BY: [field: LeadField, words: Set<string>][] = [
  [
    'contact.phone',
    wordSet(`telefono telefonos telf telef telfs tlf tlfn tlfno tlfs tfno tfn tfnos tel tels telefon telefons telefone telefones
      telefoni telemovel telemoveis tlm telem movil moviles mobil celular celulares cellulare cellulari cell phone phones telephone
      mobile cellphone whatsapp`),
  ],
  ['contact.email', wordSet('email emails mail mails correo correos correu correio')],
]
const WHICH =
  wordSet(`n no nr nro num numero numeros number movil mobil movel mobile fijo fix fixo fisso cel casa domicilio particular
  personal personale pessoal privado privato residencial residencia abitazione trabajo trabalho lavoro oficina ufficio empresa laboral
  profesional profissional aziendale principal principale secundario secundaria secondario adicional alternativo alternativa
  alternativo preferido preferente opcional extra directo diretto valor value valore y o e i electronico electronica eletronico
  electronic elettronica telefonico telefonica comprador interesado interessato interessado solicitante inquilino posible`)

function wordSet(words: string): Set<string> {
  return new Set(words.split(/\s+/))
}

function reachedBy(words: string[]): LeadField | null {
  const telling = words.filter(word => !ROUND_ABOUT.has(word))
  const found = REACHED_BY.find(
    ([, names]) =>
      telling.some(word => names.has(word)) && telling.every(word => names.has(word) || WHICH.has(word)),
  )
  return found?.[0] ?? null
}

/** The field that a heading names, by the words alone; null if it names none that is known. */
export function fieldOfHeading(heading: string): NamedBy | null {
  const custom = heading.trim()
  if (customFieldName(custom) !== null) return { field: custom as LeadField, rank: 0 }
  if (PER_AREA.test(heading.slice(0, 200))) return null
  const key = headingKey(heading)
  if (OTHERS.has(key)) return null
  const words = key.split(' ')
  const unnumbered = words.filter(word => !/^\d+$/.test(word))
  const bare = unnumbered.filter(word => !ROUND_ABOUT.has(word))
  for (const [penalty, form] of [key, unnumbered.join(' '), bare.join(' ')].entries()) {
    const named = BY_KEY.get(form)
    if (named !== undefined) return { field: named.field, rank: named.rank + penalty }
  }
  const reached = reachedBy(unnumbered)
  return reached && { field: reached, rank: 3 }
}
