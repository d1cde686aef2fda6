// What the cells about a property say.

import { readFloor } from '../listing/floor.ts'
import { OPERATIONS, type Operation } from '../listing/listing.ts'
import { currencyOfSign, readSharedSign, type SharedSign } from '../listing/money.ts'
import { readCoordinates, readCurrency } from '../listing/values.ts'
import { splitList } from './cell-text.ts'
import { oneOf } from './contact-cells.ts'
import { setCustom } from './exported-cells.ts'
import type { ColumnPrice, RowDraft } from './row-draft.ts'
import { fitText } from './text-lengths.ts'
import { Unreadable } from './unreadable.ts'
import { readPrice } from './value-numbers.ts'
import {
  featureOfHeading,
  readCondition,
  readFeatureWords,
  readOperation,
  readPropertyType,
  readYesNo,
} from './value-words.ts'

export function setOperation(draft: RowDraft, text: string): void {
  const unknown = oneOf('OPERATION_UNKNOWN', 'whether it is for sale or for rent', 'sale or rent')
  draft.property('operation', text, readOperation(text) ?? unknown)
}

export function setPropertyType(draft: RowDraft, text: string): void {
  const known = 'homes, offices, premises or garages, or a word that means one of them'
  const unknown = oneOf('PROPERTY_TYPE_UNKNOWN', 'a type of property that can be kept', known)
  draft.property('propertyType', text, readPropertyType(text) ?? unknown)
}

export function setCondition(draft: RowDraft, text: string): void {
  const unknown = oneOf('CONDITION_UNKNOWN', 'the state of the property', 'new, good or to_renovate')
  draft.property('condition', text, readCondition(text) ?? unknown)
}

/** A column of floors, or of the words in which they are stated: the words count as they are, the number where one is read. */
export function setFloor(draft: RowDraft, text: string): void {
  draft.property('floor', text, readFloor(text))
  draft.lead.property.floorText ??= text
}

export function setFloorText(draft: RowDraft, text: string): void {
  draft.lead.property.floorText = text
  const floor = readFloor(text)
  if (floor !== null) draft.lead.property.floor ??= floor
}

/** As the API has it. */
const MAX_PRICE = 999_999_999_999

export function setPrice(draft: RowDraft, text: string): void {
  const price = priceIn(draft, text)
  if (price !== null) givePrice(draft, price)
}

/** Of a table that has a column for each operation. */
export function setPriceOf(operation: Operation): (draft: RowDraft, text: string) => void {
  return (draft, text) => {
    const price = priceIn(draft, text)
    if (price !== null) draft.prices[operation] ??= price
  }
}

/** A currency in the cell counts before that of the heading (`Precio (€)`). */
function priceIn(draft: RowDraft, text: string): ColumnPrice | null {
  const price = readPrice(text)
  if (price === null) return null
  if (price instanceof Unreadable) draft.report(text, price)
  else if (price.amount > MAX_PRICE)
    draft.report(text, new Unreadable('PRICE_INVALID', 'No price is that high: it was not taken.'))
  else {
    const { amount, sharedSign = null } = price
    const currency = price.currency ?? (sharedSign ? null : currencyOfHeading(draft.column))
    return { column: draft.column, text, amount, currency, sign: sharedSign ?? signOfHeading(draft.column) }
  }
  return null
}

function givePrice(draft: RowDraft, { text, amount, currency, sign }: ColumnPrice): void {
  draft.property('price', text, amount)
  if (currency !== null) draft.property('currency', text, currency)
  else if (sign !== null) draft.stateCurrency(text, sign)
}

/**
 * Chooses between a sale price and a rent. The row's operation decides; without one, a single price implies the operation. The
 * other price becomes a custom field.
 */
export function settlePrices(draft: RowDraft): void {
  const { lead, prices } = draft
  const priced = OPERATIONS.filter(operation => prices[operation] !== undefined)
  if (priced.length === 1 && lead.property.price === undefined) lead.property.operation ??= priced[0]!
  const { operation } = lead.property
  for (const one of priced) {
    const price = prices[one]!
    draft.column = price.column
    if (one === operation) givePrice(draft, price)
    else setCustom(lead, price.column, price.text)
  }
  if (operation !== undefined || priced.length < 2) return
  const message =
    'The row has a price to buy and one to rent, and no operation: neither is its price. Both are custom fields.'
  draft.problems.push({ column: null, value: '', code: 'PRICE_UNDECIDED', message })
}

/** A street and its number in two columns are one address. */
export function settleAddress({ lead: { property }, streetNumber }: RowDraft): void {
  const { address } = property
  if (address === undefined || streetNumber === '') return
  const words = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const whole = `${address}, ${streetNumber}`
  const isTold = words(address).includes(words(streetNumber))
  if (!isTold && fitText('property.address', whole).problem === null) property.address = whole
}

