/** The real adverts and sales that estimates are measured on: `data/README.md` in `../shared` tells what they are. */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { Comparable } from '../src/domain/valuation/property.ts'
import { fitAdvert } from '../src/features/market/advert.ts'
import { readTableRows } from '../src/features/market/import-rows.ts'
import { requireShared, sharedPath } from '../test/shared.ts'

export const priceSets = [
  'es-barcelona-sale',
  'es-valencia-sale',
  'us-kingcounty-sale',
  'pl-cities-sale',
  'pl-cities-rent',
] as const

export type PriceSet = (typeof priceSets)[number]

/** Estimates are made from `reference`, and tried on `validation`. */
export async function readPriceSet(set: PriceSet, file: 'reference' | 'validation'): Promise<Comparable[]> {
  requireShared()
  const chunks = createReadStream(sharedPath(`data/${set}.${file}.csv.gz`)).pipe(createGunzip())
  const defaults = {
    ...({ source: set, currency: 'EUR', priceBasis: 'asking', operation: null, propertyType: null } as const),
    now: Temporal.Now.instant(),
  }
  const comparables: Comparable[] = []
  for await (const { offered } of readTableRows(chunks, defaults)) {
    const advert = typeof offered === 'string' ? offered : fitAdvert(offered)
    if (typeof advert !== 'string') comparables.push({ ...advert, id: advert.advertId })
  }
  return comparables
}
