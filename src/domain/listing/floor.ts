/** Floors as numbers, counted as southern Europe does: 0 is the ground floor, -1 the basement, 0.5 a mezzanine. */
import { plainWords } from '../plain-words.ts'

/** The lowest and the highest that a property can be on. */
export const FLOORS = { min: -9, max: 200 } as const
/** Characters of a floor as it is stated. */
export const FLOOR_TEXT_MAX = 100

const LABEL = '(?:planta|andar|piso|piano|pis|floor|level|etage|stock|verdieping|pietro)'
// `3`, `3ª`, `Planta 3ª`, `3rd floor`, `-1`, `0.5`; `Piso 2 esq.`
const NUMBERED = new RegExp(`^(?:${LABEL}:? ?)?(-?\\d{1,3})(?:[.,](5)(?!\\d))?(?!\\d)`)
const ORDINALS = new Map(
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
  ].flatMap((words, at) => words.split(' ').map((word): [string, number] => [word, at + 1])),
)
/** `III piętro`, `IV piano`. */
const ROMAN = new Map(['i', 'ii', 'iii', 'iv', 'v'].map((word, at): [string, number] => [word, at + 1]))
const GROUND =
  /^(bajos?|(planta )?(baja|baixa)|baix(os)?|ground|gf|res[ -]do[ -]chao|r\/c|terra|terreno|pianoterra|rez[ -]de[ -](chaussee|jardin)|rdc|erdgeschoss|eg|parterre|begane grond|parter)\b/
const BASEMENT =
  /^(sotano|semisotano|soterrani|semisoterrani|basement|lower ground|cave|seminterrato|interrato|sous-sol|souterrain|untergeschoss|kelder|suterena|piwnica)\b/
const MEZZANINE =
  /^(entresuelo|entreplanta|entresol|sobreloja|rialzato|ammezzato|mezzanine?|mezzanino|hochparterre)\b/

/** The floor that a text states (`Planta 3ª`, `Bajo`, `r/c`, `Piano rialzato`), or null if it states none. */
export function readFloor(label: string): number | null {
  const words = plainWords(label).trim()
  const numbered = NUMBERED.exec(words)
  if (numbered) {
    const [, whole, half] = numbered
    const floor = half ? Number(`${whole}.5`) : Number(whole) + 0
    return floor >= FLOORS.min && floor <= FLOORS.max ? floor : null
  }
  const [first = '', next = ''] = words.split(/\s+/)
  const ordinal = ORDINALS.get(first)
  if (ordinal !== undefined && /^(|piano|andar|piso|planta|pis|floor|etage|stock)$/.test(next)) return ordinal
  const roman = ROMAN.get(first)
  if (roman !== undefined && /^(piano|andar|piso|planta|pis|pietro|etage)$/.test(next)) return roman
  const bare = words.replace(new RegExp(`^${LABEL}:? `), '')
  if (GROUND.test(bare) || GROUND.test(words)) return 0
  if (BASEMENT.test(bare)) return -1
  return MEZZANINE.test(bare) ? 0.5 : null
}
