/** Events are stored with their data and numbered per object, or not stored at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase, type Tx } from '../db/index.ts'
import { newId } from '../id.ts'
import { id, nullable, strictObject, Type } from '../schema.ts'
import { emit, emitMany } from './emit.ts'
import { event } from './event.ts'
import { bindSubscribers } from './subscriber.ts'

const moved = event({
  type: 'thing.moved',
  object: ['thingId', 'otherId'],
  summary: 'A thing moved',
  data: strictObject({
    thingId: nullable(id('A thing.')),
    otherId: nullable(id('Another.')),
    n: Type.Integer(),
  }),
  example: { thingId: newId(), otherId: null, n: 1 },
})
const opened = event({
  type: 'shop.opened',
  object: [],
  summary: 'The shop opened',
  data: strictObject({ n: Type.Integer() }),
  example: { n: 1 },
})

let database: Database
let tenantId: string
let liveTenantId: string
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
  bindSubscribers(database, [])
  const workspace = await makeWorkspace(database)
  tenantId = workspace.testTenantId
  liveTenantId = workspace.liveTenantId
})
afterAll(() => database.close())

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => database.withTenant({ tenantId }, work)
const emitMoved = (thingId: string, n = 0) => inTenant(tx => emit(tx, moved, { thingId, otherId: null, n }))
const listEvents = (objectId: string) =>
  inTenant(tx =>
    tx
      .selectFrom('events')
      .select(['id', 'type', 'data', 'sequence'])
      .where('object_id', '=', objectId)
      .orderBy('sequence')
      .execute(),
  )

it('emitMany stores every event as emit does, with ids in the same order', async () => {
  const thingId = newId()
  const numbers = Array.from({ length: 200 }, (_, n) => n)
  const ids = await inTenant(async tx => {
    expect(await emitMany(tx, moved, [])).toEqual([])
    return emitMany(
      tx,
      moved,
      numbers.map(n => ({ thingId, otherId: null, n })),
    )
  })
  expect(ids).toEqual(ids.toSorted())
  expect(await listEvents(thingId)).toEqual(
    ids.map((id, n) => ({
      id,
      type: 'thing.moved',
      sequence: n + 1,
      data: { thingId, otherId: null, n },
    })),
  )
})

it('an event of a failed transaction is not stored and leaves no gap', async () => {
  const thingId = newId()
  await emitMoved(thingId)
  const failing = inTenant(async tx => {
    await emit(tx, moved, { thingId, otherId: null, n: 1 })
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  await emitMoved(thingId, 2)
  expect(
    (await listEvents(thingId)).map(({ sequence, data }) => [sequence, (data as { n: number }).n]),
  ).toEqual([
    [1, 0],
    [2, 2],
  ])
})

describe('the sequence counts', () => {
  it('per object from 1, also within a mixed batch', async () => {
    const [one, two, three] = [newId(), newId(), newId()]
    const thing = (thingId: string | null, otherId: string | null = null) => ({ thingId, otherId, n: 0 })
    await emitMoved(two)
    await inTenant(tx =>
      emitMany(tx, moved, [thing(one), thing(two, one), thing(one), thing(null, three), thing(null, one)]),
    )
    expect((await listEvents(one)).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    expect((await listEvents(two)).map(({ sequence }) => sequence)).toEqual([1, 2])
    expect((await listEvents(three)).map(({ sequence }) => sequence)).toEqual([1])
  })

  it('per environment for events about the workspace', async () => {
    for (const n of [1, 2]) await inTenant(tx => emit(tx, opened, { n }))
    await database.withTenant({ tenantId: liveTenantId }, tx => emit(tx, opened, { n: 3 }))
    expect((await listEvents(tenantId)).map(({ sequence }) => sequence)).toEqual([1, 2])
  })

  it('in the order of the commits, with concurrent batches over several objects in any order', async () => {
    const things = [newId(), newId(), newId()]
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        inTenant(tx =>
          emitMany(
            tx,
            moved,
            (n % 2 ? things : things.toReversed()).map(thingId => ({ thingId, otherId: null, n })),
          ),
        ),
      ),
    )
    const numbers = Array.from({ length: 40 }, (_, n) => n + 1)
    for (const thing of things)
      expect((await listEvents(thing)).map(({ sequence }) => sequence)).toEqual(numbers)
  })
})
