/**
 * The year of construction and the energy rating in sentences, in the languages of the reader. Only a statement about
 * the building counts: kitchens, roofs and owners have years, too.
 */
import { toPlainWords } from '../../plain-words.ts'
import type { EnergyRating } from './page-listing.ts'

const proseMax = 20_000
const year =
  '((?:1[5-9]\\d|20[0-4])\\d)(?![.,]?\\d|\\s?(?:€|eur|m2|m²|mq|qm|sq|kwh|metr|mts|mt|m(?![\\p{L}])|ft|feet))'
/** Between a word and its year: `built in c. 1985`, `construido en el año 1998`. */
const link =
  "(?:[ :.,(]|in|en|em|nel|im|el|l|de|del|do|da|dell|dels|d|o|an[oy]|any|anno|annee|l'|dell'|d'|jahre?|jahr|year|the|around|circa|ca|approximately|approx|c|aprox|environ|aproximadamente|sobre|hacia|um|w|v|ve|na|roce|roku|rok|r|vers|intorno al|autour de|von|aus|dem|van|om|uit|het|jaar|since|г|в|году){0,7}"
const building =
  'finca|edificio|edifici|edificacion|predio|palazzo|palazzina|stabile|condominio|fabbricato|immeuble|residence|batiment|batisse|copropriete|gebaude|wohnhaus|mehrfamilienhaus|gebouw|budynek|budynku|blok|bloku|kamienica|kamienicy|budova|budovy|dum|дом|доме|building'
const built = [
  'construid[oa]s?',
  'edificad[oa]s?',
  'construit(?:e|s|es|da|a)?',
  'edificat',
  'costruit[oaie]',
  'edificat[oa]',
  "(?:an[oy]|any|anno|data|epoca|annee|date|fecha) (?:de |di |d')?(?:la |da )?(?:costruzione|construcci?on?|construcao|construccio|edificacion|edificacao|construction)",
  'baujahr',
  'erbaut',
  'errichtet',
  'gebaut',
  'bouwjaar',
  'gebouwd',
  'year built',
  'year of construction',
  'construction year',
  'built',
  'constructed',
  'rok budowy',
  'wybudowan[yaeo]',
  'rok vystavby',
  'postaven[yoa]?',
  'год постройки',
  'построен[ао]?',
]
const patterns = [
  new RegExp(`(?<![\\p{L}])(?:${built.join('|')})${link} ?${year}`, 'gu'),
  new RegExp(
    `(?<![\\p{L}])(?:${building}) (?:de|del|d'|dell'|do|dels|van|uit|aus|z|datant de|dating from|risalente al|(?:del|de) (?:l'any|an[oy]|anno))(?: an[oy]| l'any| anno| l'anno)? ?${year}`,
    'gu',
  ),
  new RegExp(
    `(?<![\\d.,/-])${year} (?:erbaut|errichtet|gebaut|gebouwd|built)(?:en|e|es|er)?(?![\\p{L}])`,
    'gu',
  ),
]
/** Before a statement about something else. */
const otherThings =
  /(?:guest ?house|annexe?|lodge|casa de (?:invitados|huespedes|hospedes)|dependance|gastehaus|terrace(?! house| home)|terraza|terrazza|terrasse|loft|attic|reform|renov|rehabilit|remodel|restaur|ristruttur|saniert|modernis|kitchen|cocina|kuche|cucina|cuisine|roof|tejado|dach|tetto|toit|heizung|heating|boiler|caldera|chaudiere|caldaia|extension|anbau|extended|garage|garaje|pool|piscina|conservatory|sunroom|shed|studio)[^.!?\n]{0,25}$/

/** The only year of construction that a description states, or null. */
export function findYearBuilt(text: string): number | null {
  const words = toPlainWords(text.slice(0, proseMax))
    .replace(/[’´`]/g, "'")
    .replace(/[^\S\n]+/g, ' ')
  const years = new Set<number>()
  for (const pattern of patterns)
    for (const match of words.matchAll(pattern))
      if (!otherThings.test(words.slice(Math.max(0, match.index - 60), match.index)))
        years.add(Number(match[1]))
  const [found] = years
  return found !== undefined && years.size === 1 ? found : null
}

const ratingPattern =
  /(?<![\p{L}]|[Pp]otential )(?:BER|EPC|DPE|PEB|APE|PENB|(?:[Ee]nergy|ENERGY) (?:[Rr]ating|[Cc]lass|[Ll]abel|RATING)|[Cc]las+e [Ee]n[eè]rg[eé]tica|[Cc]lasse [ée]nergie|[Cc]alificaci[oó]n [Ee]nerg[eé]tica|[Cc]ertificad?o [Ee]nerg[eé]tico|[Cc]ertificaci[oó]n [Ee]nerg[eé]tica|[Cc]ertificat [Ee]nerg[eè]tic|[Ee]tiqueta [Ee]nerg[eé]tica|[Ee]nergie(?:effizienz)?klasse|[Ee]nergielabel|[Kk]lasa [Ee]nergetyczna|[Ee]nergetick[áa] (?:t[řr][íi]da|n[áa]ro[čc]nost))(?:\s?(?:[Rr]ating|[Bb]and|[Ll]abel|[Cc]lasse?|[Cc]lase|[Ll]etra|RATING|BAND|is|of|con|:|[-–—=])){0,3}\s?["“'(]?([A-G])(?:[1-3]|\+{1,3})?(?![\p{L}\d'’/-]|\s?(?:[àa]\s?)?[A-G](?![\p{L}]))/gu
/** `Classe energetica A richiesta` */
const wordAfter = /^\s\p{Ll}{2}/u

/** The only energy rating that sentences state, or null. */
export function findEnergyRating(text: string): EnergyRating | null {
  const letters = new Set<string>()
  const prose = text.slice(0, proseMax)
  for (const match of prose.matchAll(ratingPattern)) {
    const isWord =
      /[AE]/.test(match[1]!) && wordAfter.test(prose.slice(match.index + match[0].length).slice(0, 4))
    if (!isWord) letters.add(match[1]!)
  }
  return letters.size === 1 ? ([...letters][0] as EnergyRating) : null
}
