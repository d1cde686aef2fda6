/** Interprets the words of listings: labels, titles and URL paths in the languages of the portals. */

import { memoize } from '../memoize.ts'
import { toPlainWords } from '../plain-words.ts'
import { parseArea } from './area.ts'
import { type Feature, featurePatterns, parseFeatureName } from './features.ts'
import { floorTextLengthMax, parseFloor } from './floor.ts'
import type { Condition, ListingFacts, Operation, PropertyType } from './listing.ts'
import { parseRoomCounts } from './room-counts.ts'

// In each list, the first matching pattern wins.
const operationPatterns: [RegExp, Operation][] = [
  [
    /\b(alquil\w*|arrendamiento|arrenda(r|-se|mento)|alug(uer|ar|a-se)|affitt(o|i|are|asi|ansi)|locazione|for rent|to rent|to let|rental)\b/,
    'rent',
  ],
  // "venta" alone may be part of a street name, and "venda" a form of another verb.
  [
    /\b(en venta|venta de|se vende|(para|em|en|a) venda|venda de|vende-se|vendita|vendesi|for sale|to buy)\b/,
    'sale',
  ],
]
const operationPathPatterns: [RegExp, Operation][] = [
  [/[/-](alquiler|alquilar|arrendar|arrendamento|aluguer|affitto|rent|to-rent|to-let|for-rent)[/-]/, 'rent'],
  [/[/-](venta|comprar|venda|vendita|buy|sale|for-sale)[/-]/, 'sale'],
]
// Null is a kind of property that the product does not support.
const propertyTypePatterns: [RegExp, PropertyType | null][] = [
  [
    /\b(garajes?|plazas? de parking|parking spaces?|garages?|garage(m|ns)|lugar(es)? de estacionamento|box(?= auto| doppio| singolo| in )|post[oi] auto|autorimess[ae])\b/,
    'garages',
  ],
  // The Italian "studio professionale" is an office; the English "studio" is a home.
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
const conditionPatterns: [RegExp, Condition][] = [
  [
    /\b((para|a|por) (reformar|rehabilitar|recuperar|remodelar|restaurar|renovar|reconstruir)|necessita de obras|da (ristrutturare|rimodernare|restaurare|riattare)|necessita di lavori|needs? renovat\w*|to renovate|to be restored)\b/,
    'to_renovate',
  ],
  [
    /\b(obra nueva|a estrenar|construcao nova|a estrear|nuova costruzione|mai abitato|primo ingresso|new (development|build|construction))\b/,
    'new',
  ],
  // Within a text the word may describe a kitchen; as the whole statement it describes the property.
  [/^((estado|condicao|stato)( dell'immobile)?:? )?(novo|nuovo|nuevo)(?= *($|\/))/, 'new'],
  [/\b(buen estado|bom estado|boas condicoes|buon[eo] (stato|condizioni)|good condition)\b/, 'good'],
  [/^((estado|condicao|stato)( dell'immobile)?:? )((muito )?bom|buono|ottimo)\b/, 'good'],
  [/^(buono|ottimo) \/ (abitabile|ristrutturato)\b/, 'good'],
]

const notWords = 'sin|sem|senza|nao|non|nessun[oa]?|without'
const negationPattern = new RegExp(`^(no|${notWords})\\b`)
const negatedPattern = new RegExp(`\\b(no|${notWords})\\s+(dispone de\\s+|\\S+\\s+)?$`)
// Before a Portuguese word, "no" means "in the".
const negatedInPortuguese = new RegExp(`\\b(${notWords})\\s+(\\S+\\s+)?$`)
const portuguesePattern =
  /^(elevador|terracos?|varandas?|garagem|estacionamento|jardi(m|ns)|ultimo (andar|piso)|porteir[oa]|portaria)$/
const floorLinePattern =
  /^(?:(?:andar|piso|piano):? |(?:planta|bajo|entresuelo|sotano|semisotano|exterior|interior|\d+[ªº] planta|\d+(st|nd|rd|th) floor|ground floor|\d+[ªº°] (andar|piso|piano)|res[ -]do[ -]chao|r\/c|cave|sobreloja|rialzato|seminterrato|esposizione)\b)/

/** Portuguese typology: the number is that of the bedrooms. */
const typologyPattern = /^(?:tipologia:? ?)?t(\d{1,2})(?:\+\d)?$/
// Areas of a part of the property, or of its plot.
const areaPartPattern =
  /util|usable|calpestabil|nutzflache|^(terra[zcs]|terreno|terrain|parcel|lote|plot|grundst|perceel|dzia[lł]k|balcon|balkon|varanda|taras|jardi|giardin|garden|garten|tuin|ogr[oó]d|trastero|arrecadac|cantina|keller|kelder|piwnic|cave|garag|garaj|box|cocina|cozinha|cucina|kuche|keuken|cuisine|salon|soggiorno|sejour|wohnzimmer|woonkamer)|(terreno|grundst\S*|perceel\S*|terrain|dzia[lł]k\S*):/

/** The operation and the type of property in a title. */
export function parseTitleWords(title: string): ListingFacts {
  return parseOperationAndType(toPlainWords(title), operationPatterns)
}

/** The operation and the type of property in a URL path (`/alquiler/viviendas/barcelona/`). */
export function parsePathWords(path: string): ListingFacts {
  return parseOperationAndType(toPlainWords(`${path}/`), operationPathPatterns)
}

function parseOperationAndType(words: string, operations: [RegExp, Operation][]): ListingFacts {
  const facts: ListingFacts = {}
  const operation = operations.find(([pattern]) => pattern.test(words))
  if (operation) facts.operation = operation[1]
  // The first type in the text wins: in "piso con garaje" the garage is an extra.
  const types = propertyTypePatterns.map(([pattern, type]) => ({ matchIndex: words.search(pattern), type }))
  const [first] = types.filter(type => type.matchIndex !== -1).sort((a, b) => a.matchIndex - b.matchIndex)
  if (first && first.type !== null) facts.propertyType = first.type
  return facts
}

/** The feature that a label names (`Armarios empotrados`), or null. */
export function parseFeature(label: string): Feature | null {
  const named = parseFeatureName(label)
  if (named !== null) return named
  const words = toPlainWords(label)
  if (negationPattern.test(words)) return null
  return featurePatterns.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/**
 * The facts in a list of details: `86 m² construidos`, `3 habitaciones`, `2 baños`, `Segunda mano/buen estado`,
 * `Planta 3ª exterior con ascensor`, `Plaza de garaje incluida en el precio`, …
 */
export function parseDetailLines(lines: readonly string[]): ListingFacts {
  const found = lines.slice(0, linesMax).map(parseLine)
  const facts: ListingFacts = {}
  // The first line with a value wins.
  for (const line of found.toReversed()) Object.assign(facts, line.facts)
  const features = new Set(found.flatMap(line => line.features))
  if (features.size > 0) facts.features = [...features]
  return facts
}

// Maximum number of detail lines.
const linesMax = 1000

interface ParsedLine {
  facts: ListingFacts
  features: readonly Feature[]
}

const parseLine = memoize((line: string): ParsedLine => {
  const words = toPlainWords(line)
  const facts = parseCountsAndArea(words)
  const features: Feature[] = []
  const condition = conditionPatterns.find(([pattern]) => pattern.test(words))
  if (condition) facts.condition = condition[1]
  if (floorLinePattern.test(words)) {
    if (parseFloor(words) !== null) facts.floorText = line.slice(0, floorTextLengthMax)
    const side = /\b(exterior|interior|esterna|interna)\b/.exec(words)
    if (side) features.push(side[1]!.startsWith('e') ? 'exterior' : 'interior')
  }
  for (const [pattern, feature] of featurePatterns) {
    const match = pattern.exec(words)
    if (match && !isNegated(match[0], words.slice(0, match.index))) features.push(feature)
  }
  return { facts, features }
})

function isNegated(word: string, before: string): boolean {
  return (portuguesePattern.test(word) ? negatedInPortuguese : negatedPattern).test(before)
}

function parseCountsAndArea(words: string): ListingFacts {
  const facts: ListingFacts = {}
  const typology = typologyPattern.exec(words)
  if (typology) facts.bedrooms = Number(typology[1])
  Object.assign(facts, parseRoomCounts(words))
  // `70 m² construidos, 65 m² utiles`: the built area counts.
  const whole = words.split(', ').filter(part => !areaPartPattern.test(part))
  const area = parseArea(whole.join(', '))
  if (area !== null) facts.squareMeters = area
  return facts
}
