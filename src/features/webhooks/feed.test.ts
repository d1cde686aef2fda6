/** The event feed over HTTP: every event once, in one order, under concurrent writes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { emitImported, emitWithdrawals } from '../../../test/receiver.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { newId } from '../../kit/id.ts'
import { createPositionCodec } from '../../kit/page.ts'
import { leadsImported } from '../leads/events.ts'

interface Message {
  id: string
  type: string
  data: Record<string, unknown>
}
interface FeedPage {
  data: Message[]
  nextAfter: string
  hasMore: boolean
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const get = <T = FeedPage>(query = '', reader = tenant) => reader.call<T>('GET', `/events${query}`)
const readPage = async (after: string | null, more = ''): Promise<FeedPage> =>
  (await get(`?${after === null ? '' : `after=${after}&`}${more}`)).body

/** All event ids after a position, read in pages of `limit`. */
async function readAll(after: string | null, limit: number): Promise<{ ids: string[]; after: string }> {
  const ids: string[] = []
  for (;;) {
    const { data, nextAfter, hasMore } = await readPage(after, `limit=${limit}`)
    expect(data.length).toBeLessThanOrEqual(limit)
    ids.push(...data.map(({ id }) => id))
    after = nextAfter
    if (!hasMore) return { ids, after }
  }
}

test('lists events in order, in pages, and appends later events', async () => {
  const emittedIds = [
    await emitImported(tenant, 1),
    await emitImported(tenant, 2),
    await emitImported(tenant, 3),
  ]
  const first = await readPage(null, 'limit=2')
  expect(first).toMatchObject({ data: [{ data: { created: 1 } }, { data: { created: 2 } }], hasMore: true })
  const second = await readPage(first.nextAfter, 'limit=2')
  expect(second).toMatchObject({ data: [{ id: emittedIds[2] }], hasMore: false })
  const empty = await readPage(second.nextAfter)
  expect(empty).toEqual({ data: [], nextAfter: expect.any(String), hasMore: false })
  const later = await emitImported(tenant, 4)
  for (const { nextAfter } of [second, empty])
    expect(await readPage(nextAfter)).toMatchObject({ data: [{ id: later }], hasMore: false })
})

test('starts at its current end with after=latest', async () => {
  expect(await readPage('latest')).toMatchObject({ data: [], hasMore: false })
  await emitImported(tenant)
  const { nextAfter } = await readPage('latest')
  const later = await emitImported(tenant)
  expect((await readPage(nextAfter)).data.map(({ id }) => id)).toEqual([later])
})

describe('no event is inserted before a position that was read', () => {
  test('even if the transaction that began first commits last', async () => {
    const began = Promise.withResolvers<void>()
    const mayEmit = Promise.withResolvers<void>()
    const slow = tenant.inTenant(async tx => {
      await sql`select now()`.execute(tx)
      began.resolve()
      await mayEmit.promise
      return emit(tx, leadsImported, leadsImported.example)
    })
    await began.promise
    const quick = await emitImported(tenant)
    const read = await readPage(null)
    expect(read.data.map(({ id }) => id)).toEqual([quick])
    mayEmit.resolve()
    const last = await slow
    expect((await readPage(read.nextAfter)).data.map(({ id }) => id)).toEqual([last])
  })

  test('even if one transaction has emitted and commits while another waits to emit', async () => {
    const emitted = Promise.withResolvers<string>()
    const mayCommit = Promise.withResolvers<void>()
    const slow = tenant.inTenant(async tx => {
      emitted.resolve(await emit(tx, leadsImported, leadsImported.example))
      await mayCommit.promise
    })
    const one = await emitted.promise
    const other = emitImported(tenant)
    await eventually(
      () => app.database.ownerPool.query(`select from pg_stat_activity where wait_event_type = 'Lock'`),
      ({ rowCount }) => rowCount !== 0,
    )
    const read = await readPage(null)
    expect(read).toMatchObject({ data: [], hasMore: false })
    mayCommit.resolve()
    await slow
    const ids = [one, await other]
    expect((await readPage(read.nextAfter)).data.map(({ id }) => id)).toEqual(ids)
  })

  test('many writers and a reader: each event once, and in the same order when read again', async () => {
    const start = (await readPage('latest')).nextAfter
    const committed = new Set<string>()
    let isWriting = true
    const write = async (writer: number) => {
      for (let turn = 0; turn < 12; turn += 1) {
        const count = 1 + ((writer * 7 + turn * 3) % 5)
        if ((writer + turn) % 4 === 0)
          await tenant
            .inTenant(async tx => {
              await emit(tx, leadsImported, leadsImported.example)
              throw new Error('changed its mind')
            })
            .catch(() => {})
        else for (const id of await emitWithdrawals(tenant, count)) committed.add(id)
      }
    }
    const seen: string[] = []
    const poll = async () => {
      let after = start
      for (let limit = 1, continues = true; continues; limit = (limit % 7) + 1) {
        continues = isWriting
        const read = await readAll(after, limit)
        seen.push(...read.ids)
        after = read.after
      }
    }
    const polling = poll()
    await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)))
    isWriting = false
    await polling
    expect(seen.length).toBe(committed.size)
    expect(new Set(seen)).toEqual(committed)
    expect((await readAll(start, 50)).ids).toEqual(seen)
  })
})

