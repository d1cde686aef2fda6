/** Real listings and sales for the accuracy of valuations, described in `data/README.md` of `../shared`. */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { Comparable } from '../src/domain/valuation/property.ts'
import { readTableRows } from '../src/features/market/import-rows.ts'
import { toMarketListing } from '../src/features/market/market-listing.ts'
import { assertShared, sharedPath } from '../test/shared.ts'

export const priceSets = [
  'es-barcelona-sale',
  'es-valencia-sale',
  'us-kingcounty-sale',
  'pl-cities-sale',
  'pl-cities-rent',
] as const

export type PriceSet = (typeof priceSets)[number]

/** Estimates are made from `reference`, and tested on `validation`. */
export async function readPriceSet(set: PriceSet, file: 'reference' | 'validation'): Promise<Comparable[]> {
  assertShared()
  const chunks = createReadStream(sharedPath(`data/${set}.${file}.csv.gz`)).pipe(createGunzip())
  const defaults = {
    source: set,
    currency: 'EUR',
    priceBasis: 'asking',
    operation: null,
    propertyType: null,
    now: Temporal.Now.instant(),
  } as const
  const comparables: Comparable[] = []
  for await (const { parsed } of readTableRows(chunks, defaults)) {
    const listing = typeof parsed === 'string' ? parsed : toMarketListing(parsed)
    if (typeof listing !== 'string') comparables.push({ ...listing, id: listing.listingId })
  }
  return comparables
}
