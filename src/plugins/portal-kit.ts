/** What a portal definition from outside this repository is given to be written with: it imports nothing itself. */
import Type from 'typebox'
import { toE164 } from '../domain/contact/phone.ts'
import { readAtomPage } from '../domain/feed/atom.ts'
import { readKyeroAgent, readKyeroProperty } from '../domain/feed/kyero.ts'
import { splitXmlItems } from '../domain/feed/xml-items.ts'
import { elementsAt, firstAt, readCards, readCount } from '../domain/listing/cards.ts'
import { readObstacle } from '../domain/listing/challenge.ts'
import { readDay, readLocalInstant } from '../domain/listing/dates.ts'
import * as html from '../domain/listing/html.ts'
import * as json from '../domain/listing/json-values.ts'
import { parseMoney } from '../domain/listing/money.ts'
import { parseLocalNumber } from '../domain/listing/number.ts'
import { joinFacts, readListing } from '../domain/listing/read-listing.ts'
import { readSitemap } from '../domain/listing/sitemap.ts'
import { readState, statesOf, valueAt } from '../domain/listing/state.ts'
import { absoluteUrl, longText, readCoordinates, readInstant } from '../domain/listing/values.ts'
import { readDetailLines, readFeature, readPathWords, readTitleWords } from '../domain/listing/vocabulary.ts'
import { slugOf } from '../domain/slug.ts'
import { sharedFilters } from './portal-filters.ts'

/** What the schemas are made of, the readers that the portals of the product are made of, and the shared filters. */
export const portalKit = {
  ...{ Type, sharedFilters, slugOf },
  // Whole pages and documents.
  ...{ readObstacle, readListing, joinFacts, readCards, readCount, readState, statesOf, valueAt },
  ...{ readSitemap, readAtomPage, splitXmlItems, readKyeroAgent, readKyeroProperty },
  // Elements and values.
  ...{ html, json, elementsAt, firstAt, parseMoney, parseLocalNumber, toE164, readDay, readLocalInstant },
  ...{ absoluteUrl, longText, readCoordinates, readInstant },
  // Words.
  ...{ readDetailLines, readFeature, readPathWords, readTitleWords },
}

export type PortalKit = typeof portalKit
