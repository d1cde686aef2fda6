/** Reads the cells about a property into a lead. */
import { parseFloor } from '../listing/floor.ts'
import { listingOperations, type Operation } from '../listing/listing.ts'
import { parseSharedSign, resolveSharedSign, type SharedSign } from '../listing/money.ts'
import { parseCoordinates, parseCurrency } from '../listing/values.ts'
import { splitList } from './cell-text.ts'
import { toUnknownValue } from './contact-cells.ts'
import { setCustom } from './exported-cells.ts'
import type { ColumnPrice, RowBuilder } from './row-builder.ts'
import { truncateText } from './text-lengths.ts'
import { UnreadableValue } from './unreadable-value.ts'
import { parsePrice } from './value-numbers.ts'
import {
  findFeatureByHeading,
  parseCondition,
  parseFeatureWords,
  parseOperation,
  parsePropertyType,
  parseYesNo,
} from './value-words.ts'

export function setOperation(builder: RowBuilder, text: string): void {
  const unknown = toUnknownValue('OPERATION_UNKNOWN', 'whether it is for sale or for rent', 'sale or rent')
  builder.setProperty('operation', text, parseOperation(text) ?? unknown)
}

export function setPropertyType(builder: RowBuilder, text: string): void {
  const allowedValues = 'homes, offices, premises or garages, or a word that means one of them'
  const unknown = toUnknownValue('PROPERTY_TYPE_UNKNOWN', 'a supported type of property', allowedValues)
  builder.setProperty('propertyType', text, parsePropertyType(text) ?? unknown)
}

export function setCondition(builder: RowBuilder, text: string): void {
  const unknown = toUnknownValue('CONDITION_UNKNOWN', 'the state of the property', 'new, good or to_renovate')
  builder.setProperty('condition', text, parseCondition(text) ?? unknown)
}

/** Accepts numbers and texts: the text is kept as it is, and the number if one can be parsed. */
export function setFloor(builder: RowBuilder, text: string): void {
  builder.setProperty('floor', text, parseFloor(text))
  builder.lead.property.floorText ??= text
}

export function setFloorText(builder: RowBuilder, text: string): void {
  builder.lead.property.floorText = text
  const floor = parseFloor(text)
  if (floor !== null) builder.lead.property.floor ??= floor
}

/** The maximum of the API. */
const priceMax = 999_999_999_999

export function setPrice(builder: RowBuilder, text: string): void {
  const price = parsePriceCell(builder, text)
  if (price !== null) addPrice(builder, price)
}

/** For a table with a price column for each operation. */
export function createPriceSetter(operation: Operation): (builder: RowBuilder, text: string) => void {
  return (builder, text) => {
    const price = parsePriceCell(builder, text)
    if (price !== null) builder.prices[operation] ??= price
  }
}

/** A currency in the cell has priority over that of the heading (`Precio (€)`). */
function parsePriceCell(builder: RowBuilder, text: string): ColumnPrice | null {
  const price = parsePrice(text)
  if (price === null) return null
  if (price instanceof UnreadableValue) builder.report(text, price)
  else if (price.amount > priceMax)
    builder.report(
      text,
      new UnreadableValue('PRICE_INVALID', 'This price is too high, so it was not imported.'),
    )
  else {
    const { amount, sharedSign = null } = price
    const currency = price.currency ?? (sharedSign ? null : parseHeadingCurrency(builder.column))
    return {
      column: builder.column,
      text,
      amount,
      currency,
      sign: sharedSign ?? parseHeadingSign(builder.column),
    }
  }
  return null
}

function addPrice(builder: RowBuilder, { text, amount, currency, sign }: ColumnPrice): void {
  builder.setProperty('price', text, amount)
  if (currency !== null) builder.setProperty('currency', text, currency)
  else if (sign !== null) builder.stateCurrency(text, sign)
}

/**
 * Chooses between a sale price and a rent. The row's operation decides; without one, a single price implies the
 * operation. The other price becomes a custom field.
 */
export function resolvePrices(builder: RowBuilder): void {
  const { lead, prices } = builder
  const priced = listingOperations.filter(operation => prices[operation] !== undefined)
  if (priced.length === 1 && lead.property.price === undefined) lead.property.operation ??= priced[0]!
  const { operation } = lead.property
  for (const one of priced) {
    const price = prices[one]!
    builder.column = price.column
    if (one === operation) addPrice(builder, price)
    else setCustom(lead, price.column, price.text)
  }
  if (operation !== undefined || priced.length < 2) return
  const message =
    'The row has a sale price and a rent, but no operation, so both were imported as custom fields.'
  builder.problems.push({ column: null, value: '', code: 'PRICE_UNDECIDED', message })
}

/** Joins a street and a house number from two columns. */
export function resolveAddress({ lead: { property }, streetNumber }: RowBuilder): void {
  const { address } = property
  if (address === undefined || streetNumber === '') return
  const words = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const whole = `${address}, ${streetNumber}`
  const isIncluded = words(address).includes(words(streetNumber))
  if (!isIncluded && truncateText('property.address', whole).problem === null) property.address = whole
}

