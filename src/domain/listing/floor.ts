/**
 * Parses floors into numbers, counted as in southern Europe: 0 is the ground floor, -1 the basement, 0.5 a mezzanine.
 */
import { toPlainWords } from '../plain-words.ts'

/** Lowest and highest floor that is accepted. */
export const floorLimits = { min: -9, max: 200 } as const
/** Maximum length of a stated floor. */
export const floorTextLengthMax = 100

const floorLabel = '(?:planta|andar|piso|piano|pis|floor|level|etage|stock|verdieping|pietro)'
// `3`, `3ª`, `Planta 3ª`, `3rd floor`, `-1`, `0.5`; `Piso 2 esq.`
const numberedPattern = new RegExp(`^(?:${floorLabel}:? ?)?(-?\\d{1,3})(?:[.,](5)(?!\\d))?(?!\\d)`)
/** `2 storeys` are those of a building. */
const storeysPattern =
  /^\d{1,3}[ -](?:stor(?:e?ys?|ies|eys)|floors|levels|plantas|plantes|pisos|piani|etages|etagen|geschosse|stockwerke|andares|pavimentos|verdiepingen|bouwlagen|pieter|pietra|kondygnacj[ei])(?![\p{L}])/u
const ordinalWords = new Map(
  [
    'primo primero primera primer primeiro first premier erster',
    'secondo segundo segunda segon second deuxieme zweiter',
    'terzo tercero tercera tercer terceiro third troisieme dritter',
    'quarto cuarto cuarta quart fourth quatrieme vierter',
    'quinto quinta cinque fifth cinquieme',
    'sesto sexto sexta sise sixth sixieme',
    'settimo septimo septima sete setimo seventh septieme',
    'ottavo octavo octava vuite oitavo eighth huitieme',
    'nono noveno novena nove ninth neuvieme',
    'decimo decima dese tenth dixieme',
  ].flatMap((words, index) => words.split(' ').map((word): [string, number] => [word, index + 1])),
)
/** `III piętro`, `IV piano`. */
const romanNumerals = new Map(
  ['i', 'ii', 'iii', 'iv', 'v'].map((word, index): [string, number] => [word, index + 1]),
)
const groundPattern =
  /^(bajos?|(planta )?(baja|baixa)|baix(os)?|ground|gf|res[ -]do[ -]chao|r\/c|terra|terreno|pianoterra|rez[ -]de[ -](chaussee|jardin)|rdc|erdgeschoss|eg|parterre|begane grond|parter)\b/
const basementPattern =
  /^(sotano|semisotano|soterrani|semisoterrani|basement|lower ground|cave|seminterrato|interrato|sous-sol|souterrain|untergeschoss|kelder|suterena|piwnica)\b/
const mezzaninePattern =
  /^(entresuelo|entreplanta|entresol|sobreloja|rialzato|ammezzato|mezzanine?|mezzanino|hochparterre)\b/

/** The floor in a text (`Planta 3ª`, `Bajo`, `r/c`, `Piano rialzato`), or null if there is none. */
export function parseFloor(label: string): number | null {
  const words = toPlainWords(label).trim()
  if (storeysPattern.test(words)) return null
  const numbered = numberedPattern.exec(words)
  if (numbered) {
    const [, whole, half] = numbered
    const floor = half ? Number(`${whole}.5`) : Number(whole) + 0
    return floor >= floorLimits.min && floor <= floorLimits.max ? floor : null
  }
  const [first = '', next = ''] = words.split(/\s+/)
  const ordinal = ordinalWords.get(first)
  if (ordinal !== undefined && /^(|piano|andar|piso|planta|pis|floor|etage|stock)$/.test(next)) return ordinal
  const roman = romanNumerals.get(first)
  if (roman !== undefined && /^(piano|andar|piso|planta|pis|pietro|etage)$/.test(next)) return roman
  const unlabelled = words.replace(new RegExp(`^${floorLabel}:? `), '')
  if (groundPattern.test(unlabelled) || groundPattern.test(words)) return 0
  if (basementPattern.test(unlabelled)) return -1
  return mezzaninePattern.test(unlabelled) ? 0.5 : null
}
