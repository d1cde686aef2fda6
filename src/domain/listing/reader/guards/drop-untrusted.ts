/**
 * Drops candidates that have the form of a value but are none: texts of the interface, slugs and codes of scripts,
 * figures that the page does not print. A missing value is better than a wrong one.
 */
import { toPlainWords } from '../../../plain-words.ts'
import type { Candidate, ListingField } from '../page-listing.ts'
import { allLanguages, findWords } from '../words/words.ts'
import { isFormText, isInterfaceText, isListingWord, omitMapLink } from './interface-words.ts'
import type { OrganizationFacts } from './organizations.ts'
import type { PageTexts } from './page-texts.ts'

const nameFields = new Set<ListingField>([
  'address',
  'neighbourhood',
  'municipality',
  'province',
  'advertiserName',
])
/** Their values begin with a capital letter, so that others are codes. */
const capitalizedFields = new Set<ListingField>(['neighbourhood', 'municipality'])
/** Candidates of the listing's own data weigh at least this. */
const ownWeight = 0.7
const printedFields = new Set<ListingField>([
  'price',
  'yearBuilt',
  'rooms',
  'bedrooms',
  'bathrooms',
  'energyConsumptionKwhM2',
  'emissionsKgM2',
])
const namedPattern = /(?:^|[\s_-])(?:name|nombre|nome|nom)(?:$|[\s_-])/i
/** The pattern takes quadratic time for a text without spaces. */
const proseLengthMax = 2000
const prosePattern = /\p{L}+\s+\p{L}+\s+\p{L}+/u
const squareMetersPerSquareFoot = 0.09290304

/** The candidates that the page supports. */
export function dropUntrusted(
  candidates: readonly Candidate[],
  texts: PageTexts,
  organizations: OrganizationFacts,
): Candidate[] {
  const operation = findHeadingOperation(candidates)
  return candidates
    .filter(candidate => !isOfOrganization(candidate, organizations))
    .filter(candidate => operation === null || !isWeakOperation(candidate, operation))
    .flatMap(candidate => checkCandidate(candidate, texts) ?? [])
}

/** The operation that the main heading or the title states; null if they state none, or both. */
function findHeadingOperation(candidates: readonly Candidate[]): unknown {
  const stated = new Set<unknown>()
  for (const { field, value, source, where } of candidates)
    if (field === 'operation' && source === 'text' && (where === 'h1' || where === 'title')) stated.add(value)
  return stated.size === 1 ? [...stated][0] : null
}

/** A code of a script or a mark of the page stands against the words of the heading. */
function isWeakOperation({ field, value, source, weight }: Candidate, operation: unknown): boolean {
  return field === 'operation' && value !== operation && source !== 'pairs' && weight < ownWeight
}

function isOfOrganization({ field, value, source }: Candidate, facts: OrganizationFacts): boolean {
  if (field === 'postcode') return source !== 'pairs' && facts.postcodes.has(value)
  return (field === 'latitude' || field === 'longitude') && facts.degrees.has(value)
}

function checkCandidate(candidate: Candidate, texts: PageTexts): Candidate | null {
  const { field, value, source } = candidate
  if (nameFields.has(field)) return checkName(candidate, String(value), texts)
  // A title that the page does not print is one for advertising.
  if (field === 'title' && source === 'state' && !texts.isShort && !texts.hasWords(String(value)))
    return { ...candidate, weight: candidate.weight * 0.4 } as Candidate
  if (field === 'description') return isStatedProse(candidate, String(value), texts) ? candidate : null
  if (field === 'reference') return checkReference(candidate, String(value), texts)
  if (field === 'currency') return texts.canPrintCurrency(String(value)) ? candidate : null
  if (field === 'latitude' || field === 'longitude') return isExactDegree(value as number) ? candidate : null
  if (source === 'text' || source === 'pairs' || texts.isShort) return candidate
  if (field === 'postcode') return checkPostcode(candidate, String(value), texts)
  return typeof value !== 'number' || isPrintedNumber(field, value, texts) ? candidate : null
}

/** With two decimals a point is that of a town or a map. */
function isExactDegree(degrees: number): boolean {
  return degrees * 100 !== Math.round(degrees * 100)
}

/** A figure that the page prints nowhere may be that of a filter, a calculator or another listing. */
function isPrintedNumber(field: ListingField, value: number, texts: PageTexts): boolean {
  if (printedFields.has(field)) return texts.hasNumber(value)
  if (field !== 'squareMeters' && field !== 'usableSquareMeters') return true
  return [value, Math.round(value), Math.round(value / squareMetersPerSquareFoot)].some(texts.hasNumber)
}