function currencyOfHeading(heading: string): string | null {
  const [stated = ''] = /€|£|us\$|\b(?:euros?|eur|gbp|usd|aud|chf|pln)\b/i.exec(heading) ?? []
  return /^euro/i.test(stated) ? 'EUR' : stated.endsWith('$') ? 'USD' : readCurrency(stated)
}

function signOfHeading(heading: string): SharedSign | null {
  return heading.includes('$') ? '$' : null
}

export function setCurrency(draft: RowDraft, text: string): void {
  const sign = readSharedSign(text)
  const currency = /^euros?$/i.test(text) ? 'EUR' : readCurrency(text)
  if (currency !== null) draft.property('currency', text, currency)
  else draft.stateCurrency(text, sign)
  if (currency === null && sign === null)
    draft.report(text, new Unreadable('CURRENCY_INVALID', 'This is no currency. Write its code, as EUR.'))
}

/**
 * A price is in the currency that the row states, else in `usual`. A sign that several currencies share stands for `usual` if it
 * is one of them; otherwise the currency is unknown, as it is where what is stated is no currency.
 */
export function settleCurrency(draft: RowDraft, usual: string | null): void {
  const { property } = draft.lead
  if (property.price === undefined || property.currency !== undefined) return
  const { statedCurrency: stated } = draft
  property.currency = stated === null ? usual : stated.sign && currencyOfSign(stated.sign, usual ?? '')
  if (property.currency !== null || !stated?.sign) return
  const message = `Several currencies are written ${stated.sign}: the price is kept without one. Write its code, as 250000 USD.`
  draft.problems.push({ column: stated.column, value: stated.text, code: 'CURRENCY_UNKNOWN', message })
}

const MAX_FEATURE_LENGTH = 200

/** A list of features, or yes and no under the name of one. */
export function addFeatures(draft: RowDraft, text: string): void {
  const { features } = draft.lead.property
  const isThere = readYesNo(text) ?? (/^\d{1,2}$/.test(text) ? Number(text) > 0 : null)
  const named = featureOfHeading(draft.column)
  if (isThere !== null && named !== null) {
    if (isThere && !features.includes(named)) features.push(named)
    return
  }
  const unknown: string[] = []
  for (const part of text.split(/[,;|/\n]/)) {
    const entry = part.trim()
    const found = entry === '' ? [] : entry.length > MAX_FEATURE_LENGTH ? null : readFeatureWords(entry)
    if (found === null) unknown.push(entry)
    else for (const feature of found) if (!features.includes(feature)) features.push(feature)
  }
  if (unknown.length === 0) return
  const message =
    'These features are not among those that can be kept; map the column to a custom field to keep the words.'
  draft.report(unknown.join(', '), new Unreadable('FEATURES_UNKNOWN', message))
}

/** As the API has it. */
const MAX_IMAGES = 200
const MAX_URL_LENGTH = 2000

export function addImages(draft: RowDraft, text: string): void {
  const images = new Set(draft.lead.property.images)
  for (const part of splitList(text, /[\s|;]+|,(?=\s*(?:https?:|www\.))/)) {
    const image = part.replace(/,$/, '')
    const url = readUrl(image)
    if (url instanceof Unreadable) draft.report(image, url)
    else if (images.size < MAX_IMAGES) images.add(url)
    else {
      draft.report(image, new Unreadable('TOO_MANY', `A lead has at most ${MAX_IMAGES} photos.`))
      break
    }
  }
  draft.lead.property.images = [...images]
}

/** An absolute web address; the scheme may be missing before `www.`. */
export function readUrl(text: string): string | Unreadable {
  const url = /\s/.test(text) ? null : URL.parse(/^www\./i.test(text) ? `https://${text}` : text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL_LENGTH) return url.href
  return new Unreadable('URL_INVALID', 'This is no web address. It begins with https://.')
}

/** Both coordinates or neither: one alone is no place, and 0, 0 stands for none. */
export function settleCoordinates(draft: RowDraft): void {
  const { property } = draft.lead
  const { latitude, longitude } = property
  if (latitude === undefined && longitude === undefined) return
  if (latitude !== undefined && longitude !== undefined && readCoordinates(latitude, longitude) !== null)
    return
  delete property.latitude
  delete property.longitude
  if (latitude !== undefined && longitude !== undefined) return
  const message = 'A latitude and a longitude are a place together only, and one of them is missing.'
  draft.problems.push({
    column: null,
    value: String(latitude ?? longitude),
    code: 'COORDINATE_ALONE',
    message,
  })
}
