/** Addresses without a label: elements that are named so, sections about the location, streets in the heading. */
import { parseAddressLine } from '../address-line.ts'
import { omitMapLink } from '../guards/interface-words.ts'
import { isInAdvertiserPart, toElementNames } from '../node-names.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns, TextRun } from '../page-runs.ts'
import { extractNodeText, findFirst, type PageNode, type PageTree } from '../page-tree.ts'
import { isPlace, parsePlaceLine, splitLine } from '../places/place-line.ts'
import { findRegionKind } from '../places/regions.ts'
import { isStreet, streetWords } from '../places/streets.ts'
import type { TextContext } from '../text-values.ts'
import { parseHeading, parseLabel, toPhrase } from '../words/words.ts'
import { isUnderAdvertiser } from './foreign-places.ts'

const addressNames =
  /(?:^|[\s_-])(?:address|adresse?|direccion|morada|endereco|indirizzo|adres|adresa|ubicacion|location|localisation|localizacion|localizacao|standort)/i
const candidatesMax = 12
/** Elements that are named after addresses. */
const namedMax = 1000
const lineMax = 160
const itemsMax = 6
const itemMax = 60

/** The street of a heading: `Dúplex en venta en calle Mayor, 2, El Molar`. */
const headingStreetPattern = new RegExp(`(?:^|\\s)(${streetWords}\\s+[^|–]{3,80})$`, 'iu')

/** The candidates of places. */
export function readPlaces(tree: PageTree, page: PageRuns, context: TextContext): Candidate[] {
  return [
    ...readNamedElements(tree, page, context),
    ...readSections(page, context),
    ...readTowns(tree, page, context),
    ...readHeadingStreet(page),
  ]
}

function toCandidates(found: object, where: string, weight: number): Candidate[] {
  return Object.entries(found).map(
    ([field, value]) => ({ field, value, source: 'text', where: where.slice(0, 60), weight }) as Candidate,
  )
}

/** Elements that are named after addresses, outside the parts of the advertiser. */
function readNamedElements(tree: PageTree, page: PageRuns, { country }: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  let left = namedMax
  for (const node of tree.nodes) {
    if (candidates.length > candidatesMax || left < 0) break
    const names = toElementNames(node)
    if (node.name !== 'address' && !addressNames.test(names)) continue
    if (page.isExcluded(node) || isInAdvertiserPart(node) || isInCard(node)) continue
    left -= 1
    const text = omitMapLink(extractNodeText(node, lineMax + 1))
    const found = text.length > lineMax ? null : (parseAddressLine(text, country) ?? parseStreet(text))
    const places = country === null ? {} : parsePlaceLine(text, country)
    candidates.push(...toCandidates({ ...places, ...found }, names, 0.5))
    if (found === null && country !== null && isWholeAddress(text, names, country))
      candidates.push(...toCandidates({ address: text }, names, 0.4))
  }
  return candidates
}

/** The text of an element for an address that ends with a province: `Blue Bridge, Ajah, Lagos`. */
function isWholeAddress(text: string, names: string, country: string): boolean {
  if (text.length > lineMax || !/addr|adress|direcc|morada|enderec|indirizzo|^$/i.test(names)) return false
  const parts = splitLine(text, country)
  return parts.length >= 3 && /^\p{Lu}|^\d/u.test(text) && findRegionKind(parts.at(-1)!, country) !== null
}

const cardNames = /(?:^|[\s_-])(?:fn|tel|job-?title|contact-?name|org|vcard|h-?card)(?:$|[\s_-])/i
const cardClimbs = 3

/** True beside the name, the profession or the phone of a person or company. */
function isInCard(node: PageNode): boolean {
  let current: PageNode | null = node
  for (let climbs = 0; current !== null && climbs < cardClimbs; climbs += 1) {
    const siblings: (PageNode | string)[] = current.parent?.children ?? []
    const [start, end] = [Math.max(0, current.place - 8), current.place + 8]
    for (const sibling of siblings.slice(start, end))
      if (typeof sibling !== 'string' && cardNames.test(toElementNames(sibling))) return true
    current = current.parent
  }
  return false
}