/** A page that prints the first part of a postcode (`OX3`) does not state the rest. */
function checkPostcode(candidate: Candidate, value: string, texts: PageTexts): Candidate | null {
  if (texts.hasWords(value)) return candidate
  const outward = /^([A-Z]{1,2}\d[A-Z\d]?) ?\d[A-Z]{2}$/i.exec(value)?.[1]
  if (outward === undefined || !texts.hasToken(outward)) return null
  return { ...candidate, value: outward } as Candidate
}

function checkName(candidate: Candidate, value: string, texts: PageTexts): Candidate | null {
  const { field, source } = candidate
  const name = field === 'address' ? omitMapLink(value) : value
  if (isEncoded(name) || isInterfaceText(name) || isListingWord(name)) return null
  if (field === 'advertiserName' && isFormText(name)) return null
  if (source === 'text' && texts.isControl(name)) return null
  const isVisible = source === 'text' || source === 'pairs'
  if (!isVisible && !texts.isShort && !isPrintedName(field, name, texts)) return null
  if (field === 'address' && isListingTitle(name)) return null
  if (!isVisible && capitalizedFields.has(field) && /^[\p{Ll}\d\s-]+$/u.test(name)) return null
  // A text in the part of the advertiser may be a heading of it.
  const isNamed = field !== 'advertiserName' || source !== 'text' || namedPattern.test(candidate.where)
  if (!isNamed && !(/\s/.test(name) && texts.hasWordsTwice(name))) return null
  return name === value ? candidate : ({ ...candidate, value: name } as Candidate)
}

/** Streets may be abbreviated, so that only their longer words count. */
function isPrintedName(field: ListingField, name: string, texts: PageTexts): boolean {
  if (texts.hasWords(name)) return true
  if (field !== 'address') return false
  const words =
    name
      .split(',')[0]!
      .match(/\p{L}{4,}/gu)
      ?.slice(0, 10) ?? []
  return words.length > 0 && words.filter(word => texts.hasWords(word)).length * 2 > words.length
}

/** `3-Zimmer-Wohnung mieten in Berlin`. */
function isListingTitle(text: string): boolean {
  return (
    findWords('operation', text, allLanguages).length > 0 &&
    findWords('subtype', text, allLanguages).length > 0
  )
}

function isEncoded(value: string): boolean {
  return /%[\dA-F]{2}/i.test(value) || /&[a-z]+;|^https?:|[{}<>]/i.test(value)
}

/** The description of a script is that of the listing if the page prints its beginning. */
function isStatedProse({ source }: Candidate, text: string, texts: PageTexts): boolean {
  if (!isProse(text)) return false
  return (
    source !== 'state' ||
    texts.isShort ||
    texts.hasWords(
      text
        .replace(/<[^<>]{0,200}>/g, ' ')
        .trim()
        .slice(0, 40),
    )
  )
}

/** Not a text for sharing, a list of codes or a message of the program. */
function isProse(text: string): boolean {
  const beginning = text.slice(0, proseLengthMax)
  return prosePattern.test(beginning) && (beginning.match(/%[\dA-F]{2}/g)?.length ?? 0) < 3
}

const labelPattern =
  /^(?:ref(?:erence|erencia|er[eê]ncia|erentie|erenz)?|rif(?:erimento)?|id|code|codigo|código|codice|objekt-?(?:nr|nummer|id)|obj|immo-?nr|anzeigen-?(?:nr|id)|numero|número|nr|no|property id|mls)\s*(?:[.:#°º]\s*)+/iu

/** Without the label that its text begins with. A number of a script that the page shows nowhere is internal. */
function checkReference(candidate: Candidate, value: string, texts: PageTexts): Candidate | null {
  const bare = value.replace(labelPattern, '').trim()
  const reference = candidate.source === 'url' ? bare : texts.findPrefixed(bare)
  if (reference === '' || !/\d/.test(reference) || isEncoded(reference)) return null
  if (
    /\s/.test(reference) &&
    toPlainWords(reference)
      .split(/\s+/)
      .some(word => /^\p{L}{5,}$/u.test(word))
  )
    return null
  if (candidate.source !== 'url' && !texts.isShort && !texts.hasWords(reference)) return null
  return reference === value ? candidate : ({ ...candidate, value: reference } as Candidate)
}
