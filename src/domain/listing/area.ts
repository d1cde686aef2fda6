/** Parses floor areas as listings print them. */
import { numberPattern, parseLocalNumber } from './number.ts'

const areaUnits =
  '(?:m²|m2|m&sup2;|mq|qm|m kw\\.?|sq\\.?\\s?m(?:et(?:er|re)s?)?|sqm|square met(?:er|re)s?|metros cuadrados|metros quadrados|metres quadrats|metri quadr(?:i|ati)|m[eè]tres carr[eé]s|quadratmeter|vierkante meter|metr(?:y|[oó]w) kwadratow(?:e|ych))(?![\\p{L}\\d])'
const areaPattern = new RegExp(`(?<![\\d.,])(${numberPattern})[ \\u00a0\\u2009\\u202f]*${areaUnits}`, 'giu')
const upToPattern = new RegExp(`^\\s*[-–—]\\s*${numberPattern}\\s*${areaUnits}`, 'iu')
const plotPattern =
  /^\s*(?:de\s+|of\s+)?(?:parcel|terreno|solar|plot|land|grundst|terrain|perceel|tuin|dzia[lł]k)/i

/**
 * The floor area in a short text (`86 m²`, `1.250 m²`, `86,5 m² construidos`), in square metres, or null. The first
 * area counts. Plot areas are skipped (`500 m² de parcela`), ranges return null, and square feet are not supported.
 */
export function parseArea(text: string): number | null {
  // Bounds the time: on hostile text it grows with the square of the length.
  const truncated = text.slice(0, 300)
  for (const match of truncated.matchAll(areaPattern)) {
    const rest = truncated.slice(match.index + match[0].length)
    if (plotPattern.test(rest)) continue
    if (upToPattern.test(rest) || /\d\s*(?:m²|m2)?\s*[-–—]\s*$/.test(truncated.slice(0, match.index)))
      return null
    const area = parseLocalNumber(match[1]!)
    return area === null || area <= 0 ? null : area
  }
  return null
}
