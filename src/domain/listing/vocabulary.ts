// What the words of adverts mean: Spanish and English labels, titles and addresses into the product's own values.
import { parseArea } from './area.ts'
import type { Condition, Feature, ListingFacts, Operation, PropertyType } from './listing.ts'

// Each list is in order: the first pattern that matches is the meaning.
const OPERATION_WORDS: [RegExp, Operation][] = [
  [/\b(alquil\w*|arrendamiento|for rent|to rent|to let|rental)\b/, 'rent'],
  // "venta" alone may be part of a street's name.
  [/\b(en venta|venta de|se vende|for sale|to buy)\b/, 'sale'],
]
const OPERATION_PATHS: [RegExp, Operation][] = [
  [/[/-](alquiler|alquilar|rent|to-rent|to-let|for-rent)[/-]/, 'rent'],
  [/[/-](venta|comprar|buy|sale|for-sale)[/-]/, 'sale'],
]
// Null is a kind of property that the product has no word for.
const PROPERTY_TYPE_WORDS: [RegExp, PropertyType | null][] = [
  [/\b(garajes?|plazas? de parking|parking spaces?|garages?)\b/, 'garages'],
  [/\b(oficinas?|despachos?|offices?)\b/, 'offices'],
  [/\b(local(es)?( comercial(es)?)?|naves?( industrial(es)?)?|shops?|retail|premises)\b/, 'premises'],
  [/\b(terrenos?|solar(es)?|parcelas?|fincas? rusticas?|land|plots?|trasteros?|edificios?)\b/, null],
  [
    /\b(pisos?|viviendas?|casas?|chalets?|aticos?|duplex|estudios?|apartamentos?|lofts?|villas?|adosad[oa]s?|flats?|apartments?|houses?|bungalows?|maisonettes?|studios?|condos?|townhouses?)\b/,
    'homes',
  ],
]
const CONDITION_WORDS: [RegExp, Condition][] = [
  [
    /\b(para reformar|a reformar|por reformar|para rehabilitar|needs? renovat\w*|to renovate|to be restored)\b/,
    'to_renovate',
  ],
  [/\b(obra nueva|a estrenar|new (development|build|construction))\b/, 'new'],
  [/\b(buen estado|good condition)\b/, 'good'],
]

const FEATURE_WORDS: [RegExp, Feature][] = [
  [/\b(ascensor|lift|elevator)\b/, 'lift'],
  [/\b(terrazas?|terraces?)\b/, 'terrace'],
  [/\b(balcon(es)?|balcony|balconies)\b/, 'balcony'],
  [/\b(garaje|parking|garage)\b/, 'parking'],
  [/\b(piscina|(swimming )?pool)\b/, 'pool'],
  [/\b(jardin(es)?|gardens?)\b/, 'garden'],
  [/\b(aire acondicionado|air conditioning)\b/, 'airConditioning'],
  [/\b(trasteros?|storage|storeroom|box room)\b/, 'storage'],
  [/\b(armarios empotrados|(fitted|built-in|built in) wardrobes?)\b/, 'wardrobes'],
  [/\b(porter[oa]|conserje|doorman|concierge)\b/, 'doorman'],
  [/\b(ultima planta|top floor)\b/, 'topFloor'],
  [/\b(seguridad|vigilancia|alarma|puerta blindada|security|alarm)\b/, 'security'],
  [/\b(primera linea|waterfront|seafront)\b/, 'waterfront'],
  [/\b(vistas? al? (mar|la montana)|(sea|mountain) views?)\b/, 'view'],
  [/\b(basement|cellar)\b/, 'basement'],
  [/\b(reformad[oa]|renovated|refurbished)\b/, 'renovated'],
]
const NEGATION = /^(sin|no|without)\b/
const FLOOR_LINE =
  /^(planta|bajo|entresuelo|sotano|semisotano|exterior|interior|\d+(st|nd|rd|th) floor|ground floor)\b/

/** Lower case without accents, so that one spelling of each word is enough. */
export function plainWords(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

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
  const words = plainWords(label)
  if (NEGATION.test(words)) return null
  return FEATURE_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/**
 * What the lines of a list of characteristics say: `86 m² construidos`, `3 habitaciones`, `2 baños`,
 * `Segunda mano/buen estado`, `Planta 3ª exterior con ascensor`, `Plaza de garaje incluida en el precio`, …
 */
export function readDetailLines(lines: readonly string[]): ListingFacts {
  const facts: ListingFacts = {}
  const features = new Set<Feature>()
  for (const line of lines) {
    const words = plainWords(line)
    readCounts(words, facts)
    const condition = CONDITION_WORDS.find(([pattern]) => pattern.test(words))
    if (condition) facts.condition ??= condition[1]
    if (FLOOR_LINE.test(words)) {
      const floor = readFloor(words)
      if (floor !== null) facts.floor ??= floor
      const side = /\b(exterior|interior)\b/.exec(words)
      if (side) features.add(side[1] as 'exterior' | 'interior')
    }
    for (const [pattern, feature] of FEATURE_WORDS) {
      const match = pattern.exec(words)
      if (match && !/\b(sin|no|without)\s+(\S+\s+)?$/.test(words.slice(0, match.index))) features.add(feature)
    }
  }
  if (features.size > 0) facts.features = [...features]
  return facts
}

function readCounts(words: string, facts: ListingFacts): void {
  const count = /^(\d{1,2}|sin) (habitacion(?:es)?|hab\b|dormitorios?|banos?|bedrooms?|bathrooms?)/.exec(
    words,
  )
  if (count) {
    const number = count[1] === 'sin' ? 0 : Number(count[1])
    const kind = count[2]!
    if (kind.startsWith('hab')) facts.rooms ??= number
    else if (kind.startsWith('ban') || kind.startsWith('bath')) facts.bathrooms ??= number
    else facts.bedrooms ??= number
  }
  const area = /util|usable/.test(words) ? null : parseArea(words)
  if (area !== null) facts.squareMeters ??= area
}

/** A floor as a number in text where it has one, counted as Spain does: 0 is the ground floor. */
export function readFloor(label: string): string | null {
  const words = plainWords(label)
  const numbered = /^(?:planta )?(-?\d{1,3})(?!\d)/.exec(words)
  if (numbered) return String(Number(numbered[1]))
  if (/^(bajo|planta baja|ground)\b/.test(words)) return '0'
  if (/^(sotano|semisotano|basement)\b/.test(words)) return '-1'
  return /^entresuelo\b/.test(words) ? 'entresuelo' : null
}
