// Floor areas as adverts print them.
import { NUMBER, parseLocalNumber } from './number.ts'

const UNIT =
  '(?:m²|m2|m&sup2;|mq|qm|m kw\\.?|sq\\.?\\s?m(?:et(?:er|re)s?)?|sqm|square met(?:er|re)s?|metros cuadrados|metros quadrados|metres quadrats|metri quadr(?:i|ati)|m[eè]tres carr[eé]s|quadratmeter|vierkante meter|metr(?:y|[oó]w) kwadratow(?:e|ych))(?![\\p{L}\\d])'
const AREA = new RegExp(`(?<![\\d.,])(${NUMBER})[ \\u00a0\\u2009\\u202f]*${UNIT}`, 'giu')
const UP_TO = new RegExp(`^\\s*[-–—]\\s*${NUMBER}\\s*${UNIT}`, 'iu')
const PLOT = /^\s*(?:de\s+|of\s+)?(?:parcel|terreno|solar|plot|land|grundst|terrain|perceel|tuin|dzia[lł]k)/i

/**
 * The floor area in a short text (`86 m²`, `1.250 m²`, `86,5 m² construidos`), in square metres, or null.
 * The first area counts, plots are passed over (`500 m² de parcela`), a range is null, and square feet are not read.
 */
export function parseArea(text: string): number | null {
  // Hostile text would take time that grows with the square of its length.
  const short = text.slice(0, 300)
  for (const match of short.matchAll(AREA)) {
    const rest = short.slice(match.index + match[0].length)
    if (PLOT.test(rest)) continue
    if (UP_TO.test(rest) || /\d\s*(?:m²|m2)?\s*[-–—]\s*$/.test(short.slice(0, match.index))) return null
    const area = parseLocalNumber(match[1]!)
    return area === null || area <= 0 ? null : area
  }
  return null
}
