/** Distinguishes the page of one property from search pages, shops and other pages. */
import { toPlainWords } from '../../plain-words.ts'
import { findCards, type PageParts } from '../find-cards.ts'
import type { ListingValues, ReaderPage } from './page-listing.ts'

/** Pages of one property state more than this, also those with a row of similar ones. */
const coreOfListMax = 3
const cardsOfListMin = 5
/** `Pisos y casas en alquiler`: the title of a list. */
const pluralTitle =
  /^\s*(?:pisos|casas|viviendas|apartamentos|departamentos|chalets|inmuebles|locales|habitatges|moradias|imoveis|case|appartamenti|ville|immobili|appartements|maisons|biens|wohnungen|hauser|immobilien|houses|homes|flats|apartments|properties|woningen|huizen|appartementen|mieszkania|domy|nieruchomosci|byty)(?![\p{L}])/u

/** True if the values are those of one property. */
export function isListingPage(values: ListingValues, page: ReaderPage, parts: PageParts): boolean {
  if (!isProperty(values)) return false
  const core = countCore(values)
  const counted = /^\s*(\d[\d.,\s]*)\s\p{L}{4}/u.exec(values.title ?? '')?.[1]?.replace(/\D/g, '')
  const isPlural = pluralTitle.test(toPlainWords((values.title ?? '').slice(0, 40)))
  if (core > coreOfListMax && counted === undefined && !isPlural) return true
  // A page in a language without words states few values that the reader knows.
  if (
    core === coreOfListMax &&
    counted === undefined &&
    !isPlural &&
    values.description !== null &&
    hasId(page.url)
  )
    return true
  const { cards, total } = findCards({ ...page, parts })
  if (cards.length < cardsOfListMin) return true
  // `12.059 departamentos en venta`
  const isCountOfList = counted !== undefined && total !== null && Number(counted) === total
  return core > coreOfListMax && !isCountOfList && !isPlural
}

/** True if the last part of the path has a number of a listing. */
function hasId(url: string): boolean {
  const last =
    URL.parse(url)
      ?.pathname.split('/')
      .filter(part => part !== '')
      .at(-1) ?? ''
  return /(?<!\d)\d{6,12}(?!\d)/.test(last)
}

/** Books and tickets have a price and a place, too. */
function isProperty(values: ListingValues): boolean {
  const facts = [
    values.squareMeters,
    values.usableSquareMeters,
    values.plotSquareMeters,
    values.rooms,
    values.bedrooms,
    values.bathrooms,
    values.floor,
  ]
  if (facts.some(value => value !== null)) return true
  const isPlaced = [values.operation, values.municipality, values.neighbourhood, values.address].some(
    value => value !== null,
  )
  return values.subtype !== null && isPlaced
}

function countCore(values: ListingValues): number {
  const core = [
    values.price ?? values.priceMin,
    values.squareMeters ?? values.plotSquareMeters,
    values.rooms ?? values.bedrooms,
    values.bathrooms,
    values.latitude,
    values.address,
    values.yearBuilt ?? values.energyRating ?? values.floor,
    values.description,
  ]
  return core.filter(value => value !== null).length
}
