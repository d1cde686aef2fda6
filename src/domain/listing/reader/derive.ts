/** Completes values by what follows from others, and removes values that contradict each other. */
import { toPlainWords } from '../../plain-words.ts'
import { parseSharedSign, resolveSharedSign } from '../money.ts'
import { isAgencyName } from './agency-words.ts'
import { typeBySubtype } from './codes.ts'
import {
  findCountryOfCurrency,
  findCountryOfLanguage,
  findCountryOfPoint,
  findCurrencyOfCountry,
  isInCountry,
} from './countries.ts'
import { findOnlyQuantity } from './energy-values.ts'
import type { PageLocale } from './locale.ts'
import type { Evidence, ListingField, ListingValues, ReaderPage } from './page-listing.ts'
import { isTownLine } from './places/town-lines.ts'
import { findEnergyRating, findYearBuilt } from './prose-values.ts'

/** Countries where rents are monthly unless a listing says otherwise. */
const monthlyRents = new Set('ES PT IT FR DE AT BE NL PL CZ CH LU IE AD HU'.split(' '))
/** Countries where listings ask for one currency. */
const oneCurrency = new Set(
  'ES PT IT FR DE AT BE NL IE FI GR HR LU AD GB PL CZ KZ US CA AU NZ ZA IN AE NG BR MX CH HU SE NO DK RO'.split(
    ' ',
  ),
)
/** No rent of a home or premises is as high, so that the price is that of a sale. */
const salePricesMin: Record<string, number> = {
  EUR: 60_000,
  GBP: 60_000,
  USD: 60_000,
  AUD: 100_000,
  CAD: 100_000,
  CHF: 80_000,
  PLN: 150_000,
  CZK: 1_000_000,
  ZAR: 400_000,
}
/** In any currency: less is a fee, or an amount in thousands. */
const salePriceMinimum = 500
/** Their own signs (`RD$`, `$b`, `R$`) are often shortened to a dollar sign. */
const dollarLikeCurrencies = new Set(['DOP', 'BOB', 'BRL'])
/** An operation with less confidence is a weak word of the page. */
const sureOperation = 0.75
/** They have no plot of their own. */
const flats = new Set<ListingValues['subtype']>(['apartment', 'penthouse', 'studio', 'loft', 'room'])
/** In square metres: a larger area is that of the flat that a room is in. */
const roomAreaMax = 40
/** An area with more confidence is right, and the price is that of another unit. */
const sureArea = 0.9
/** Per month or in full, in any currency. */
const pricePerMeterMin = 0.5

