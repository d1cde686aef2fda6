/** Parses street, number and door, so that `C/ Mallorca 214, 3º 1ª` and `Carrer de Mallorca, 214` can be compared. */
import { toSlug } from '../slug.ts'
import { longForms } from '../streets/long-forms.ts'

export interface StreetAddress {
  /** The kind of street, if stated: `Calle Mayor` and `Plaza Mayor` are different. */
  kind: string | null
  /** The name without articles, accents and abbreviations: `mallorca`, `doctor-fleming`. Never empty. */
  name: string
  /** House numbers from the first to the last (`12-14`); null if none is stated. */
  numbers: readonly [first: number, last: number] | null
  /** Floor and door as `3-1`, `2-b`, `0-izquierda`; null unless both are stated. */
  unit: string | null
}

// Spanish, Catalan, Portuguese and Italian words and their abbreviations.
const streetKinds = new Map([
  ...mapWords('street', 'c cl calle carrer cr r rua v via strada'),
  ...mapWords('avenue', 'av avd avda avenida avinguda avgda viale vle'),
  ...mapWords('square', 'pl pz pza plz plaza placa plaça praca pca piazza p-zza largo lgo'),
  ...mapWords('promenade', 'p paseo passeig ps psg pso pg rambla rbla alameda passeggiata lungomare'),
  ...mapWords('road', 'ctra carretera crta estrada'),
  ...mapWords('boulevard', 'blvd bulevar boulevard corso cso'),
  ...mapWords('lane', 'travessia travesia trav tr travessa tv vicolo beco passatge pasaje pje ptge'),
  ...mapWords('ring', 'ronda rda circonvallazione circunvalacion'),
  ...mapWords('way', 'camino cami camí cno caminho costa cuesta carrera'),
])
const particles = new Set(
  'a al d da dal de degli dei del dell della delle des di do dos das e el els i en la las les lo los l n y'.split(
    ' ',
  ),
)
const numberSign = /^(?:n|no|nro|num|numero|number)$/
const houseNumber = /^(\d{1,4})[a-z]?$/
const floorWords = new Map([
  ['bajo', '0'],
  ['bajos', '0'],
  ['bj', '0'],
  ['rc', '0'],
  ['terra', '0'],
  ['atico', 'atico'],
])
const doorWords = new Map([
  ['izq', 'izquierda'],
  ['izda', 'izquierda'],
  ['izqda', 'izquierda'],
  ['esq', 'izquierda'],
  ['esquerdo', 'izquierda'],
  ['dcha', 'derecha'],
  ['der', 'derecha'],
  ['dto', 'derecha'],
  ['direito', 'derecha'],
  ['dta', 'derecha'],
  ['int', 'interior'],
  ['ext', 'exterior'],
])

/** Maximum length of an address. The rest of a longer text is ignored. */
const charactersMax = 200

/** Parses an address; null if it names no street. */
export function parseStreetAddress(address: string): StreetAddress | null {
  const parts = address.slice(0, charactersMax).split(',').map(splitWords)
  const [street = [], ...rest] = parts
  const kind = street.length > 1 ? (streetKinds.get(street[0]!) ?? null) : null
  const nameWords = kind === null ? street : street.slice(1)
  // "Mallorca 214, 3º 1ª": the number ends the street; "Calle 8 de Marzo, 5": the street ends at the comma.
  const position = nameWords.findIndex(
    (word, index) => index > 0 && houseNumber.test(word) && endsStreetName(nameWords, index),
  )
  const name = joinName(position === -1 ? nameWords : nameWords.slice(0, position))
  if (name === '') return null
  const remaining = position === -1 ? rest.flat() : [...nameWords.slice(position), ...rest.flat()]
  const { numbers, left } = parseHouseNumbers(remaining)
  return { kind, name, numbers, unit: numbers === null ? null : parseUnit(left) }
}

/** `same house`: kind, name and number agree. `similar street`: one name is a part of the other. */
export function compareStreets(
  one: StreetAddress,
  other: StreetAddress,
): 'same house' | 'same street' | 'similar street' | 'other number' | 'other street' {
  if (one.name !== other.name) return isPartialName(one.name, other.name) ? 'similar street' : 'other street'
  if (one.kind !== null && other.kind !== null && one.kind !== other.kind) return 'other street'
  if (one.numbers === null || other.numbers === null) return 'same street'
  return one.numbers[0] <= other.numbers[1] && other.numbers[0] <= one.numbers[1]
    ? 'same house'
    : 'other number'
}

function mapWords(kind: string, words: string): [string, string][] {
  return words.split(' ').map(word => [toSlug(word), kind])
}

function splitWords(text: string): string[] {
  const plainAddress = text
    .replace(/(\d)\s?[ºª°]/g, '$1 ')
    .replace(/\bn[ºª°.]+/gi, 'n ')
    .replace(/\br\/c\b/gi, 'rc')
  return toSlug(plainAddress).split('-').filter(Boolean)
}

/** True if only numbers, floors, doors and words of at most two letters follow this number before the comma. */
function endsStreetName(words: readonly string[], index: number): boolean {
  return words
    .slice(index + 1)
    .every(word => word.length <= 2 || /^\d/.test(word) || doorWords.has(word) || floorWords.has(word))
}

function joinName(words: readonly string[]): string {
  const significantWords = words.filter(word => !particles.has(word) && !numberSign.test(word))
  return significantWords.map(word => longForms.get(word) ?? word).join('-')
}

function parseHouseNumbers(words: readonly string[]): { numbers: StreetAddress['numbers']; left: string[] } {
  const from = numberSign.test(words[0] ?? '') ? 1 : 0
  const first = Number(houseNumber.exec(words[from] ?? '')?.[1] ?? 0)
  if (first === 0) return { numbers: null, left: [] }
  const second = Number(houseNumber.exec(words[from + 1] ?? '')?.[1] ?? 0)
  // "12-14" is a house with two numbers, both odd or both even; in "12 3 1" floor and door follow the number.
  const isRange = second > first && second - first <= 12 && (second - first) % 2 === 0
  const left = words
    .slice(from + (isRange ? 2 : 1))
    .filter(word => !/^(?:bis|piso|planta|puerta|pta|porta)$/.test(word))
  return { numbers: [first, isRange ? second : first], left }
}

/** Takes the two words after the number. What follows is a postcode or a town. */
function parseUnit([floorWord = '', doorWord = '']: readonly string[]): string | null {
  const floor = floorWords.get(floorWord) ?? (/^\d{1,2}$/.test(floorWord) ? String(Number(floorWord)) : null)
  const door = doorWords.get(doorWord) ?? (/^(?:\d{1,2}|[a-z])$/.test(doorWord) ? doorWord : null)
  return floor === null || door === null ? null : `${floor}-${door}`
}

/** True if the longer name contains all words of the shorter one: `doctor-fleming`, `doctor-alexander-fleming`. */
function isPartialName(one: string, other: string): boolean {
  const [short, long] = [one.split('-'), other.split('-')].sort((a, b) => a.length - b.length)
  return short!.length < long!.length && short!.every(word => long!.includes(word))
}