function parseHeadingCurrency(heading: string): string | null {
  const [statedCurrency = ''] = /€|£|us\$|\b(?:euros?|eur|gbp|usd|aud|chf|pln)\b/i.exec(heading) ?? []
  return /^euro/i.test(statedCurrency)
    ? 'EUR'
    : statedCurrency.endsWith('$')
      ? 'USD'
      : parseCurrency(statedCurrency)
}

function parseHeadingSign(heading: string): SharedSign | null {
  return heading.includes('$') ? '$' : null
}

export function setCurrency(builder: RowBuilder, text: string): void {
  const sign = parseSharedSign(text)
  const currency = /^euros?$/i.test(text) ? 'EUR' : parseCurrency(text)
  if (currency !== null) builder.setProperty('currency', text, currency)
  else builder.stateCurrency(text, sign)
  if (currency === null && sign === null)
    builder.report(
      text,
      new UnreadableValue('CURRENCY_INVALID', 'This is not a currency. Write its code, such as EUR.'),
    )
}

/**
 * A price is in the currency that the row states, otherwise in `defaultCurrency`. A sign that several currencies share
 * means `defaultCurrency` if that is one of them. Otherwise the currency is unknown, as with an invalid one.
 */
export function resolveCurrency(builder: RowBuilder, defaultCurrency: string | null): void {
  const { property } = builder.lead
  if (property.price === undefined || property.currency !== undefined) return
  const { statedCurrency } = builder
  property.currency =
    statedCurrency === null
      ? defaultCurrency
      : statedCurrency.sign && resolveSharedSign(statedCurrency.sign, defaultCurrency ?? '')
  if (property.currency !== null || !statedCurrency?.sign) return
  const message = `Several currencies use ${statedCurrency.sign}, so the price has no currency. Write its code, such as 250000 USD.`
  builder.problems.push({
    column: statedCurrency.column,
    value: statedCurrency.text,
    code: 'CURRENCY_UNKNOWN',
    message,
  })
}

const featureLengthMax = 200

/** Parses a list of features, or yes and no in a column named after one. */
export function addFeatures(builder: RowBuilder, text: string): void {
  const { features } = builder.lead.property
  const isPresent = parseYesNo(text) ?? (/^\d{1,2}$/.test(text) ? Number(text) > 0 : null)
  const named = findFeatureByHeading(builder.column)
  if (isPresent !== null && named !== null) {
    if (isPresent && !features.includes(named)) features.push(named)
    return
  }
  const unknown: string[] = []
  for (const part of text.split(/[,;|/\n]/)) {
    const entry = part.trim()
    const found = entry === '' ? [] : entry.length > featureLengthMax ? null : parseFeatureWords(entry)
    if (found === null) unknown.push(entry)
    else for (const feature of found) if (!features.includes(feature)) features.push(feature)
  }
  if (unknown.length === 0) return
  const message = 'These features are not supported; map the column to a custom field to keep the words.'
  builder.report(unknown.join(', '), new UnreadableValue('FEATURES_UNKNOWN', message))
}

/** The maximum of the API. */
const imagesMax = 200
const urlLengthMax = 2000

export function addImages(builder: RowBuilder, text: string): void {
  const images = new Set(builder.lead.property.images)
  for (const part of splitList(text, /[\s|;]+|,(?=\s*(?:https?:|www\.))/)) {
    const image = part.replace(/,$/, '')
    const url = parseUrl(image)
    if (url instanceof UnreadableValue) builder.report(image, url)
    else if (images.size < imagesMax) images.add(url)
    else {
      builder.report(image, new UnreadableValue('TOO_MANY', `A lead has at most ${imagesMax} photos.`))
      break
    }
  }
  builder.lead.property.images = [...images]
}

/** An absolute http or https URL; the scheme may be missing before `www.`. */
export function parseUrl(text: string): string | UnreadableValue {
  const url = /\s/.test(text) ? null : URL.parse(/^www\./i.test(text) ? `https://${text}` : text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.href.length <= urlLengthMax) return url.href
  return new UnreadableValue('URL_INVALID', 'This is not a web address. It must begin with https://.')
}

/** Keeps both coordinates or none; 0/0 means that there are none. */
export function resolveCoordinates(builder: RowBuilder): void {
  const { property } = builder.lead
  const { latitude, longitude } = property
  if (latitude === undefined && longitude === undefined) return
  if (latitude !== undefined && longitude !== undefined && parseCoordinates(latitude, longitude) !== null)
    return
  delete property.latitude
  delete property.longitude
  if (latitude !== undefined && longitude !== undefined) return
  const message = 'Coordinates need a latitude and a longitude, and one of them is missing.'
  builder.problems.push({
    column: null,
    value: String(latitude ?? longitude),
    code: 'COORDINATE_ALONE',
    message,
  })
}
