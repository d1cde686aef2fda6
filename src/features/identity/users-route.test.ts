/** The users of a workspace, to whom conversations are assigned. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey, makeWorkspace } from '../../../test/make.ts'
import { inviteUser, revokeUser } from './service.ts'

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
  const [{ slug }, foreign] = await Promise.all([makeWorkspace(app.database), makeWorkspace(app.database)])
  const names = ['eva', 'Ana', 'ana', 'Berta']
  for (const [index, name] of names.entries())
    await inviteUser(app.database.owner, { workspace: slug, email: `${index}@${slug}.example`, name })
  await inviteUser(app.database.owner, { workspace: foreign.slug, email: `a@${slug}.example`, name: 'Carla' })
  const key = await makeKey(app.database, { workspace: slug, scopes: ['messaging:read'] })
  const read = async (query: string) => (await app.call<Page>('GET', `/users?${query}`, { key })).body
  const first = await read('limit=3')
  expect(first.data.map(({ name }) => name.toLowerCase())).toEqual(['ana', 'ana', 'berta'])
  const rest = await read(`limit=3&cursor=${first.nextCursor}`)
  expect(rest).toEqual({
    data: [
      { id: expect.any(String), name: 'eva', active: true },
      { id: expect.any(String), name: 'Owner', active: true },
    ],
    nextCursor: null,
  })
  const user = { workspace: slug, email: `0@${slug}.example` }
  await revokeUser(app.database.owner, user)
  expect((await read('limit=10')).data.at(-2)).toMatchObject({ name: 'eva', active: false })
  await inviteUser(app.database.owner, user)
  // Every group of routes has ids of users.
  const other = await makeKey(app.database, { workspace: slug, scopes: ['scheduling:write'] })
  const { body } = await app.call<Page>('GET', '/users', { key: other })
  expect(body.data.at(-2)).toMatchObject({ name: 'eva', active: true })
})