const townRunsMax = 20
const yearPattern = /^(?:18|19|20)\d\d\s/

/** `35390 Gießen, Etagenwohnung zum Kauf` beside the heading. */
function readTowns(tree: PageTree, page: PageRuns, { country }: TextContext): Candidate[] {
  if (page.heading === null) return []
  const title = findFirst(tree, 'title')
  const texts = [page.heading, ...(title === null ? [] : [title])].map(node => extractNodeText(node, lineMax))
  const headings = ` ${toPhrase(texts.join(' | '))} `
  const [start, end] = page.rangeOf(page.heading)
  for (const run of page.runs.slice(Math.max(0, start - townRunsMax), end + townRunsMax)) {
    if (run.isAttribute || run.text.length > itemMax || !/^\d{4,5}\s\p{Lu}/u.test(run.text)) continue
    if (isInAdvertiserPart(run.node)) continue
    const found = parseAddressLine(run.text, country)
    const town = found?.municipality
    if (town === undefined || !isPlace(town) || parseLabel(town) !== null) continue
    // `2012 Umbau`: what looks like a year is a postcode only before a town that the heading names.
    if (yearPattern.test(run.text) && !headings.includes(` ${toPhrase(town)} `)) continue
    return toCandidates(found!, run.text, 0.45)
  }
  return []
}

/** A street, with or without the municipality; null for anything else. */
function parseStreet(text: string): { address: string } | null {
  const line = text.trim()
  return isStreet(line) ? { address: line } : null
}

const areaPrefix =
  /^(?:barrio|barri|bairro|distrito|districte|urb\.?|urbanizaci[oó]n|zona|quartiere|quartier|ortsteil|wijk|dzielnica|(?:sub)?district|neighbou?rhood|area)\s+/i

/** The lines after a heading such as "Location", if the first is a street: they go from the smallest place to the largest. */
function readSections(page: PageRuns, { country }: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  for (const run of page.runs) {
    if (run.isAttribute || parseHeading(run.text) !== 'location' || candidates.length > candidatesMax)
      continue
    if (isInAdvertiserPart(run.node) || isUnderAdvertiser(run, page)) continue
    const items = listItems(page, run)
    const [first = '', ...others] = items
    const line = parseAddressLine(items.slice(0, 2).join(', '), country)
    if (line !== null) candidates.push(...toCandidates(line, run.text, 0.5))
    const street = parseStreet(first)
    if (street === null) continue
    candidates.push(...toCandidates(street, run.text, 0.5))
    const area = others.find(item => areaPrefix.test(item))
    if (area !== undefined)
      candidates.push(...toCandidates({ neighbourhood: area.replace(areaPrefix, '') }, run.text, 0.45))
    const places = others.filter(item => !areaPrefix.test(item) && !/\d/.test(item))
    if (places.length >= 2) {
      const province = places.at(-1)!.split(',').at(-1)!.trim()
      candidates.push(...toCandidates({ municipality: places[0]!, province }, run.text, 0.45))
    }
  }
  return candidates
}

function listItems(page: PageRuns, heading: TextRun): string[] {
  const items: string[] = []
  for (const run of page.runs.slice(heading.index + 1, heading.index + 1 + itemsMax)) {
    if (run.isAttribute) continue
    if (/^h[1-6]$/.test(run.node.name) || run.text.length > itemMax || !/^[\p{Lu}\d]/u.test(run.text)) break
    items.push(run.text)
  }
  return items
}

function readHeadingStreet(page: PageRuns): Candidate[] {
  const text = page.heading === null ? '' : extractNodeText(page.heading, lineMax)
  const street = headingStreetPattern.exec(text)?.[1]
  if (street === undefined) return []
  const last = street.split(',').at(-1)!.trim()
  const hasMunicipality = street.includes(',') && /^\p{Lu}[\p{L} .'’-]{2,40}$/u.test(last)
  return toCandidates(
    hasMunicipality ? { address: street, municipality: last } : { address: street },
    'h1',
    0.42,
  )
}
