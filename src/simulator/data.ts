// Reads the figures of real adverts from a CSV file (plain or gzipped) in the column layout of the price data sets.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { readFeatureName } from '../domain/listing/features.ts'
import { isGzip } from '../kit/gzip.ts'
import type { Condition, Feature, Figures, Operation, Subtype } from './advert.ts'
import { bitsOf, CONDITIONS, FEATURES, OPERATIONS } from './advert.ts'
import { CITIES } from './places.ts'

/** What a file states of an advert; who advertises it, and since when, it leaves open. */
export type FileFigures = Omit<Figures, 'privateAdvertiser' | 'publishedAt' | 'updatedAt'>

const SUBTYPES: readonly Subtype[] = ['flat', 'duplex', 'studio']
const COLUMNS = [
  ...[
    'id',
    'operation',
    'propertyType',
    'subtype',
    'city',
    'latitude',
    'longitude',
    'squareMeters',
    'bedrooms',
  ],
  ...['bathrooms', 'condition', 'floor', 'yearBuilt', 'amenities', 'price'],
] as const

/** The adverts of a file in its order, and a digest of its bytes. Throws with the line at fault. */
export async function readAdvertFile(path: string): Promise<{ figures: FileFigures[]; digest: string }> {
  const bytes = await readFile(path)
  const [header = [], ...lines] = parse(isGzip(bytes) ? gunzipSync(bytes) : bytes, { bom: true })
  const position = new Map(header.map((name, column) => [name, column]))
  const missing = COLUMNS.filter(name => !position.has(name))
  if (missing.length > 0) throw new Error(`${path} lacks the columns ${missing.join(', ')}`)
  const figures = lines.map((line, number) => {
    const text = (name: (typeof COLUMNS)[number]) => line[position.get(name)!] ?? ''
    try {
      return readFigures(text)
    } catch (error) {
      throw new Error(`${path}, line ${number + 2}: ${(error as Error).message}`)
    }
  })
  return { figures, digest: createHash('sha1').update(bytes).digest('hex') }
}

function readFigures(text: (name: (typeof COLUMNS)[number]) => string): FileFigures {
  const city = CITIES.find(({ slug }) => slug === text('city'))
  if (!city) throw new Error(`the simulator has no city '${text('city')}'`)
  if (text('propertyType') !== 'homes')
    throw new Error(`propertyType '${text('propertyType')}' is not 'homes'`)
  const amenities = text('amenities')
  const features =
    amenities === ''
      ? []
      : amenities.split(';').map(name => oneOf<Feature>(FEATURES, readFeatureName(name) ?? name))
  return {
    id: text('id'),
    operation: oneOf<Operation>(OPERATIONS, text('operation')),
    propertyType: 'homes',
    subtype: text('subtype') === '' ? 'flat' : oneOf(SUBTYPES, text('subtype')),
    city,
    latitude: numberOf(text('latitude')),
    longitude: numberOf(text('longitude')),
    squareMeters: numberOf(text('squareMeters')),
    bedrooms: numberOrNull(text('bedrooms')),
    bathrooms: numberOrNull(text('bathrooms')),
    condition: text('condition') === '' ? null : oneOf<Condition>(CONDITIONS, text('condition')),
    floor: numberOrNull(text('floor')),
    yearBuilt: numberOrNull(text('yearBuilt')),
    featureBits: bitsOf(features),
    price: numberOf(text('price')),
  }
}

function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find(name => name === value)
  if (found === undefined) throw new Error(`'${value}' is not one of ${known.join(', ')}`)
  return found
}

function numberOf(value: string): number {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) throw new Error(`'${value}' is not a number`)
  return number
}

function numberOrNull(value: string): number | null {
  return value === '' ? null : numberOf(value)
}
