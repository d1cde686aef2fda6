/** Notes over HTTP: add, list, change, delete; and reading a lead by id. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeLeads } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { Static } from '../../../kit/schema.ts'
import type { Lead, Note } from '../schemas.ts'

type NoteReply = Static<typeof Note>

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const makeLead = async (owner = tenant) => (await makeLeads(app.database, owner.tenantId, [{}]))[0]!
const readLead = async (leadId: string) => (await tenant.call<Lead>('GET', `/leads/${leadId}`)).body

async function addNote(leadId: string, body: string): Promise<NoteReply> {
  const reply = await tenant.call<NoteReply>('POST', `/leads/${leadId}/notes`, { body: { body } })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

test('a lead is the same by id and in the list', async () => {
  const leadId = await makeLead()
  expect(await readLead(leadId)).toEqual((await tenant.listAllLeads()).find(({ id }) => id === leadId))
})

test('a note is stored, counted and updates its lead', async () => {
  const leadId = await makeLead()
  const before = await readLead(leadId)
  const note = await addNote(leadId, 'Llamar después de las 18 h.\nPregunta por el ascensor: sí.')
  expect(note).toMatchObject({ body: 'Llamar después de las 18 h.\nPregunta por el ascensor: sí.' })
  expect(note.updatedAt).toBe(note.createdAt)
  expect((await tenant.call('GET', `/leads/${leadId}/notes/${note.id}`)).body).toEqual(note)
  const after = await readLead(leadId)
  expect([before.notesCount, after.notesCount]).toEqual([0, 1])
  expect(after.updatedAt > before.updatedAt).toBe(true)
})

test('its author is the user who created the key; null if the key has no user', async () => {
  const leadId = await makeLead()
  expect((await addNote(leadId, 'of nobody')).authorUserId).toBeNull()
  const { rows } = await app.database.ownerPool.query<{ id: string }>(
    'select u.id from aldaba.users u join aldaba.tenants t using (workspace_id) where t.id = $1',
    [tenant.tenantId],
  )
  const userId = rows[0]!.id
  await tenant.inTenant(tx =>
    tx.updateTable('api_keys').set({ created_by: userId }).where('tenant_id', '=', tenant.tenantId).execute(),
  )
  expect((await addNote(leadId, 'of somebody')).authorUserId).toBe(userId)
})

test('lists the notes of this lead only, newest first, page by page', async () => {
  const [leadId, other] = [await makeLead(), await makeLead()]
  await addNote(other, 'of another')
  const written: string[] = []
  for (const body of ['one', 'two', 'three']) written.unshift((await addNote(leadId, body)).id)
  const path = `/leads/${leadId}/notes?limit=2`
  const first = (await tenant.call<{ data: NoteReply[]; nextCursor: string }>('GET', path)).body
  const rest = (
    await tenant.call<{ data: NoteReply[]; nextCursor: null }>('GET', `${path}&cursor=${first.nextCursor}`)
  ).body
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(written)
  expect(rest.nextCursor).toBeNull()
})

test('a changed note keeps its id and its creation time', async () => {
  const leadId = await makeLead()
  const note = await addNote(leadId, 'before')
  const path = `/leads/${leadId}/notes/${note.id}`
  const { status, body } = await tenant.call<NoteReply>('PATCH', path, { body: { body: 'after' } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: note.id, body: 'after', createdAt: note.createdAt })
  expect(body.updatedAt > note.updatedAt).toBe(true)
  expect((await readLead(leadId)).notesCount).toBe(1)
})

test('a deleted note is removed and not counted any more', async () => {
  const leadId = await makeLead()
  const [first, second] = [await addNote(leadId, 'first'), await addNote(leadId, 'second')]
  const path = `/leads/${leadId}/notes/${first.id}`
  expect((await tenant.call('DELETE', path)).status).toBe(204)
  expect((await tenant.call('DELETE', path)).status).toBe(404)
  expect((await tenant.call('GET', path)).status).toBe(404)
  expect((await tenant.call<{ data: NoteReply[] }>('GET', `/leads/${leadId}/notes`)).body.data).toEqual([
    second,
  ])
  expect((await readLead(leadId)).notesCount).toBe(1)
})

test.each(['', '   \n', '\u200b\0', 'x'.repeat(10_001)])(
  'a blank or too long note is refused: %#',
  async body => {
    const { status, body: refusal } = await tenant.call<{ errors: { path: string }[] }>(
      'POST',
      `/leads/${await makeLead()}/notes`,
      { body: { body } },
    )
    expect([status, refusal.errors[0]?.path]).toEqual([400, '/body'])
  },
)

test.each(['GET', 'PATCH', 'DELETE'])('%s does not find a note by another lead', async method => {
  const [leadId, other] = [await makeLead(), await makeLead()]
  const note = await addNote(leadId, 'here')
  const body = method === 'PATCH' ? { body: { body: 'there' } } : {}
  expect((await tenant.call(method, `/leads/${other}/notes/${note.id}`, body)).status).toBe(404)
  expect((await tenant.call<NoteReply>('GET', `/leads/${leadId}/notes/${note.id}`)).body).toEqual(note)
  expect((await readLead(other)).notesCount).toBe(0)
})

test('an unknown lead is 404', async () => {
  const nowhere = `/leads/${newId()}`
  expect((await tenant.call('GET', nowhere)).status).toBe(404)
  expect((await tenant.call('GET', `${nowhere}/notes`)).status).toBe(404)
  expect((await tenant.call('POST', `${nowhere}/notes`, { body: { body: 'lost' } })).status).toBe(404)
})

test('concurrent notes are all counted', async () => {
  const leadId = await makeLead()
  await Promise.all(Array.from({ length: 20 }, (_, index) => addNote(leadId, `note ${index}`)))
  expect((await readLead(leadId)).notesCount).toBe(20)
})

async function countWaiting(): Promise<number | null> {
  const { rowCount } = await app.database.ownerPool.query(
    'select from pg_locks l join pg_stat_activity a using (pid) where a.datname = current_database() and not l.granted',
  )
  return rowCount
}

/**
 * Sends the request while another writer locks the lead, as a merge does. `change`: its statement before the commit.
 */
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

test.each(['PATCH', 'DELETE'])('%s of a note waits for a merge that moves it', async method => {
  const [leadId, other] = [await makeLead(), await makeLead()]
  const note = await addNote(leadId, 'here')
  const body = method === 'PATCH' ? { body: { body: 'changed' } } : {}
  const { status } = await whileLocked(
    leadId,
    () => tenant.call(method, `/leads/${leadId}/notes/${note.id}`, body),
    () => sql`update notes set lead_id = ${other} where tenant_id = ${tenant.tenantId} and id = ${note.id}`,
  )
  expect(status).toBe(404)
})

test('a deletion with If-Match is refused if a note was added first', async () => {
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
