/** The functions that a portal definition outside this repository receives, since it imports nothing itself. */
import Type from 'typebox'
import { toE164 } from '../domain/contact/phone.ts'
import { parseAtomPage } from '../domain/feed/atom.ts'
import { parseKyeroAgent, parseKyeroProperty } from '../domain/feed/kyero.ts'
import { splitXmlItems } from '../domain/feed/xml-items.ts'
import { parseCards, parseCount, selectElement, selectElements } from '../domain/listing/cards.ts'
import { detectObstacle } from '../domain/listing/challenge.ts'
import { parseDay, parseLocalInstant } from '../domain/listing/dates.ts'
import { findCards } from '../domain/listing/find-cards.ts'
import * as html from '../domain/listing/html.ts'
import * as json from '../domain/listing/json-values.ts'
import { parseMoney } from '../domain/listing/money.ts'
import { parseLocalNumber } from '../domain/listing/number.ts'
import { mergeFacts, parseListing } from '../domain/listing/parse-listing.ts'
import { parseSitemap } from '../domain/listing/sitemap.ts'
import { findStates, getPath, parseState } from '../domain/listing/state.ts'
import { parseCoordinates, parseInstant, toAbsoluteUrl, toMultilineText } from '../domain/listing/values.ts'
import {
  parseDetailLines,
  parseFeature,
  parsePathWords,
  parseTitleWords,
} from '../domain/listing/vocabulary.ts'
import { toSlug } from '../domain/slug.ts'
import { generalPortal } from './general-portal.ts'
import { sharedFilters } from './portal-filters.ts'

/** Schema builders, the parsers that the built-in portals use, and the shared filters. */
export const portalKit = {
  Type,
  sharedFilters,
  toSlug,
  // A whole definition from start addresses.
  generalPortal,
  // Whole pages and documents.
  detectObstacle,
  parseListing,
  mergeFacts,
  findCards,
  parseCards,
  parseCount,
  parseState,
  findStates,
  getPath,
  parseSitemap,
  parseAtomPage,
  splitXmlItems,
  parseKyeroAgent,
  parseKyeroProperty,
  // Elements and values.
  html,
  json,
  selectElements,
  selectElement,
  parseMoney,
  parseLocalNumber,
  toE164,
  parseDay,
  parseLocalInstant,
  toAbsoluteUrl,
  toMultilineText,
  parseCoordinates,
  parseInstant,
  // Words.
  parseDetailLines,
  parseFeature,
  parsePathWords,
  parseTitleWords,
}

export type PortalKit = typeof portalKit