describe('types', () => {
  test('filter the feed, and may change between pages', async () => {
    const imported = await emitImported(tenant)
    const [withdrawn] = await emitWithdrawals(tenant, 1)
    expect((await readPage(null, 'types=lead.withdrawn')).data.map(({ id }) => id)).toEqual([withdrawn])
    const both = await readPage(null, 'types=lead.withdrawn,leads.imported&limit=1')
    expect(both).toMatchObject({ data: [{ id: imported }], hasMore: true })
    const none = await readPage(null, 'types=lead.deleted')
    expect(none).toMatchObject({ data: [], hasMore: false })
    expect((await readPage(none.nextAfter)).data).toEqual([])
  })

  test('that are rare give pages of bounded work, some of them empty', async () => {
    await tenant.inTenant(tx =>
      sql`
        insert into events (tenant_id, id, type, data, object_id, sequence, position, created_at)
        select ${tenant.tenantId}::uuid, aldaba.new_id(), ${leadsImported.type}, ${JSON.stringify(leadsImported.example)}::jsonb, aldaba.current_tenant(), n, n, now()
        from generate_series(1, 10000) n`.execute(tx),
    )
    await tenant.inTenant(tx =>
      sql`
        insert into event_sequences (tenant_id, object_id, last) values (${tenant.tenantId}, '00000000-0000-0000-0000-000000000000', 10000)`.execute(
        tx,
      ),
    )
    const [withdrawn] = await emitWithdrawals(tenant, 1)
    const first = await readPage(null, 'types=lead.withdrawn')
    expect(first).toMatchObject({ data: [], hasMore: true })
    const second = await readPage(first.nextAfter, 'types=lead.withdrawn')
    expect(second).toMatchObject({ data: [{ id: withdrawn }], hasMore: false })
  })

  test('that are unknown are refused, each by name', async () => {
    const reply = await get<{ code: string; message: string; errors: { path: string; message: string }[] }>(
      '?types=lead.withdrawnn,leads.imported,webhook.test,nothing',
    )
    expect(reply.status).toBe(400)
    const message =
      '"lead.withdrawnn" (did you mean lead.withdrawn?), "webhook.test", "nothing" are not known names'
    expect(reply.body).toMatchObject({ code: 'INVALID_INPUT', message: `types: ${message}.` })
    expect(reply.body.errors.map(({ path, message }) => [path, message])).toEqual([['/types', message]])
  })
})

describe('after', () => {
  const positions = () => createPositionCodec('events', tenant.tenantId)
  const daysAgo = (days: number) => String(Date.now() - days * 86_400_000)

  test('is valid for 30 days, then 410 CURSOR_EXPIRED', async () => {
    const emittedId = await emitImported(tenant)
    const old = await get(`?after=${positions().encode(['0', daysAgo(31)])}`)
    expect([old.status, old.body]).toMatchObject([410, { code: 'CURSOR_EXPIRED' }])
    const young = await readPage(positions().encode(['0', daysAgo(29)]))
    expect(young.data.map(({ id }) => id)).toEqual([emittedId])
  })

  test('beyond the newest event means a restored database: 410', async () => {
    await emitImported(tenant)
    const { status, body } = await get(`?after=${positions().encode(['2', daysAgo(0)])}`)
    expect([status, body]).toMatchObject([410, { code: 'CURSOR_EXPIRED' }])
  })

  test('from before a restore is 410 even after as many new events', async () => {
    await emitImported(tenant, 1)
    await emitImported(tenant, 2)
    const { nextAfter } = await readPage(null)
    expect((await get(`?after=${nextAfter}`)).status).toBe(200)
    // The restore loses the second event, and another one gets its position later.
    await tenant.inTenant(tx =>
      sql`update events set created_at = now() + interval '2 minutes' where position = 2`.execute(tx),
    )
    await emitImported(tenant, 3)
    const { status, body } = await get(`?after=${nextAfter}`)
    expect([status, body]).toMatchObject([410, { code: 'CURSOR_EXPIRED' }])
  })

  test('of another environment, or invalid, is refused', async () => {
    const live = await makeTenant(app, 'live')
    const { nextAfter } = await readPage('latest')
    for (const reply of [await get(`?after=${nextAfter}`, live), await get(`?after=${nextAfter}x`)])
      expect([reply.status, reply.body]).toMatchObject([
        400,
        { code: 'INVALID_CURSOR', errors: [{ path: '/after' }] },
      ])
  })

  test('may be omitted: the feed then starts with the oldest event of 30 days', async () => {
    const [old, young] = [await emitImported(tenant), await emitImported(tenant)]
    const oldId = `01900000-0000-7000-8000-${newId().slice(24)}`
    await tenant.inTenant(tx => sql`update events set id = ${oldId} where id = ${old}`.execute(tx))
    expect((await readPage(null)).data.map(({ id }) => id)).toEqual([young])
  })

  test.each(['?limit=0', '?limit=201', '?limit=all', '?types='])('%s is refused', async query => {
    expect((await get(query)).status).toBe(400)
  })
})

test('contains no test events', async () => {
  const subscription = { url: 'http://127.0.0.1:9/hooks' }
  const { body } = await tenant.call<{ id: string }>('POST', '/webhooks', { body: subscription })
  await tenant.call('POST', `/webhooks/${body.id}/test`, { body: {} })
  expect((await readPage(null)).data).toEqual([])
})
