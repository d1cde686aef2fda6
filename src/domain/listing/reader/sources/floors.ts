/**
 * The floor in short texts without a label: `3ª planta`, `Planta 3ª exterior con ascensor`, `2° piano`, `1 piętro z 6`.
 * Words alone (`Planta baja`, `First floor`) are also headings of the parts of a house.
 */
import { toPlainWords } from '../../../plain-words.ts'
import { floorTextLengthMax, parseFloor } from '../../floor.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns } from '../page-runs.ts'

const textMax = 45
const ofFloors = '(?:\\s?(?:/|z|de|di|von|sur|van)\\s?\\d{1,2})?'
const rest = `${ofFloors}(?:[ ,(][^\\d:]*)?$`
/** Words directly after a cardinal number say what it counts: `Piso 3 habitaciones`. */
const floorFirst = new RegExp(
  `^(?:planta|piso|andar|piano|etage|pietro|patro)\\s\\d{1,2}(?:\\s?[ªº°.]${rest}|${ofFloors}\\s?(?:[,(][^\\d:]*)?$)`,
  'u',
)
const numberFirst = new RegExp(
  `^\\d{1,2}(?:\\s?(?:[ªº°.]|er|e|eme|ieme)\\s?(?:planta|piso|andar|piano|etage|stock|og|obergeschoss|verdieping|pietro|patro|pis)|\\s(?:pietro|etage))${rest}`,
  'u',
)

/** The only floor that the page states so, as a candidate. */
export function readFloors(page: PageRuns): Candidate[] {
  const found = new Map<number, string>()
  for (const { text, node, isAttribute } of page.runs) {
    if (isAttribute || text.length > textMax || !/\d/.test(text) || /^h[1-6]$/.test(node.name)) continue
    for (const part of text.split(/\s[|·•]\s/)) {
      const words = toPlainWords(part).trim()
      if (!floorFirst.test(words) && !numberFirst.test(words)) continue
      const floor = parseFloor(words)
      if (floor !== null && !found.has(floor)) found.set(floor, part.trim().slice(0, floorTextLengthMax))
    }
  }
  const [first] = found
  if (first === undefined || found.size > 1) return []
  const [floor, text] = first
  return [
    { field: 'floor', value: floor, source: 'pairs', where: text, weight: 0.45 },
    { field: 'floorText', value: text, source: 'pairs', where: text, weight: 0.45 },
  ]
}
