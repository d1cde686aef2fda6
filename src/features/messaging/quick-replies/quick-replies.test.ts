/** Quick replies over HTTP: unique shortcuts, in order, without variables. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

interface Reply {
  id: string
  shortcut: string
  text: string
}

const create = (shortcut: string, text = 'Hola') =>
  tenant.call<Reply>('POST', '/quick-replies', { body: { shortcut, text } })

it('are listed by shortcut, page by page, changed and deleted', async () => {
  for (const shortcut of ['visita', 'año', 'precio']) expect((await create(shortcut)).status).toBe(201)
  const list = async (query: string) =>
    (await tenant.call<{ data: Reply[]; nextCursor: string | null }>('GET', `/quick-replies?${query}`)).body
  const first = await list('limit=2')
  const second = await list(`limit=2&cursor=${first.nextCursor}`)
  const all = [...first.data, ...second.data]
  expect(all.map(({ shortcut }) => shortcut)).toEqual(['año', 'precio', 'visita'])
  expect(second.nextCursor).toBeNull()
  const path = `/quick-replies/${all[1]!.id}`
  const changed = await tenant.call('PATCH', path, { body: { text: '¿Le va bien 250.000 €?' } })
  expect(changed).toMatchObject({ status: 200, body: { shortcut: 'precio', text: '¿Le va bien 250.000 €?' } })
  expect((await tenant.call('DELETE', path)).status).toBe(204)
  expect((await tenant.call('DELETE', path)).status).toBe(404)
  expect((await tenant.call('PATCH', path, { body: { text: 'x' } })).status).toBe(404)
})

it('have unique shortcuts in a workspace, also when two people take one at once', async () => {
  const replies = await Promise.all([create('hola'), create('hola'), create('adios')])
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409])
  const { id } = replies.map(({ body }) => body).find(({ shortcut }) => shortcut === 'adios')!
  const taken = await tenant.call('PATCH', `/quick-replies/${id}`, { body: { shortcut: 'hola' } })
  expect(taken).toMatchObject({ status: 409, body: { code: 'SHORTCUT_TAKEN' } })
  const own = await tenant.call('PATCH', `/quick-replies/${id}`, { body: { shortcut: 'adios' } })
  expect(own.status).toBe(200)
  const other = await makeTenant(app)
  const elsewhere = await other.call('POST', '/quick-replies', { body: { shortcut: 'hola', text: 'Hola' } })
  expect(elsewhere.status).toBe(201)
})

it.each([
  [{ shortcut: 'Con Espacio', text: 'Hola' }, '/shortcut'],
  [{ shortcut: 'hola', text: '' }, '/text'],
  [{ shortcut: 'hola', text: ' \u200b' }, '/text'],
  [{ shortcut: 'hola', text: 'Hola {{ contact.name }}' }, '/text'],
  [{ shortcut: 'hola', text: '{% if x %}' }, '/text'],
  [{ shortcut: 'hola', text: 'Hola', colour: 'red' }, '/colour'],
])('refuse %j', async (body, path) => {
  const reply = await tenant.call<{ errors: { path: string }[] }>('POST', '/quick-replies', { body })
  expect(reply.status).toBe(400)
  expect(reply.body.errors.map(error => error.path)).toEqual([path])
})
