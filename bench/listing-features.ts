/** Judges the features that a reader names: a list of labels is rarely complete, so that the page itself is asked, too. */
import { type Feature, featurePatterns, parseFeatureName } from '../src/domain/listing/features.ts'
import { parseFeature } from '../src/domain/listing/vocabulary.ts'
import { toPlainWords } from '../src/domain/plain-words.ts'

const wordsMax = 4
const denial =
  /^(?:no|not|non|without|sin|sense|sem|senza|sans|pas de|ohne|keine?n?|geen|zonder|bez|brak)\s+|\s*:?\s+(?:no|nein|non|nee|nie|n[aã]o)$/iu

/**
 * The features that a label of the expected ones denies, and those that neither a label nor any text of the page names.
 */
export function findInventedFeatures(
  features: readonly Feature[],
  labels: { expected: readonly string[]; printed: readonly string[] },
  html: string,
): Feature[] {
  const denied = new Set(
    labels.expected
      .filter(label => denial.test(label))
      .map(label => parseFeature(label.replace(denial, '').trim())),
  )
  const stated = listNamed(labels.expected.filter(label => !denial.test(label)))
  const open = features.filter(feature => !stated.has(feature))
  const isInvented = (feature: Feature, named: ReadonlySet<Feature>) =>
    denied.has(feature) || !named.has(feature)
  const unlabelled = open.filter(feature => isInvented(feature, listNamed(labels.printed)))
  if (unlabelled.length === 0) return []
  const named = listNamed(toTexts(html))
  return unlabelled.filter(feature => isInvented(feature, named))
}

/** The features that words in the texts name. */
function listNamed(texts: readonly string[]): Set<Feature> {
  const named = new Set<Feature>()
  const known = new Set<string>()
  for (const text of texts) {
    for (const [pattern, feature] of featurePatterns) if (pattern.test(toPlainWords(text))) named.add(feature)
    const words = text.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
    for (let start = 0; start < words.length; start += 1)
      for (let count = 1; count <= wordsMax && start + count <= words.length; count += 1) {
        const part = words.slice(start, start + count).join(' ')
        if (known.has(part)) continue
        known.add(part)
        const feature = parseFeatureName(part) ?? parseFeature(part)
        if (feature !== null) named.add(feature)
      }
  }
  return named
}

/** The texts between the tags. */
function toTexts(html: string): string[] {
  return html
    .replace(/<(script|style|noscript)\b[^>]*>.*?<\/\1\s*>/gis, ' ')
    .split(/<[^>]*>/)
    .filter(text => /\p{L}/u.test(text))
}
