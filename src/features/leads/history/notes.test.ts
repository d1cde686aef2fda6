/** Notes of leads over HTTP: written, listed, changed, deleted; and a lead read by its id. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeLeads } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { Static } from '../../../kit/schema.ts'
import type { Lead, Note } from '../schemas.ts'

type Written = Static<typeof Note>

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const makeLead = async (owner = tenant) => (await makeLeads(app.database, owner.tenantId, [{}]))[0]!
const readLead = async (leadId: string) => (await tenant.call<Lead>('GET', `/leads/${leadId}`)).body

async function write(leadId: string, body: string): Promise<Written> {
  const reply = await tenant.call<Written>('POST', `/leads/${leadId}/notes`, { body: { body } })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

test('a lead read by its id is as the list shows it', async () => {
  const leadId = await makeLead()
  expect(await readLead(leadId)).toEqual((await tenant.allLeads()).find(({ id }) => id === leadId))
})

test('a note is there as it was written, and its lead counts it and has changed', async () => {
  const leadId = await makeLead()
  const before = await readLead(leadId)
  const note = await write(leadId, 'Llamar después de las 18 h.\nPregunta por el ascensor: sí.')
  expect(note).toMatchObject({ body: 'Llamar después de las 18 h.\nPregunta por el ascensor: sí.' })
  expect(note.updatedAt).toBe(note.createdAt)
  expect((await tenant.call('GET', `/leads/${leadId}/notes/${note.id}`)).body).toEqual(note)
  const after = await readLead(leadId)
  expect([before.notesCount, after.notesCount]).toEqual([0, 1])
  expect(after.updatedAt > before.updatedAt).toBe(true)
})

test('its author is who made the key, and nobody for a key of nobody in particular', async () => {
  const leadId = await makeLead()
  expect((await write(leadId, 'of nobody')).authorUserId).toBeNull()
  const { rows } = await app.database.ownerPool.query<{ id: string }>(
    'select u.id from aldaba.users u join aldaba.tenants t using (workspace_id) where t.id = $1',
    [tenant.tenantId],
  )
  const userId = rows[0]!.id
  await tenant.inTenant(tx =>
    tx.updateTable('api_keys').set({ created_by: userId }).where('tenant_id', '=', tenant.tenantId).execute(),
  )
  expect((await write(leadId, 'of somebody')).authorUserId).toBe(userId)
})

test('the notes of a lead are listed newest first, page by page, and those of others are not among them', async () => {
  const [leadId, other] = [await makeLead(), await makeLead()]
  await write(other, 'of another')
  const written: string[] = []
  for (const body of ['one', 'two', 'three']) written.unshift((await write(leadId, body)).id)
  const path = `/leads/${leadId}/notes?limit=2`
  const first = (await tenant.call<{ data: Written[]; nextCursor: string }>('GET', path)).body
  const rest = (
    await tenant.call<{ data: Written[]; nextCursor: null }>('GET', `${path}&cursor=${first.nextCursor}`)
  ).body
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(written)
  expect(rest.nextCursor).toBeNull()
})

test('a changed note keeps its id and its beginning', async () => {
  const leadId = await makeLead()
  const note = await write(leadId, 'before')
  const path = `/leads/${leadId}/notes/${note.id}`
  const { status, body } = await tenant.call<Written>('PATCH', path, { body: { body: 'after' } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: note.id, body: 'after', createdAt: note.createdAt })
  expect(body.updatedAt > note.updatedAt).toBe(true)
  expect((await readLead(leadId)).notesCount).toBe(1)
})

test('a deleted note is gone, and its lead counts it no more', async () => {
  const leadId = await makeLead()
  const [first, second] = [await write(leadId, 'first'), await write(leadId, 'second')]
  const path = `/leads/${leadId}/notes/${first.id}`
  expect((await tenant.call('DELETE', path)).status).toBe(204)
  expect((await tenant.call('DELETE', path)).status).toBe(404)
  expect((await tenant.call('GET', path)).status).toBe(404)
  expect((await tenant.call<{ data: Written[] }>('GET', `/leads/${leadId}/notes`)).body.data).toEqual([
    second,
  ])
  expect((await readLead(leadId)).notesCount).toBe(1)
})

test.each(['', '   \n', 'x'.repeat(10_001)])(
  'a note without words, or with too many, is refused: %#',
  async body => {
    const { status, body: refusal } = await tenant.call<{ errors: { path: string }[] }>(
      'POST',
      `/leads/${await makeLead()}/notes`,
      { body: { body } },
    )
    expect([status, refusal.errors[0]?.path]).toEqual([400, '/body'])
  },
)

test.each(['GET', 'PATCH', 'DELETE'])('%s finds no note through a lead that it is not of', async method => {
  const [leadId, other] = [await makeLead(), await makeLead()]
  const note = await write(leadId, 'here')
  const body = method === 'PATCH' ? { body: { body: 'there' } } : {}
  expect((await tenant.call(method, `/leads/${other}/notes/${note.id}`, body)).status).toBe(404)
  expect((await tenant.call<Written>('GET', `/leads/${leadId}/notes/${note.id}`)).body).toEqual(note)
  expect((await readLead(other)).notesCount).toBe(0)
})

test('a lead that is not there has no notes, and takes none', async () => {
  const nowhere = `/leads/${newId()}`
  expect((await tenant.call('GET', nowhere)).status).toBe(404)
  expect((await tenant.call('GET', `${nowhere}/notes`)).status).toBe(404)
  expect((await tenant.call('POST', `${nowhere}/notes`, { body: { body: 'lost' } })).status).toBe(404)
})

test('notes written at one moment are all counted', async () => {
  const leadId = await makeLead()
  await Promise.all(Array.from({ length: 20 }, (_, at) => write(leadId, `note ${at}`)))
  expect((await readLead(leadId)).notesCount).toBe(20)
})

async function countWaiting(): Promise<number | null> {
  const { rowCount } = await app.database.ownerPool.query(
    'select from pg_locks l join pg_stat_activity a using (pid) where a.datname = current_database() and not l.granted',
  )
  return rowCount
}

/** Asks while another writer holds the lead, as a merge does; `change`: what that does before it commits. */
async function whileLocked<T>(
  leadId: string,
  request: () => Promise<T>,
  change: () => ReturnType<typeof sql>,
): Promise<T> {
  let pending: Promise<T> | undefined
  await tenant.inTenant(async tx => {
    await sql`select from leads where tenant_id = ${tenant.tenantId} and id = ${leadId} for update`.execute(
      tx,
    )
    pending = request()
    await eventually(countWaiting, count => count === 1)
    await change().execute(tx)
  })
  return pending!
}

test.each(['PATCH', 'DELETE'])('%s of a note waits for who moves the notes of its lead', async method => {
  const [leadId, other] = [await makeLead(), await makeLead()]
  const note = await write(leadId, 'here')
  const body = method === 'PATCH' ? { body: { body: 'changed' } } : {}
  const { status } = await whileLocked(
    leadId,
    () => tenant.call(method, `/leads/${leadId}/notes/${note.id}`, body),
    () => sql`update notes set lead_id = ${other} where tenant_id = ${tenant.tenantId} and id = ${note.id}`,
  )
  expect(status).toBe(404)
})

test('a lead that is deleted as it was read stays if a note comes first', async () => {
  const leadId = await makeLead()
  const headers = { 'if-match': (await tenant.call('GET', `/leads/${leadId}`)).headers.get('etag')! }
  const { status } = await whileLocked(
    leadId,
    () => tenant.call('DELETE', `/leads/${leadId}`, { headers }),
    () =>
      sql`update leads set notes_count = notes_count + 1 where tenant_id = ${tenant.tenantId} and id = ${leadId}`,
  )
  expect(status).toBe(412)
})
