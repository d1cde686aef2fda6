/** Erasing a person removes their data from the names and addresses of valuations, and no one else's data. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { NewValuation, Valuation } from './schemas.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat: NewValuation = {
  ...place,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  await fillMarket(app.database, 'test', makeListingsAround(place))
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

/** Uses an Idempotency-Key, so that the reply is stored too. Amenities may be free text, as in earlier versions. */
async function create({ amenities, ...body }: Partial<NewValuation>, by = tenant): Promise<string> {
  const headers = { 'idempotency-key': JSON.stringify(body) }
  const { id } = (await by.call<Valuation>('POST', '/valuations', { body: { ...flat, ...body }, headers }))
    .body
  if (amenities)
    await by.inTenant(tx =>
      sql`
        update valuations set subject = jsonb_set(subject::jsonb, '{amenities}', ${JSON.stringify(amenities)}::jsonb)::json
        where id = ${id}`.execute(tx),
    )
  return id
}

async function show(id: string, by = tenant): Promise<Partial<NewValuation>> {
  const { name, address, portalLocationId, subject } = (await by.call<Valuation>('GET', `/valuations/${id}`))
    .body
  return { name, address, portalLocationId, amenities: subject.amenities }
}

async function erase(contact: {
  name: string
  phone?: string
  email?: string
  identifiers?: string[]
}): Promise<void> {
  const lead = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact } })
  expect((await tenant.call('DELETE', `/leads/${lead.body.id}?erase=true`)).status).toBe(204)
}

const nothing = { name: null, address: null, portalLocationId: null, amenities: null }

test('their name, phone number and address are removed in every spelling; texts of others stay', async () => {
  const theirs: Partial<NewValuation>[] = [
    { name: 'marta quintanilla', address: 'Carrer 1' },
    { name: 'Casa', address: 'Marta: 612 34 56 78, 2n' },
    { name: 'For marta@example.com', address: 'Carrer 3' },
    { name: 'Tel. (+34) 612-345-678' },
    { name: 'Write to Marta@Example.com.', address: 'Or "telegram:marta"!' },
    { address: 'MARTA QUINTANILLA', portalLocationId: '612345678' },
    { amenities: ['pool', 'Marta Quintanilla', 'call 612 345 678', 'sauna'], portalLocationId: '0-EU-ES-08' },
  ]
  const others: Partial<NewValuation>[] = [
    { name: 'Marta Quintanilla Soler', address: 'Carrer Marta Quintanilla, 7' },
    {
      name: 'For mariamarta@example.com',
      address: '612 34 56 79, telegram:martamas',
      amenities: ['612345679'],
    },
  ]
  const ids = await Promise.all(theirs.map(body => create(body)))
  const otherIds = await Promise.all(others.map(body => create(body)))
  const elsewhere = await makeTenant(app)
  const kept = await create(theirs[0]!, elsewhere)

  await erase({
    name: 'Marta Quintanilla',
    phone: '+34612345678',
    email: 'marta@example.com',
    identifiers: ['telegram:marta'],
  })
  expect(await Promise.all(ids.map(id => show(id)))).toEqual([
    { ...nothing, address: 'Carrer 1' },
    { ...nothing, name: 'Casa' },
    { ...nothing, address: 'Carrer 3' },
    nothing,
    nothing,
    nothing,
    { ...nothing, amenities: ['pool', 'sauna'], portalLocationId: '0-EU-ES-08' },
  ])
  expect(await Promise.all(otherIds.map(id => show(id)))).toEqual(
    others.map(body => ({ ...nothing, ...body })),
  )
  expect(await show(kept, elsewhere)).toEqual({ ...nothing, ...theirs[0] })
  const stored = await tenant.inTenant(tx => tx.selectFrom('idempotency_keys').select('route').execute())
  expect(stored).toHaveLength(others.length)
})

test('a name of one word is removed from the name only, not from a street, place or amenity', async () => {
  const theirs = await create({ name: 'Mallorca', address: 'Mallorca', amenities: ['mallorca', 'pool'] })
  const street = {
    name: 'Flat in Mallorca',
    address: 'Carrer de Mallorca, 214',
    portalLocationId: 'mallorca',
  }
  const others = await create(street)
  await erase({ name: 'Mallorca', phone: '+34611111111' })
  expect(await show(theirs)).toEqual({ ...nothing, address: 'Mallorca', amenities: ['mallorca', 'pool'] })
  expect(await show(others)).toEqual({ ...nothing, ...street })
})

test('the person data holds valuations with an identifier of the person, not those with their name only', async () => {
  const own = await makeTenant(app)
  const theirs = { name: 'Marta Soler', address: 'Carrer 1, tel. 612 777 888' }
  const id = await create(theirs, own)
  await create({ ...theirs, address: 'Carrer 2' }, own)
  const contact = { name: 'Marta Soler', phone: '+34612777888' }
  const lead = await own.call<{ id: string }>('POST', '/leads', { body: { contact } })
  const { body } = await own.call<{ valuations: object[] }>('GET', `/leads/${lead.body.id}/data`)
  expect(body.valuations).toEqual([{ id, ...theirs, createdAt: expect.stringMatching(/Z$/) }])
})
