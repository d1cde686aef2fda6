/**
 * Public holidays by country and region, from the data of date-holidays (CC BY 3.0). The library is loaded with the first event
 * type that needs it, and the days of a year are computed once.
 */
import type Holidays from 'date-holidays'
import type { HolidaysTypes } from 'date-holidays'
import type { Interval } from '../../domain/slots/types.ts'
import type { InputError } from '../../kit/problem.ts'

export interface HolidayRegion {
  /** ISO 3166-1. */
  country: string
  /** ISO 3166-2 without the country; null: only the holidays of the whole country. */
  region: string | null
}

/** A region's year is about a kilobyte. */
const cachedYearsMax = 2000
const cachedYears = new Map<string, string[]>()
const dayMs = 86_400_000

const loadLibrary = async () => (await import('date-holidays')).default

/** The ISO dates of the public holidays in the years of a range. */
export async function listHolidays(region: HolidayRegion, { startMs, endMs }: Interval): Promise<string[]> {
  const first = new Date(startMs - dayMs).getUTCFullYear()
  const last = new Date(endMs + dayMs).getUTCFullYear()
  const dates: string[] = []
  for (let year = first; year <= last; year += 1) dates.push(...(await listYear(region, year)))
  return dates
}

async function listYear({ country, region }: HolidayRegion, year: number): Promise<string[]> {
  const key = `${country} ${region} ${year}`
  const known = cachedYears.get(key)
  if (known) return known
  const Library = await loadLibrary()
  const dates = toDates(createCalendar(Library, { country, region }).getHolidays(year))
  if (cachedYears.size >= cachedYearsMax) cachedYears.clear()
  cachedYears.set(key, dates)
  return dates
}

const createCalendar = (Library: typeof Holidays, { country, region }: HolidayRegion): Holidays =>
  region === null ? new Library(country) : new Library(country, region)

/** Whole days: what begins at noon is half a holiday, on which agents may work. */
const toDates = (holidays: HolidaysTypes.Holiday[]): string[] => [
  ...new Set(
    holidays
      .filter(({ type, date }) => type === 'public' && date.slice(11, 19) === '00:00:00')
      .flatMap(({ date, start, end }) => {
        const day = Temporal.PlainDate.from(date.slice(0, 10))
        const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs))
        return Array.from({ length: days }, (_, offset) => day.add({ days: offset }).toString())
      }),
  ),
]

/** Finds errors if the holidays of this country and region are not known. */
export async function findHolidayErrors(
  { country, region }: Partial<HolidayRegion>,
  path: string,
): Promise<InputError[]> {
  if (country === undefined) return []
  const library = new (await loadLibrary())()
  const countries = Object.keys(library.getCountries())
  if (!countries.includes(country))
    return [
      {
        path: `${path}/country`,
        code: 'UNKNOWN_COUNTRY',
        message: 'is not a country whose holidays are known',
      },
    ]
  const regions = Object.keys(library.getStates(country) ?? {})
  if (typeof region !== 'string' || regions.includes(region)) return []
  const message =
    regions.length === 0
      ? `is not known: the holidays of ${country} are known for the whole country only`
      : `must be one of ${regions.join(', ')}`
  return [{ path: `${path}/region`, code: 'UNKNOWN_REGION', message }]
}
