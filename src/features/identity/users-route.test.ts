/** The users of a workspace, to whom conversations are assigned. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey, makeWorkspace } from '../../../test/make.ts'
import { inviteUser } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

interface Page {
  data: { id: string; name: string }[]
  nextCursor: string | null
}

test('users are listed by name without their addresses, page by page, and those of other workspaces are not', async () => {
  const [{ slug }, other] = await Promise.all([makeWorkspace(app.database), makeWorkspace(app.database)])
  const names = ['eva', 'Ana', 'ana', 'Berta']
  for (const [index, name] of names.entries())
    await inviteUser(app.database.owner, { workspace: slug, email: `${index}@${slug}.example`, name })
  await inviteUser(app.database.owner, { workspace: other.slug, email: `a@${slug}.example`, name: 'Carla' })
  const key = await makeKey(app.database, { workspace: slug, scopes: ['messaging:read'] })
  const read = async (query: string) => (await app.call<Page>('GET', `/users?${query}`, { key })).body
  const first = await read('limit=3')
  expect(first.data.map(({ name }) => name.toLowerCase())).toEqual(['ana', 'ana', 'berta'])
  const rest = await read(`limit=3&cursor=${first.nextCursor}`)
  expect(rest).toEqual({
    data: [
      { id: expect.any(String), name: 'eva' },
      { id: expect.any(String), name: 'Owner' },
    ],
    nextCursor: null,
  })
  const unscoped = await makeKey(app.database, { workspace: slug, scopes: ['leads:read'] })
  expect((await app.call('GET', '/users', { key: unscoped })).status).toBe(403)
})
