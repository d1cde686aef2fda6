/** Reads real listings from a CSV file (plain or gzipped) with the columns of the price data sets. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { parseFeatureName } from '../domain/listing/features.ts'
import { isGzip } from '../kit/gzip.ts'
import type { Condition, Feature, ListingAttributes, Operation, Subtype } from './listing.ts'
import { allFeatures, conditions, operations, toFeatureBits } from './listing.ts'
import { spanishCities } from './places.ts'

/** The facts of a listing in a file, which has neither advertiser nor publication date. */
export type FileListingAttributes = Omit<
  ListingAttributes,
  'isPrivateAdvertiser' | 'publishedAt' | 'updatedAt'
>

const subtypes: readonly Subtype[] = ['flat', 'duplex', 'studio']
const columns = [
  'id',
  'operation',
  'propertyType',
  'subtype',
  'city',
  'latitude',
  'longitude',
  'squareMeters',
  'bedrooms',
  'bathrooms',
  'condition',
  'floor',
  'yearBuilt',
  'amenities',
  'price',
] as const

/** Reads the listings of a file in order, and a digest of its bytes. Throws an error with the faulty line. */
export async function readListingFile(
  path: string,
): Promise<{ attributes: FileListingAttributes[]; digest: string }> {
  const bytes = await readFile(path)
  const [header = [], ...lines] = parse(isGzip(bytes) ? gunzipSync(bytes) : bytes, { bom: true })
  const columnIndexes = new Map(header.map((name, column) => [name, column]))
  const missing = columns.filter(name => !columnIndexes.has(name))
  if (missing.length > 0) throw new Error(`${path} lacks the columns ${missing.join(', ')}`)
  const attributes = lines.map((line, number) => {
    const getCell = (name: (typeof columns)[number]) => line[columnIndexes.get(name)!] ?? ''
    try {
      return parseAttributes(getCell)
    } catch (error) {
      throw new Error(`${path}, line ${number + 2}: ${(error as Error).message}`)
    }
  })
  return { attributes, digest: createHash('sha1').update(bytes).digest('hex') }
}

function parseAttributes(getCell: (name: (typeof columns)[number]) => string): FileListingAttributes {
  const city = spanishCities.find(({ slug }) => slug === getCell('city'))
  if (!city) throw new Error(`the simulator has no city '${getCell('city')}'`)
  if (getCell('propertyType') !== 'homes')
    throw new Error(`propertyType '${getCell('propertyType')}' is not 'homes'`)
  const amenities = getCell('amenities')
  const features =
    amenities === ''
      ? []
      : amenities.split(';').map(name => parseOneOf<Feature>(allFeatures, parseFeatureName(name) ?? name))
  return {
    id: getCell('id'),
    operation: parseOneOf<Operation>(operations, getCell('operation')),
    propertyType: 'homes',
    subtype: getCell('subtype') === '' ? 'flat' : parseOneOf(subtypes, getCell('subtype')),
    city,
    latitude: parseNumber(getCell('latitude')),
    longitude: parseNumber(getCell('longitude')),
    squareMeters: parseNumber(getCell('squareMeters')),
    bedrooms: parseNumberOrNull(getCell('bedrooms')),
    bathrooms: parseNumberOrNull(getCell('bathrooms')),
    condition: getCell('condition') === '' ? null : parseOneOf<Condition>(conditions, getCell('condition')),
    floor: parseNumberOrNull(getCell('floor')),
    yearBuilt: parseNumberOrNull(getCell('yearBuilt')),
    featureBits: toFeatureBits(features),
    price: parseNumber(getCell('price')),
  }
}

function parseOneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find(name => name === value)
  if (found === undefined) throw new Error(`'${value}' is not one of ${known.join(', ')}`)
  return found
}

function parseNumber(value: string): number {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) throw new Error(`'${value}' is not a number`)
  return number
}

function parseNumberOrNull(value: string): number | null {
  return value === '' ? null : parseNumber(value)
}
