// What the words of adverts mean: labels, titles and addresses in the languages of the portals, into the product's own values.

import { plainWords } from '../plain-words.ts'
import { remembered } from '../remembered.ts'
import { parseArea } from './area.ts'
import { FEATURE_PATTERNS, type Feature, readFeatureName } from './features.ts'
import { FLOOR_TEXT_MAX, readFloor } from './floor.ts'
import type { Condition, ListingFacts, Operation, PropertyType } from './listing.ts'
import { readRoomCounts } from './room-counts.ts'

// Each list is in order: the first pattern that matches is the meaning.
const OPERATION_WORDS: [RegExp, Operation][] = [
  [
    /\b(alquil\w*|arrendamiento|arrenda(r|-se|mento)|alug(uer|ar|a-se)|affitt(o|i|are|asi|ansi)|locazione|for rent|to rent|to let|rental)\b/,
    'rent',
  ],
  // "venta" alone may be part of a street's name, and "venda" a form of another verb.
  [
    /\b(en venta|venta de|se vende|(para|em|en|a) venda|venda de|vende-se|vendita|vendesi|for sale|to buy)\b/,
    'sale',
  ],
]
const OPERATION_PATHS: [RegExp, Operation][] = [
  [/[/-](alquiler|alquilar|arrendar|arrendamento|aluguer|affitto|rent|to-rent|to-let|for-rent)[/-]/, 'rent'],
  [/[/-](venta|comprar|venda|vendita|buy|sale|for-sale)[/-]/, 'sale'],
]
// Null is a kind of property that the product has no word for.
const PROPERTY_TYPE_WORDS: [RegExp, PropertyType | null][] = [
  [
    /\b(garajes?|plazas? de parking|parking spaces?|garages?|garage(m|ns)|lugar(es)? de estacionamento|box(?= auto| doppio| singolo| in )|post[oi] auto|autorimess[ae])\b/,
    'garages',
  ],
  // An Italian "studio" with a profession is an office, an English one a home.
  [/\b(oficinas?|despachos?|offices?|escritorios?|uffici(o)?|studio professionale)\b/, 'offices'],
  [
    /\b(local(es)?( comercial(es)?)?|naves?( industrial(es)?)?|lojas?|armaze(m|ns)|espacos? comercia(l|is)|local[ei] commercial[ei]|negozi(o)?|magazzin[oi]|capannon[ei]|shops?|retail|premises)\b/,
    'premises',
  ],
  [
    /\b(terrenos?|terreni|solar(es)?|parcelas?|lotes?|fincas? rusticas?|land|plots?|trasteros?|arrecadac(ao|oes)|cantin[ae]|edificios?|edifici|predios?|palazz[oi])\b/,
    null,
  ],
  [
    /\b(pisos?|viviendas?|casas?|chalets?|aticos?|duplex|estudios?|apartamentos?|lofts?|villas?|adosad[oa]s?|moradias?|vivendas?|appartament[oi]|(mono|bi|tri|quadri|pluri)local[ei]|attic[oi]|mansard[ae]|vill(ett)?[ae]|case|flats?|apartments?|houses?|bungalows?|maisonettes?|studios?|condos?|townhouses?)\b/,
    'homes',
  ],
]
const CONDITION_WORDS: [RegExp, Condition][] = [
  [
    /\b((para|a|por) (reformar|rehabilitar|recuperar|remodelar|restaurar|renovar|reconstruir)|necessita de obras|da (ristrutturare|rimodernare|restaurare|riattare)|necessita di lavori|needs? renovat\w*|to renovate|to be restored)\b/,
    'to_renovate',
  ],
  [
    /\b(obra nueva|a estrenar|construcao nova|a estrear|nuova costruzione|mai abitato|primo ingresso|new (development|build|construction))\b/,
    'new',
  ],
  // Alone the word may speak of a kitchen; as the whole of what is said of the state it does not.
  [/^((estado|condicao|stato)( dell'immobile)?:? )?(novo|nuovo|nuevo)(?= *($|\/))/, 'new'],
  [/\b(buen estado|bom estado|boas condicoes|buon[eo] (stato|condizioni)|good condition)\b/, 'good'],
  [/^((estado|condicao|stato)( dell'immobile)?:? )((muito )?bom|buono|ottimo)\b/, 'good'],
  [/^(buono|ottimo) \/ (abitabile|ristrutturato)\b/, 'good'],
]

const NOT = 'sin|sem|senza|nao|non|nessun[oa]?|without'
const NEGATION = new RegExp(`^(no|${NOT})\\b`)
const NEGATED = new RegExp(`\\b(no|${NOT})\\s+(dispone de\\s+|\\S+\\s+)?$`)
// Before a Portuguese word "no" is "in the".
const NEGATED_IN_PORTUGUESE = new RegExp(`\\b(${NOT})\\s+(\\S+\\s+)?$`)
const PORTUGUESE =
  /^(elevador|terracos?|varandas?|garagem|estacionamento|jardi(m|ns)|ultimo (andar|piso)|porteir[oa]|portaria)$/
const FLOOR_LINE =
  /^(?:(?:andar|piso|piano):? |(?:planta|bajo|entresuelo|sotano|semisotano|exterior|interior|\d+[ªº] planta|\d+(st|nd|rd|th) floor|ground floor|\d+[ªº°] (andar|piso|piano)|res[ -]do[ -]chao|r\/c|cave|sobreloja|rialzato|seminterrato|esposizione)\b)/

/** How Portugal names homes: the number is that of the bedrooms. */
const TYPOLOGY = /^(?:tipologia:? ?)?t(\d{1,2})(?:\+\d)?$/
// Areas that are not that of the whole property.
const PART_OF_AREA =
  /util|usable|calpestabil|nutzflache|^(terra[zcs]|terreno|terrain|parcel|lote|plot|grundst|perceel|dzia[lł]k|balcon|balkon|varanda|taras|jardi|giardin|garden|garten|tuin|ogr[oó]d|trastero|arrecadac|cantina|keller|kelder|piwnic|cave|garag|garaj|box|cocina|cozinha|cucina|kuche|keuken|cuisine|salon|soggiorno|sejour|wohnzimmer|woonkamer)|(terreno|grundst\S*|perceel\S*|terrain|dzia[lł]k\S*):/

/** What a title says of the operation and the type of property. */
export function readTitleWords(title: string): ListingFacts {
  return readKind(plainWords(title), OPERATION_WORDS)
}

/** What the path of an address says of them (`/alquiler/viviendas/barcelona/`). */
export function readPathWords(path: string): ListingFacts {
  return readKind(plainWords(`${path}/`), OPERATION_PATHS)
}

function readKind(words: string, operations: [RegExp, Operation][]): ListingFacts {
  const facts: ListingFacts = {}
  const operation = operations.find(([pattern]) => pattern.test(words))
  if (operation) facts.operation = operation[1]
  // The type that is named first: in "piso con garaje" the garage is an extra.
  const types = PROPERTY_TYPE_WORDS.map(([pattern, type]) => ({ at: words.search(pattern), type }))
  const [first] = types.filter(type => type.at !== -1).sort((a, b) => a.at - b.at)
  if (first && first.type !== null) facts.propertyType = first.type
  return facts
}

/** The feature that a label names (`Armarios empotrados`), or null. */
export function readFeature(label: string): Feature | null {
  const named = readFeatureName(label)
  if (named !== null) return named
  const words = plainWords(label)
  if (NEGATION.test(words)) return null
  return FEATURE_PATTERNS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/**
 * What the lines of a list of characteristics say: `86 m² construidos`, `3 habitaciones`, `2 baños`,
 * `Segunda mano/buen estado`, `Planta 3ª exterior con ascensor`, `Plaza de garaje incluida en el precio`, …
 */
export function readDetailLines(lines: readonly string[]): ListingFacts {
  const found = lines.slice(0, MAX_LINES).map(readLine)
  const facts: ListingFacts = {}
  // The first line that tells a value counts.
  for (const line of found.toReversed()) Object.assign(facts, line.facts)
  const features = new Set(found.flatMap(line => line.features))
  if (features.size > 0) facts.features = [...features]
  return facts
}

// No advert has so many characteristics.
const MAX_LINES = 1000

interface LineReading {
  facts: ListingFacts
  features: readonly Feature[]
}

const readLine = remembered((line: string): LineReading => {
  const words = plainWords(line)
  const facts = readCounts(words)
  const features: Feature[] = []
  const condition = CONDITION_WORDS.find(([pattern]) => pattern.test(words))
  if (condition) facts.condition = condition[1]
  if (FLOOR_LINE.test(words)) {
    if (readFloor(words) !== null) facts.floorText = line.slice(0, FLOOR_TEXT_MAX)
    const side = /\b(exterior|interior|esterna|interna)\b/.exec(words)
    if (side) features.push(side[1]!.startsWith('e') ? 'exterior' : 'interior')
  }
  for (const [pattern, feature] of FEATURE_PATTERNS) {
    const match = pattern.exec(words)
    if (match && !isNegated(match[0], words.slice(0, match.index))) features.push(feature)
  }
  return { facts, features }
})

function isNegated(word: string, before: string): boolean {
  return (PORTUGUESE.test(word) ? NEGATED_IN_PORTUGUESE : NEGATED).test(before)
}

function readCounts(words: string): ListingFacts {
  const facts: ListingFacts = {}
  const typology = TYPOLOGY.exec(words)
  if (typology) facts.bedrooms = Number(typology[1])
  Object.assign(facts, readRoomCounts(words))
  // `70 m² construidos, 65 m² utiles`: the built area is what counts.
  const whole = words.split(', ').filter(part => !PART_OF_AREA.test(part))
  const area = parseArea(whole.join(', '))
  if (area !== null) facts.squareMeters = area
  return facts
}
