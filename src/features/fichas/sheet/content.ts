/** The content of a sheet as text in its language, from which both the HTML page and the PDF are rendered. */
import type { Fact } from '../../../documents/blocks.ts'
import { createFormats, type Formats } from '../../../documents/formats.ts'
import { type Letterhead, toLetterhead } from '../../../documents/letterhead.ts'
import { type EnergyContent, toEnergy } from './energy.ts'
import { getSheetWords } from './languages.ts'
import { capitalize, toDetails, toHighlights, toPlace } from './property-facts.ts'
import type { Sheet, SheetProperty } from './sheet.ts'
import { toStatements } from './statements.ts'
import type { AllSheetWords } from './words.ts'

export interface SheetContent {
  locale: string
  words: AllSheetWords
  formats: Formats
  /** "For sale · Apartment". */
  kicker: string
  title: string
  /** The parts of the address. They may be in scripts of different directions. */
  place: string[]
  price: string
  /** The price per m²; null: unknown. */
  perSquareMeter: string | null
  /** The facts in large type. */
  highlights: Fact[]
  details: Fact[]
  features: string[]
  paragraphs: string[]
  energy: EnergyContent | null
  contact: ContactContent
  letterhead: Letterhead
  legalText: string | null
  issued: string
}

/** The agent; the agency without an agent. */
export interface ContactContent {
  name: string | null
  /** The agency, if it is not the name. */
  agency: string | null
  licence: string | null
  phone: string | null
  email: string | null
}

/** `toVisible` removes the characters that the output cannot show, and returns '' if nothing is left. */
export function toContent(sheet: Sheet, toVisible: (text: string) => string): SheetContent {
  const { property, branding } = sheet
  const words = getSheetWords(sheet.language)
  const visible = (text: string | null) => (text === null ? null : keepUnits(toVisible(text)) || null)
  const formats = createFormats(words, toCurrency(property), sheet.timezone)
  const input = { property, words, formats, visible }
  const kind = property.subtype
    ? words.kind[property.subtype]
    : property.propertyType && words.propertyType[property.propertyType]
  const title =
    visible(property.title) ?? (join([kind, visible(property.municipality)]) || words.facts.heading)
  return {
    locale: words.locale,
    words,
    formats,
    kicker: join([property.operation && words.offered[property.operation], kind]),
    title,
    place: toPlace(input).filter(part => part !== title),
    price: toPrice(property, words, formats),
    perSquareMeter: toPerSquareMeter(property, words, formats),
    highlights: toHighlights(input),
    details: [...toDetails(input), ...toStatements(sheet.statements, input)],
    features: [...new Set(property.features)].map(name => capitalize(words.amenity[name], words.locale)),
    paragraphs: toParagraphs(property.description ?? '', toVisible),
    energy: toEnergy(sheet.energy, words, formats),
    contact: toContact(sheet, visible),
    letterhead: toLetterhead(branding, toVisible),
    legalText: visible(branding.legalText),
    issued: words.issuedOn(formats.date(sheet.issuedAt)),
  }
}

/** Keeps a number and its unit on one line. */
function keepUnits(text: string): string {
  return text.replace(/(\d) (m²|m2|€)/g, '$1\u00a0$2')
}

function join(parts: (string | null)[]): string {
  return parts.filter(part => part).join(' · ')
}

/** `Intl` throws for anything else. */
function toCurrency({ currency }: SheetProperty): string {
  return currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : 'EUR'
}

function isPriced({ price, currency }: SheetProperty): boolean {
  return price !== null && price > 0 && Number.isFinite(price) && currency !== null
}

function toPrice(property: SheetProperty, words: AllSheetWords, formats: Formats): string {
  if (!isPriced(property)) return words.priceOnRequest
  const money = formats.money(property.price!)
  return property.pricePeriod ? words.perPeriod[property.pricePeriod](money) : money
}

/** Per m² of the plot for land. */
function toPerSquareMeter(property: SheetProperty, words: AllSheetWords, formats: Formats): string | null {
  const { price, pricePeriod } = property
  const area =
    property.subtype === 'land'
      ? (property.plotSquareMeters ?? property.squareMeters)
      : (property.squareMeters ?? property.usableSquareMeters)
  if (!isPriced(property) || area === null || !(area > 0)) return null
  const perArea = formats.perSquareMeter(price! / area)
  return pricePeriod ? words.perPeriod[pricePeriod](perArea) : perArea
}

function toParagraphs(description: string, toVisible: (text: string) => string): string[] {
  return description
    .split(/[\r\n\u2028\u2029]+/)
    .map(text => keepUnits(toVisible(text)))
    .filter(text => text !== '')
}

function toContact(
  { agent, branding }: Sheet,
  visible: (text: string | null) => string | null,
): ContactContent {
  const name = agent && visible(agent.name)
  const agency = visible(branding.name)
  const { phone, email } = agent ?? branding
  return {
    name: name || agency,
    agency: name ? agency : null,
    licence: agent && visible(agent.licence),
    phone: visible(phone),
    email: visible(email),
  }
}
