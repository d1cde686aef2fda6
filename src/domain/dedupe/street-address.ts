// Street, number and door of an address, so that `C/ Mallorca 214, 3º 1ª` and `Carrer de Mallorca, 214` can be compared.
import { slugOf } from '../slug.ts'

export interface StreetAddress {
  /** What kind of way it is, where it is said: `Calle Mayor` and `Plaza Mayor` are two. */
  kind: string | null
  /** The name without articles, accents and abbreviations: `mallorca`, `doctor-fleming`. Never empty. */
  name: string
  /** House numbers from the first to the last (`12-14`); null if none is stated. */
  numbers: readonly [first: number, last: number] | null
  /** Floor and door as `3-1`, `2-b`, `0-izquierda`; null if they are not both stated. */
  unit: string | null
}

// By language: Spanish, Catalan, Portuguese, Italian.
const KINDS: Record<string, string> = {
  ...named('street', 'c cl calle carrer cr r rua v via strada'),
  ...named('avenue', 'av avd avda avenida avinguda avgda viale vle'),
  ...named('square', 'pl pz pza plz plaza placa plaça praca pca piazza p-zza largo lgo largo'),
  ...named('walk', 'p paseo passeig ps psg pso pg rambla rbla alameda passeggiata lungomare'),
  ...named('road', 'ctra carretera crta estrada'),
  ...named('boulevard', 'blvd bulevar boulevard corso cso'),
  ...named('lane', 'travessia travesia trav tr travessa tv vicolo beco passatge pasaje pje ptge'),
  ...named('ring', 'ronda rda circonvallazione circunvalacion'),
  ...named('way', 'camino cami camí cno caminho costa cuesta carrera'),
}
const JOINING = new Set(
  'a al d da dal de degli dei del dell della delle des di do dos das e el els i en la las les lo los l n y'.split(
    ' ',
  ),
)
const LONG_FORMS: Record<string, string> = {
  ...{ dr: 'doctor', dra: 'doctora', doutor: 'doctor', dott: 'doctor', gral: 'general', gen: 'general' },
  ...{ sta: 'santa', sto: 'santo', st: 'sant', s: 'san', ma: 'maria', fco: 'francisco', ntra: 'nuestra' },
  ...{ sra: 'senora', sr: 'senor', prof: 'profesor', ing: 'ingeniero', cap: 'capitan', gob: 'gobernador' },
}
const NUMBER_SIGN = /^(?:n|no|nro|num|numero|number)$/
const HOUSE = /^(\d{1,4})[a-z]?$/
const FLOORS: Record<string, string> = { bajo: '0', bajos: '0', bj: '0', rc: '0', terra: '0', atico: 'atico' }
const DOORS: Record<string, string> = {
  ...{ izq: 'izquierda', izda: 'izquierda', izqda: 'izquierda', esq: 'izquierda', esquerdo: 'izquierda' },
  ...{ dcha: 'derecha', der: 'derecha', dto: 'derecha', direito: 'derecha', dta: 'derecha' },
  ...{ int: 'interior', ext: 'exterior' },
}

/** More is no address, whatever stands in its place. */
const MAX_CHARACTERS = 200

/** The parts of a written address; null if it names no street. */
export function readStreetAddress(address: string): StreetAddress | null {
  const parts = address.slice(0, MAX_CHARACTERS).split(',').map(wordsOf)
  const [street = [], ...rest] = parts
  const kind = street.length > 1 ? (KINDS[street[0]!] ?? null) : null
  const named = kind === null ? street : street.slice(1)
  // "Mallorca 214, 3º 1ª": the number closes the street; "Calle 8 de Marzo, 5": it opens what follows.
  const at = named.findIndex((word, index) => index > 0 && HOUSE.test(word) && isClosing(named, index))
  const name = nameOf(at === -1 ? named : named.slice(0, at))
  if (name === '') return null
  const behind = at === -1 ? rest.flat() : [...named.slice(at), ...rest.flat()]
  const { numbers, left } = takeNumbers(behind)
  return { kind, name, numbers, unit: numbers === null ? null : unitOf(left) }
}

/** The same house: kind, name and number agree. `like`: one of the two says less, or part of the name. */
export function compareStreets(
  one: StreetAddress,
  other: StreetAddress,
): 'same house' | 'same street' | 'like' | 'other number' | 'other street' {
  if (one.name !== other.name) return isPartOf(one.name, other.name) ? 'like' : 'other street'
  if (one.kind !== null && other.kind !== null && one.kind !== other.kind) return 'other street'
  if (one.numbers === null || other.numbers === null) return 'same street'
  return one.numbers[0] <= other.numbers[1] && other.numbers[0] <= one.numbers[1]
    ? 'same house'
    : 'other number'
}

function named(kind: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map(word => [slugOf(word), kind]))
}

function wordsOf(text: string): string[] {
  const plain = text
    .replace(/(\d)\s?[ºª°]/g, '$1 ')
    .replace(/\bn[ºª°.]+/gi, 'n ')
    .replace(/\br\/c\b/gi, 'rc')
  return slugOf(plain).split('-').filter(Boolean)
}

/** A number with nothing but numbers, doors and signs behind it, within its part of the address. */
function isClosing(words: readonly string[], index: number): boolean {
  return words
    .slice(index + 1)
    .every(word => word.length <= 2 || /^\d/.test(word) || word in DOORS || word in FLOORS)
}

function nameOf(words: readonly string[]): string {
  const kept = words.filter(word => !JOINING.has(word) && !NUMBER_SIGN.test(word))
  return kept.map(word => LONG_FORMS[word] ?? word).join('-')
}

function takeNumbers(words: readonly string[]): { numbers: StreetAddress['numbers']; left: string[] } {
  const from = NUMBER_SIGN.test(words[0] ?? '') ? 1 : 0
  const first = Number(HOUSE.exec(words[from] ?? '')?.[1] ?? 0)
  if (first === 0) return { numbers: null, left: [] }
  const second = Number(HOUSE.exec(words[from + 1] ?? '')?.[1] ?? 0)
  // "12-14" is a house of two numbers, both odd or both even; "12 3 1" has floor and door behind the number.
  const isRange = second > first && second - first <= 12 && (second - first) % 2 === 0
  const left = words
    .slice(from + (isRange ? 2 : 1))
    .filter(word => !/^(?:bis|piso|planta|puerta|pta|porta)$/.test(word))
  return { numbers: [first, isRange ? second : first], left }
}

/** Of the two words behind the number; what else follows is a postcode or a town. */
function unitOf([floorWord = '', doorWord = '']: readonly string[]): string | null {
  const floor = FLOORS[floorWord] ?? (/^\d{1,2}$/.test(floorWord) ? String(Number(floorWord)) : null)
  const door = DOORS[doorWord] ?? (/^(?:\d{1,2}|[a-z])$/.test(doorWord) ? doorWord : null)
  return floor === null || door === null ? null : `${floor}-${door}`
}

/** All words of the shorter name stand in the longer: `doctor-fleming` in `doctor-alexander-fleming`. */
function isPartOf(one: string, other: string): boolean {
  const [short, long] = [one.split('-'), other.split('-')].sort((a, b) => a.length - b.length)
  return short!.length < long!.length && short!.every(word => long!.includes(word))
}
