/** Candidates for a row with an identifier on many leads, such as the phone of an agency. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { insertLeadRows } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { IdentifiedFacts } from '../../../domain/dedupe/same-id.ts'
import { findLeadsSharingIdentifiers } from './lead-candidates.ts'

let app: TestApp
let tenant: TestTenant
const phone = '+34931111111'
const email = 'agencia@x.es'
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  const many = Array.from({ length: 2000 }, (_, index) => {
    const n = index + 1
    return {
      title: `Piso ${n}`,
      address: `Calle ${n}`,
      price: 100_000 + n * 100,
      square_meters: 40 + (n % 100),
    }
  })
  const others = [
    { title: 'Con jardín' },
    { title: 'De anuncio', address: 'Calle A', price: 5, square_meters: 5, url: 'https://x.es/1' },
    { title: 'En venta', address: 'Calle B', price: 7_000_000, square_meters: 900 },
    { title: 'En venta', address: 'Calle C', price: 1, square_meters: 1 },
    { address: 'Calle D', price: 9_000_000, square_meters: 5000.4 },
    {},
  ]
  const all = [...many, ...others].map(columns => ({ phone, email, ...columns }))
  await tenant.inTenant(tx => insertLeadRows(tx, all))
  await app.database.ownerPool.query('analyze aldaba.leads; analyze aldaba.lead_identifiers')
})
afterAll(() => app.stop())

const noFacts = { name: null, municipality: null, postcode: null, latitude: null, longitude: null }
const noProperty = { url: null, address: null, title: null, price: null, squareMeters: null }
type PropertyFacts = Partial<Pick<IdentifiedFacts, keyof typeof noProperty>>
const makeQuery = (value: string, facts: PropertyFacts) => ({
  values: [value],
  exact: null,
  facts: { ...noFacts, ...noProperty, ...facts } as IdentifiedFacts,
})
const findLeads = (rows: ReturnType<typeof makeQuery>[]) =>
  tenant.inTenant(tx => findLeadsSharingIdentifiers(tx, rows))

const toLabel = ({ title, address }: { title?: string | null; address: string | null }) => title ?? address
/** The label of the lead without property data. */
const blank = null

describe.each([phone, email])('with %s, a row finds', value => {
  test.each<[what: string, facts: PropertyFacts, titles: (string | null)[]]>([
    [
      'only a lead without property data, if none is similar',
      { address: 'Rúa 9', price: 3, squareMeters: 4 },
      [blank],
    ],
    ['the same URL', { url: 'https://x.es/1', title: 'Otro' }, ['De anuncio', blank]],
    ['the same address', { address: 'Calle 77' }, ['Piso 77', blank]],
    [
      'the same title, if the lead has no address',
      { title: 'Con jardín', address: 'Rúa 9' },
      ['Con jardín', blank],
    ],
    ['the same title, if the row has no address', { title: 'Piso 88' }, ['Piso 88', blank]],
    [
      'the same title at another address, only with a similar size and price',
      { title: 'En venta', address: 'Rúa 9', price: 7_100_000, squareMeters: 905 },
      ['En venta', blank],
    ],
    ['a plot of about its size', { price: 9_500_000, squareMeters: 5100 }, ['Calle D', blank]],
    ['no lead of its size with another price', { price: 50_000_000, squareMeters: 5000.4 }, [blank]],
  ])('%s', async (_what, facts, titles) => {
    const [found] = await findLeads([makeQuery(value, facts)])
    expect(found!.map(toLabel)).toEqual(titles)
  })

  test('the 20 leads with the nearest prices among many of its size, the same address first', async () => {
    const [found] = await findLeads([
      makeQuery(value, { address: 'Calle 3', price: 200_000, squareMeters: 60 }),
    ])
    expect(found).toHaveLength(20)
    expect(toLabel(found![0]!)).toBe('Piso 3')
    const gaps = found!.slice(1).map(({ price }) => Math.abs(price! - 200_000))
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
    // Five of a hundred leads are within 2.1 m², and a hundred leads span 10,000 of price.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(20_000)
  })
})