/** Changes the values in place; `evidence` names what was derived. */
export function deriveValues(
  values: ListingValues,
  evidence: Evidence,
  locale: PageLocale,
  page: ReaderPage,
): void {
  const derive = <Field extends ListingField>(field: Field, value: ListingValues[Field], where: string) => {
    if (value === null || values[field] !== null) return
    // A contradiction stays open.
    if (evidence[field]?.confidence === 0) return
    values[field] = value
    evidence[field] = { source: 'derived', where, confidence: 0.6, others: [] }
  }
  resolveCurrency(values, locale, page)
  if (values.latitude !== null && values.longitude !== null) {
    const point = { latitude: values.latitude, longitude: values.longitude }
    derive('country', findCountryOfPoint(point, locale.language, values.currency), 'coordinates')
  }
  derive('country', findCountryOfCurrency(values.currency ?? ''), 'currency')
  derive(
    'country',
    findCountryOfLanguage(locale.language ?? '', values.currency ?? '', values.advertiserPhone ?? ''),
    'language',
  )
  derive('yearBuilt', findYearBuilt(values.description ?? ''), 'description')
  derive('energyRating', findEnergyRating(values.description ?? ''), 'description')
  for (const quantity of ['energyConsumptionKwhM2', 'emissionsKgM2'] as const)
    derive(quantity, findOnlyQuantity(values.description ?? '', quantity), 'description')
  const isPriced = values.price !== null || values.priceMin !== null
  // In the other countries sellers also ask for dollars.
  if (isPriced && oneCurrency.has(values.country ?? ''))
    derive('currency', findCurrencyOfCountry(values.country ?? ''), 'country')
  // A Spanish listing counts bedrooms, and calls them rooms.
  if (values.country === 'ES' && values.rooms !== null && values.bedrooms === null) {
    derive('bedrooms', values.rooms, 'rooms')
    drop('rooms')
  }
  if (isAgencyName(values.advertiserName ?? '')) derive('advertiserType', 'agency', 'advertiserName')
  // Data often have the type of all listings of a site.
  if (values.subtype !== null) {
    drop('propertyType')
    derive('propertyType', typeBySubtype[values.subtype] ?? null, 'subtype')
  }
  checkOperation()
  if (values.operation === 'sale' && values.price !== null && values.price < salePriceMinimum) drop('price')
  if (values.operation === 'sale') drop('pricePeriod')
  else if (values.operation === 'rent' && values.price !== null && monthlyRents.has(values.country ?? ''))
    derive('pricePeriod', 'month', 'country')
  if (values.pricePeriod !== null && values.operation === null) derive('operation', 'rent', 'pricePeriod')
  const salePriceMin = salePricesMin[values.currency ?? '']
  if (values.price !== null && salePriceMin !== undefined && values.price >= salePriceMin)
    derive('operation', 'sale', 'price')
  check()

  function drop(...fields: ListingField[]): void {
    const target: Record<string, unknown> = { ...values }
    for (const field of fields) {
      target[field] = null
      delete evidence[field]
    }
    Object.assign(values, target)
  }

  /** A weak word for the operation does not stand against the price. */
  function checkOperation(): void {
    const { operation, price, pricePeriod } = values
    const saleMin = salePricesMin[values.currency ?? '']
    if (operation === null || price === null || saleMin === undefined) return
    if ((evidence.operation?.confidence ?? 0) >= sureOperation) return
    if (operation === 'rent' && price >= saleMin && pricePeriod === null) drop('operation')
    if (operation === 'sale' && price < saleMin / (pricePeriod === null ? 100 : 10)) drop('operation')
  }

  /** A name that states something else of the listing is none, and a room has no rooms. */
  function checkNames(): void {
    const toName = (field: ListingField) => toPlainWords(String(values[field] ?? '')).trim()
    const isLike = (field: ListingField, others: readonly ListingField[]) =>
      values[field] !== null && others.some(other => toName(other) === toName(field))
    if (isLike('advertiserName', ['title', 'address', 'neighbourhood', 'municipality', 'province']))
      drop('advertiserName')
    // A town is its own district only in data.
    if (evidence.neighbourhood?.source === 'text' && isLike('neighbourhood', ['municipality', 'province']))
      drop('neighbourhood')
    if (isLike('address', ['municipality', 'province', 'country']) || isTownLine(values)) drop('address')
    if (values.subtype !== 'room') return
    // They are those of the flat.
    drop('rooms', 'bedrooms')
    if ((values.squareMeters ?? 0) <= roomAreaMax) return
    const own = evidence.squareMeters?.others.find(({ value }) => (value as number) <= roomAreaMax)
    drop('squareMeters')
    if (own === undefined) return
    values.squareMeters = own.value as number
    evidence.squareMeters = { source: own.source, where: own.where, confidence: 0.5, others: [] }
  }

  function check(): void {
    checkNames()
    if (values.price === null && values.priceMin === null && values.priceMax === null) drop('currency')
    const { latitude, longitude, country, price, squareMeters, bedrooms, rooms, plotSquareMeters } = values
    if (
      latitude !== null &&
      longitude !== null &&
      country !== null &&
      isInCountry(country, { latitude, longitude }) === false
    )
      drop('latitude', 'longitude')
    const isSureArea = (evidence.squareMeters?.confidence ?? 0) >= sureArea
    if (price !== null && squareMeters !== null && price / squareMeters < pricePerMeterMin && !isSureArea)
      drop('squareMeters')
    // One area that data state under both names.
    if (squareMeters !== null && squareMeters === plotSquareMeters) {
      if (values.subtype === 'house') drop('squareMeters')
      if (flats.has(values.subtype)) drop('plotSquareMeters')
    }
    if (values.priceMin !== null && values.priceMin === values.priceMax) {
      if (price === null) {
        values.price = values.priceMin
        evidence.price = evidence.priceMin!
      }
      drop('priceMin', 'priceMax')
    }
    if (price !== null) drop('priceMin', 'priceMax')
    // A number of the URL may be the postcode.
    if (values.reference !== null && values.reference === values.postcode) drop('reference')
    if (bedrooms !== null && rooms !== null && bedrooms > rooms) {
      const weaker =
        (evidence.rooms?.confidence ?? 0) < (evidence.bedrooms?.confidence ?? 0) ? 'rooms' : 'bedrooms'
      drop(weaker)
    }
    // The plot of a property without a building is not its living area.
    if (values.subtype === 'land') drop('floor', 'floorText', 'rooms', 'bedrooms', 'bathrooms')
    if (values.subtype === 'land' && squareMeters !== null) {
      if (plotSquareMeters === null) {
        values.plotSquareMeters = squareMeters
        evidence.plotSquareMeters = evidence.squareMeters!
      }
      drop('squareMeters')
    }
  }
}

function resolveCurrency(values: ListingValues, locale: PageLocale, page: ReaderPage): void {
  const sign = parseSharedSign(values.currency)
  const local = page.currency ?? findCurrencyOfCountry(values.country ?? locale.country ?? '')
  if (sign !== null && local !== null)
    // Elsewhere a price in dollars is in those of the United States.
    values.currency =
      resolveSharedSign(sign, local) ?? (sign === '$' && !dollarLikeCurrencies.has(local) ? 'USD' : null)
  else if (sign !== null) values.currency = null
  if (values.price === null && values.priceMin === null) return
  values.currency ??= page.currency
}
