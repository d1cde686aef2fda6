/** Collects the printed labels of features, and the features that they name. */
import { type Feature, parseFeatureName } from '../features.ts'
import { parseFeature } from '../vocabulary.ts'
import type { Candidate, ReaderSource } from './page-listing.ts'
import { parseAnswer, parseHeading } from './words/words.ts'

const labelMax = 90
const labelsMax = 120
/** Longer labels are sentences, which name what is nearby, too. */
const wordsMax = 7
const partWordsMax = 3
const answerMax = 20
/** `Vista: Jardín` is no garden. */
const aboutOthers =
  /vist|view|vue|aussicht|ausblick|uitzicht|widok|orient|expos|near|distan|entfernung|cerca/i
const nearby =
  /(?:^|[^\p{L}])(?:near|close|nearby|walk\p{L}*|minutes?|mins?|minutos?|minuti|minuten|metros|steps?|cerca|proche|vicino|perto|nahe|dichtbij|blisko|allows?|possible|potential|posibilidad|possibilit\p{L}+|opcional|optional|m[oö]glich\p{L}*)(?![\p{L}])/iu

const noneWords =
  /^\s*(?:0|-+|—|✗|✘|❌|none|n\/a|not included|ninguno|ninguna|no incluid[oa]|nessun[oa]?|aucun[e]?|keine?[rs]?|nicht vorhanden|geen|nenhum|cap|brak|nie)\s*$/iu
/** `Sin ascensor`, `Affitto non arredato`, `Ascensore no` */
const deniedLabel =
  /(?:^|[^\p{L}])(?:no|not|non|without|sin|sense|sem|senza|sans|pas de|ohne|kein\p{L}{0,2}|nicht|geen|niet|zonder|bez|nie|brak)\s+\p{L}|\s(?:no|nee|nein|non|n[aã]o|nie|false)$/iu
/** As headings they name a part of the page or of the property. */
const sides = new Set<Feature>(['exterior', 'interior'])
const sideWords = /^[EIei](?:xterior|nterior|stern[oa]|ntern[oa])$/
/** How often the page was viewed. */
const counter = /^\s*views?\s*$/i
/** `Planta 3ª exterior` */
const floorSide =
  /(?:planta|piso|floor|andar|piano|\d\s?[ªº°]).*[\s,](exterior|interior|estern[oa]|intern[oa])(?![\p{L}])/iu

/** True for an answer such as "No". */
export function isDeniedAnswer(text: string): boolean {
  return text.length < answerMax && (parseAnswer(text) === false || noneWords.test(text))
}

/** True for a label whose value names other things than the home has. */
export function isAboutOthers(label: string): boolean {
  return label.length <= 40 && aboutOthers.test(label)
}

export class FeatureSet {
  readonly #labels = new Set<string>()
  readonly #features = new Set<Feature>()

  /** A label, or a line such as `Lift: yes`. */
  add(text: string): void {
    const label = text.trim()
    if (label.length < 3 || label.length > labelMax || this.#labels.size >= labelsMax) return
    if (parseHeading(label) !== null) return
    const colon = label.indexOf(':')
    if (colon > 0) {
      this.addPair(label.slice(0, colon), label.slice(colon + 1))
      return
    }
    if (!/\p{L}{3}/u.test(label) || /\d\s?[€$£]|[€$£]\s?\d/.test(label)) return
    this.#labels.add(label)
    const bare = omitDetails(label)
    this.#addFeature(bare, parseFeatureName(bare) ?? (isSentence(bare) ? null : parseFeature(bare)))
    const side = floorSide.exec(bare)?.[1]
    if (side !== undefined) this.#features.add(/^e/i.test(side) ? 'exterior' : 'interior')
    // `Terrace and balcony`
    if (!nearby.test(bare)) this.#addParts(bare)
  }

  #addParts(text: string): void {
    for (const part of text.split(/\s*[,;/+&]\s*|\s(?:and|y|e|i|und|et|en|oraz)\s/u))
      if (part !== text)
        this.#addFeature(part, parseFeatureName(part) ?? (isShort(part) ? parseFeature(part) : null))
  }

  #addFeature(text: string, feature: Feature | null): void {
    if (deniedLabel.test(text)) return
    const isHeading = feature !== null && sides.has(feature) && !/\s/.test(text) && !sideWords.test(text)
    if (feature !== null && !isHeading && !counter.test(text)) this.#features.add(feature)
  }

  /** `Lift` `Yes`, `Heating` `Gas`, `Extras` `Pool, garden`. */
  addPair(label: string, value: string): void {
    const [name, answer] = [label.replace(/:\s*$/, '').trim(), value.trim()]
    if (name.length < 2 || answer === '' || this.#labels.size >= labelsMax) return
    if (isDeniedAnswer(answer) || `${name}: ${answer}`.length > labelMax * 2) return
    this.#labels.add(`${name}: ${answer}`)
    const own = parseFeatureName(name) ?? (isSentence(name) ? null : parseFeature(name))
    if (own !== null && !sides.has(own) && !nearby.test(answer)) this.#addFeature(name, own)
    if (own !== null || aboutOthers.test(name) || nearby.test(answer)) return
    this.#addFeature(answer, parseFeatureName(answer))
    this.#addParts(answer)
  }

  /** The labels and the features as candidates. */
  toCandidates(source: ReaderSource, where: string, weight: number): Candidate[] {
    if (this.#labels.size === 0) return []
    const found: Candidate[] = [{ field: 'featureLabels', value: [...this.#labels], source, where, weight }]
    if (this.#features.size > 0)
      found.push({ field: 'features', value: [...this.#features], source, where, weight })
    return found
  }
}

/** Without a count before and a remark after: `2 garages`, `Heating (gas)`. */
export function omitDetails(label: string): string {
  return label.replace(/^\d{1,2}\s+(?=\p{L})/u, '').replace(/\s*\([^()]{1,40}\)$/, '')
}

function isShort(text: string): boolean {
  return text.split(' ').length <= partWordsMax
}

function isSentence(label: string): boolean {
  return label.split(/\s+/).length > wordsMax || nearby.test(label)
}
