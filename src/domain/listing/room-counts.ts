/** Parses the numbers of rooms, bedrooms and bathrooms in a line, in the nine languages of the portals. */

import { toPlainWords } from '../plain-words.ts'
import type { ListingFacts } from './listing.ts'

type Kind = 'rooms' | 'bedrooms' | 'bathrooms'
export type RoomCounts = Pick<ListingFacts, Kind>

/** Singular and plural words without accents. A word with one form for both is listed as plural. */
const roomWords: Record<Kind, { one: string; many: string }> = {
  rooms: {
    one: 'habitacion|estancia|habitacio|assoalhada|divisao|locale|vano|stanza|piece|raum|kamer|room|pokoj',
    many: 'habitaciones|habs?\\b|estancias|habitacions|assoalhadas|divisoes|locali|vani|stanze|pieces|zimmer|zi\\b|zimmern|raume|kamers|rooms|pokoje|pokoi',
  },
  bedrooms: {
    one: 'dormitorio|dormitori|quarto|camera(?: da letto)?|letto|chambre|slaapkamer|bedroom|bed|sypialnia',
    many: 'dormitorios|dorm\\b|dormitoris|quartos|camere(?: (?:da )?letto)?|chambres|schlafzimmer|slaapkamers|slpks?|bedrooms|beds|bdrms?|bds?|sypialnie|sypialni',
  },
  bathrooms: {
    one: "bano|bany|casa de banho|banheiro|bagno|salle de bains?|salle d'eau|bad|badkamer|bathroom|bath|[lł]azienka",
    many: "banos|banys|casas de banho|banheiros|bagni|salles de bains?|salles d'eau|sdb|sde|badezimmer|bader|badkamers|bathrooms|baths|ba\\b|[lł]azienki|[lł]azienek",
  },
}
const roomKinds: readonly Kind[] = ['rooms', 'bedrooms', 'bathrooms']
const noneWords = 'sin|sem|senza|without|ohne|zonder|sans|sense|bez'
const numberOfWords =
  "(?:(?:anzahl|aantal|liczba|nombre d[e']|numero d[ei]|numero|num\\.?|n[.º°o]+ ?d[ei]|n[.º°]+|number of|no\\. of) ?)?"

const collectGroups = (number: 'many' | 'any') =>
  roomKinds
    .map(kind => {
      const { one, many } = roomWords[kind]
      return `(${number === 'any' ? `${many}|${one}` : many})`
    })
    .join('|')

// German listings count half rooms.
const countPattern = new RegExp(
  `^(\\d{1,2}(?:[.,]5| ?½)?|${noneWords})[ -](?:${collectGroups('any')})(?![\\p{L}])`,
  'u',
)
const labelledPattern = new RegExp(
  `^${numberOfWords}(?:${collectGroups('any')}) ?: ?(\\d{1,2}(?:[.,]5)?)(?![\\d.,])`,
)
/** Without a colon, `Habitación 3` may be the third room; `Habitaciones 3` are three. */
const followedPattern = new RegExp(`^${numberOfWords}(?:${collectGroups('many')}) ?(\\d{1,2}(?:[.,]5)?)$`)
const labelPattern = new RegExp(`^${numberOfWords}(?:${collectGroups('any')})$`)
/** Separators between counts in one line: `4 kamers (3 slaapkamers)`. */
const partSeparator = / ?[,;()|·] ?/

/** The counts in a line of lower-case words without accents. The first count of each kind wins. */
export function parseRoomCounts(words: string): RoomCounts {
  const counts: RoomCounts = {}
  // Longer texts are prose, not counts.
  if (words.length > 200) return counts
  for (const part of [words, ...words.split(partSeparator)]) {
    // Skips most parts quickly.
    if (!/\d|^[sowbz]/.test(part)) continue
    const count = countPattern.exec(part)
    if (count) add(counts, findKind(count.slice(2)), count[1]!)
    const labelled = count ? null : (labelledPattern.exec(part) ?? followedPattern.exec(part))
    if (labelled) add(counts, findKind(labelled.slice(1, 4)), labelled[4]!)
  }
  return counts
}

/** The kind that a label names (`Slaapkamers`, `Anzahl Zimmer`), or null. */
export function parseCountLabel(label: string): Kind | null {
  const match = labelPattern.exec(toPlainWords(label).trim().replace(/:$/, ''))
  return match && findKind(match.slice(1))
}

/** `words`: the matched groups, one for each kind. */
function findKind(words: (string | undefined)[]): Kind | null {
  return roomKinds[words.findIndex(word => word !== undefined)] ?? null
}

function add(counts: RoomCounts, kind: Kind | null, text: string): void {
  if (kind) counts[kind] ??= /\d/.test(text) ? Number(text.replace(/ ?½/, '.5').replace(',', '.')) : 0
}
