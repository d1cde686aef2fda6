/** What a portal definition from outside this repository is given to be written with: it imports nothing itself. */
export { default as Type } from 'typebox'
export { readAtomPage } from '../domain/feed/atom.ts'
export { readKyeroAgent, readKyeroProperty } from '../domain/feed/kyero.ts'
export { splitXmlItems } from '../domain/feed/xml-items.ts'
export { elementsAt, firstAt, readCards, readCount } from '../domain/listing/cards.ts'
export { readObstacle } from '../domain/listing/challenge.ts'
export { readDay, readLocalInstant } from '../domain/listing/dates.ts'
export * as html from '../domain/listing/html.ts'
export * as json from '../domain/listing/json-values.ts'
export { parseMoney } from '../domain/listing/money.ts'
export { parseLocalNumber } from '../domain/listing/number.ts'
export { toE164 } from '../domain/listing/phone.ts'
export { joinFacts, readListing } from '../domain/listing/read-listing.ts'
export { readSitemap } from '../domain/listing/sitemap.ts'
export { readState, statesOf, valueAt } from '../domain/listing/state.ts'
export { absoluteUrl, longText, readCoordinates, readInstant } from '../domain/listing/values.ts'
export {
  readDetailLines,
  readFeature,
  readFloor,
  readPathWords,
  readTitleWords,
} from '../domain/listing/vocabulary.ts'
export { slugOf } from '../domain/location/slug.ts'
export { sharedFilters } from './portal-filters.ts'
