/** Settings in the dashboard, by role. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeWorkspace, type TestWorkspace } from '../../../test/make.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { browse, makeSignedInUser } from '../../../test/users.ts'
import { oneOf, strictObject, Type } from '../../kit/schema.ts'
import { setting } from '../../kit/settings/setting.ts'
import { settingsRoutes } from './settings-routes.ts'

const color = setting({
  name: 'color',
  scope: 'workspace',
  description: 'The colour of the door.',
  schema: strictObject({ hex: Type.String({ pattern: '^#[0-9a-f]{6}$' }) }),
  default: { hex: '#000000' },
  roles: { read: 'agent', write: 'admin' },
})
const chime = setting({
  name: 'chime',
  scope: 'environment',
  description: 'The sound of the door.',
  schema: oneOf(['ding', 'dong']),
  default: 'ding',
  roles: { read: 'agent', write: 'agent' },
})
const alarm = setting({
  name: 'alarm',
  scope: 'workspace',
  description: 'The code of the alarm.',
  schema: Type.String({ maxLength: 10 }),
  default: '',
  roles: { read: 'owner', write: 'owner' },
})
const picture = setting({
  name: 'picture',
  scope: 'workspace',
  description: 'The picture on the door.',
  schema: Type.String({ maxLength: 1_900_000 }),
  default: '',
  roles: { read: 'agent', write: 'admin' },
})

let app: TestApp
let server: FastifyInstance
let target: { url: string }
let ours: TestWorkspace
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', TRUSTED_PROXIES: '127.0.0.1/32' } })
  ours = await makeWorkspace(app.database)
  const served = await serveRoutes(app, [], {
    dashboardRoutes: settingsRoutes([color, chime, alarm, picture]),
  })
  server = served.server
  target = { url: served.url.replace('/public/v1', '') }
})
afterAll(async () => {
  await server.close()
  await app.stop()
})

const path = '/dashboard/v1/settings'
const toNames = ({ body }: Awaited<ReturnType<typeof browse>>) =>
  (body.data as { name: string }[]).map(({ name }) => name)

it('settings are listed by roles that may read them', async () => {
  const [agent, owner] = [
    await makeSignedInUser(app, ours.slug),
    await makeSignedInUser(app, ours.slug, 'owner'),
  ]
  const list = await browse(target, 'GET', path, agent)
  expect(toNames(list)).toEqual(['color', 'chime', 'picture'])
  expect((list.body.data as object[])[0]).toMatchObject({
    name: 'color',
    scope: 'workspace',
    value: { hex: '#000000' },
    isDefault: true,
    changedBy: null,
    schema: { properties: { hex: { type: 'string' } } },
  })
  expect(toNames(await browse(target, 'GET', path, owner))).toEqual(['color', 'chime', 'alarm', 'picture'])
  expect((await browse(target, 'GET', `${path}/alarm`, agent)).status).toBe(404)
  expect(await browse(target, 'GET', `${path}/alarm`, owner)).toMatchObject({
    status: 200,
    body: { value: '' },
  })
})

it('settings are changed by roles that may change them, in their workspace, with the author recorded', async () => {
  const admin = await makeSignedInUser(app, ours.slug, 'admin')
  const body = { color: { hex: '#ff0000' }, chime: 'dong' }
  const changed = await browse(target, 'PATCH', path, {
    ...admin,
    body,
    headers: { 'X-Environment': 'test' },
  })
  expect(changed.status).toBe(200)
  const { body: who } = await browse(app, 'GET', '/dashboard/v1/session', admin)
  expect(changed.body.data).toMatchObject([
    {
      name: 'color',
      value: { hex: '#ff0000' },
      isDefault: false,
      changedBy: (who.user as { id: string }).id,
    },
    { name: 'chime', value: 'dong' },
  ])
  const readValue = async (name: string, person: { cookie: string }, environment: string) =>
    (await browse(target, 'GET', `${path}/${name}`, { ...person, headers: { 'X-Environment': environment } }))
      .body.value
  expect(await readValue('color', admin, 'live')).toEqual({ hex: '#ff0000' })
  expect([await readValue('chime', admin, 'live'), await readValue('chime', admin, 'test')]).toEqual([
    'ding',
    'dong',
  ])
  const stranger = await makeSignedInUser(app, (await makeWorkspace(app.database)).slug, 'owner')
  expect(await readValue('color', stranger, 'live')).toEqual({ hex: '#000000' })
})

it('settings may have values of the maximum size', async () => {
  const admin = await makeSignedInUser(app, ours.slug, 'admin')
  const value = 'x'.repeat(1_900_000)
  const changed = await browse(target, 'PATCH', path, { ...admin, body: { picture: value } })
  expect(changed).toMatchObject({ status: 200, body: { data: [{ name: 'picture', valueOmitted: true }] } })
  expect((await browse(target, 'GET', `${path}/picture`, admin)).body.value).toBe(value)
  const larger = await browse(target, 'PATCH', path, { ...admin, body: { picture: value.repeat(2) } })
  expect(larger).toMatchObject({ status: 413, body: { message: 'The body is larger than 2.5 MiB.' } })
})

it('settings are all changed or none: a role that is too low or an invalid value changes nothing', async () => {
  const { slug } = await makeWorkspace(app.database)
  const [agent, owner] = [await makeSignedInUser(app, slug), await makeSignedInUser(app, slug, 'owner')]
  const refused = await browse(target, 'PATCH', path, {
    ...agent,
    body: { chime: 'dong', color: { hex: '#ff0000' } },
  })
  expect(refused).toMatchObject({ status: 403, body: { message: 'Changing color requires the role admin.' } })
  const faulty = { chime: 'dong', color: { hex: 'red' }, door: 1, 'a/b': 1 }
  const invalid = await browse(target, 'PATCH', path, { ...owner, body: faulty })
  expect(invalid.status).toBe(400)
  expect((invalid.body.errors as { path: string }[]).map(each => each.path)).toEqual([
    '/color/hex',
    '/door',
    '/a~1b',
  ])
  const { body } = await browse(target, 'GET', path, owner)
  expect((body.data as { isDefault: boolean }[]).every(({ isDefault }) => isDefault)).toBe(true)
})
