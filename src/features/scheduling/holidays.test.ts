/** Public holidays: of countries and regions, over the end of a year. */
import { describe, expect, test } from 'vitest'
import { findHolidayErrors, listHolidays } from './holidays.ts'

const range = { startMs: Date.parse('2026-12-20T00:00:00Z'), endMs: Date.parse('2027-01-10T00:00:00Z') }

describe('public holidays', () => {
  test('are those of the country and the region, in both years of a range', async () => {
    const spain = await listHolidays({ country: 'ES', region: null }, range)
    expect(spain).toEqual(expect.arrayContaining(['2026-10-12', '2026-12-25', '2027-01-06']))
    expect(spain).not.toContain('2026-09-11')
    const catalonia = await listHolidays({ country: 'ES', region: 'CT' }, range)
    expect(catalonia).toEqual(expect.arrayContaining(['2026-09-11', '2026-12-26', '2027-03-29']))
    expect(new Set(catalonia).size).toBe(catalonia.length)
    const portugal = await listHolidays({ country: 'PT', region: null }, range)
    expect(portugal).toEqual(expect.arrayContaining(['2026-04-25', '2026-12-01']))
  })

  test('of a country and a region are known, or the error says which regions are', async () => {
    const find = (country: string, region: string | null = null) =>
      findHolidayErrors({ country, region }, '/h')
    expect(await find('ES')).toEqual([])
    expect(await find('ES', 'PV')).toEqual([])
    expect(await find('QQ')).toMatchObject([{ path: '/h/country', code: 'UNKNOWN_COUNTRY' }])
    expect(await find('ES', 'XX')).toMatchObject([
      { path: '/h/region', message: expect.stringContaining('CT') },
    ])
  })
})
