/** Sessions of signed-in users: access, end and protection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeLeads, makeWorkspace, type TestWorkspace } from '../../../test/make.ts'
import {
  browse,
  makeSignedInUser,
  makeUser,
  password,
  type SignedInUser,
  signIn,
} from '../../../test/users.ts'
import { hashToken } from '../../kit/session.ts'
import { inviteUser, revokeUser } from './service.ts'

let app: TestApp
/** A second process of the deployment. */
let other: TestApp
let ours: TestWorkspace
beforeAll(async () => {
  // Each visitor has its own address, as reported by a proxy.
  const env = { ROLE: 'api', TRUSTED_PROXIES: '127.0.0.1/32' }
  app = await startTestApp({ env })
  other = await startTestApp({ env, databaseUrl: app.config.databaseUrl! })
  ours = await makeWorkspace(app.database)
})
afterAll(async () => {
  await other.stop()
  await app.stop()
})

const session = '/dashboard/v1/session'
const leads = '/public/v1/leads'
async function querySession(cookie: string, statement: string) {
  const { rows } = await app.database.ownerPool.query(`${statement} where token_hash = $1`, [
    hashToken(cookie.split('=')[1]!),
  ])
  return rows[0]
}
/** What a transaction of the session begins with. */
const readKey = (cookie: string): Promise<{ keyId: string; workspaceId: string }> =>
  querySession(cookie, 'select id as "keyId", workspace_id as "workspaceId" from sessions')
const fetchStatus = async (target: TestApp, cookie: string, path = session) =>
  (await browse(target, 'GET', path, { cookie })).status

describe('a session', () => {
  it('identifies the user, on every process', async () => {
    const { email, cookie } = await makeSignedInUser(app, ours.slug, 'admin')
    for (const target of [app, other])
      expect(await browse(target, 'GET', session, { cookie })).toMatchObject({
        status: 200,
        body: {
          user: { email, name: 'Marta', role: 'admin' },
          workspace: { slug: ours.slug },
          environments: ['live', 'test'],
          expiresAt: expect.stringMatching(/Z$/),
        },
      })
  })

  it('is found after PostgreSQL has closed the connections of the process', async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug)
    await Promise.all(Array.from({ length: 8 }, () => fetchStatus(app, cookie, leads)))
    for (let round = 0; round < 3; round++) {
      await app.database.ownerPool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      expect(await fetchStatus(app, cookie)).toBe(200)
    }
  })

  it('gives access to the API like a key, in live unless X-Environment is test', async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug)
    const [live] = await makeLeads(app.database, ours.liveTenantId, [{}])
    const [test] = await makeLeads(app.database, ours.testTenantId, [{}])
    const listIds = async (headers: Record<string, string>) => {
      const { body } = await browse(app, 'GET', leads, { cookie, headers })
      return (body.data as { id: string }[]).map(({ id }) => id)
    }
    expect(await listIds({})).toEqual([live])
    expect(await listIds({ 'X-Environment': 'live' })).toEqual([live])
    expect(await listIds({ 'X-Environment': 'test' })).toEqual([test])
    const wrong = await browse(app, 'GET', leads, { cookie, headers: { 'X-Environment': 'staging' } })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: '/X-Environment' }] } })
  })

  it('records its user as author of writes, also of bulk changes of leads', async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug)
    const headers = { 'X-Environment': 'test' }
    const { body: who } = await browse(app, 'GET', session, { cookie })
    const userId = (who.user as { id: string }).id
    const [leadId] = await makeLeads(app.database, ours.testTenantId, [{}])
    const note = await browse(app, 'POST', `${leads}/${leadId}/notes`, {
      cookie,
      headers,
      body: { body: 'Hello' },
    })
    expect(note).toMatchObject({ status: 201, body: { authorUserId: userId } })
    const suppression = await browse(app, 'POST', '/public/v1/suppressions', {
      cookie,
      headers,
      body: { identifiers: [{ kind: 'email', value: 'nobody@example.com' }] },
    })
    expect(suppression).toMatchObject({ status: 201, body: { data: [{ createdBy: userId }] } })
    const change = { ids: [leadId], changes: { lawfulBasis: { kind: 'contract' } } }
    expect((await browse(app, 'PATCH', leads, { cookie, headers, body: change })).status).toBe(200)
    const stored = await app.database.readTenant({ tenantId: ours.testTenantId }, tx =>
      tx.selectFrom('leads').select('lawful_basis_by').where('id', '=', leadId!).executeTakeFirst(),
    )
    expect(stored).toEqual({ lawful_basis_by: userId })
  })

  it('has a rate limit of its own, and no key in /me', async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug)
    const { headers, body } = await browse(app, 'GET', '/public/v1/me', { cookie })
    expect(headers.get('x-ratelimit-remaining')).toBe('599')
    expect(body).toMatchObject({ key: null, workspace: { slug: ours.slug } })
  })

  it('is ignored if the request has a key', async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug)
    const headers = { 'X-Api-Key': app.workspace.testKey }
    const { body } = await browse(app, 'GET', '/public/v1/me', { cookie, headers })
    expect(body).toMatchObject({ key: { environment: 'test' }, workspace: { slug: app.workspace.slug } })
    const refused = await browse(app, 'GET', '/public/v1/me', {
      cookie,
      headers: { 'X-Api-Key': 'nonsense' },
    })
    expect(refused.status).toBe(401)
  })

  it('is stored as a hash, and its cookie is host-only and HttpOnly', async () => {
    const email = await makeUser(app, ours.slug)
    const reply = await browse(app, 'POST', session, { body: { email, password } })
    const cookie = reply.headers.get('set-cookie')!
    expect(cookie).toMatch(/^aldaba_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    const { row } = await querySession(cookie.split(';')[0]!, 'select s::text as row from sessions s')
    expect(row).toEqual(expect.any(String))
    expect(row).not.toContain(cookie.slice(15, 58))
  })
})

describe('a session ends, on the next request to every process,', () => {
  const expectEnded = async (cookie: string) => {
    for (const target of [app, other])
      for (const path of [session, leads]) {
        const { status, body } = await browse(target, 'GET', path, { cookie })
        expect([status, body.message]).toEqual([401, 'Your session has ended. Sign in again.'])
      }
  }
  const signInAndUseEverywhere = async (): Promise<SignedInUser> => {
    const person = await makeSignedInUser(app, ours.slug)
    for (const target of [app, other]) expect(await fetchStatus(target, person.cookie, leads)).toBe(200)
    return person
  }

  it('when the user signs out', async () => {
    const { email, cookie } = await signInAndUseEverywhere()
    const elsewhere = await signIn(other, email)
    const reply = await browse(app, 'DELETE', session, { cookie })
    expect(reply.status).toBe(204)
    expect(reply.headers.get('set-cookie')).toMatch(/^aldaba_session=; Path=\/; Max-Age=0;/)
    await expectEnded(cookie)
    expect(await fetchStatus(app, elsewhere)).toBe(200)
  })

  it('when the user signs out everywhere, but not the sessions of other users', async () => {
    const { email, cookie } = await signInAndUseEverywhere()
    const [elsewhere, colleague] = [await signIn(other, email), await signInAndUseEverywhere()]
    expect((await browse(other, 'DELETE', '/dashboard/v1/sessions', { cookie: elsewhere })).status).toBe(204)
    for (const ended of [cookie, elsewhere]) await expectEnded(ended)
    expect(await fetchStatus(app, colleague.cookie)).toBe(200)
  })

  it('when the user sets a new password', async () => {
    const { email, cookie } = await signInAndUseEverywhere()
    const { token } = await inviteUser(app.database.owner, { workspace: ours.slug, email })
    expect(await fetchStatus(app, cookie)).toBe(200)
    const body = { token, password: `another ${password}` }
    expect((await browse(other, 'POST', '/dashboard/v1/password', { body })).status).toBe(204)
    await expectEnded(cookie)
    expect((await browse(app, 'POST', session, { body: { email, password } })).status).toBe(401)
  })

  it('when the operator revokes the user, who cannot sign in again', async () => {
    const { email, cookie } = await signInAndUseEverywhere()
    expect(await revokeUser(app.database.owner, { workspace: ours.slug, email })).toBe(1)
    await expectEnded(cookie)
    expect((await browse(app, 'POST', session, { body: { email, password } })).status).toBe(401)
  })

  it.each(['expires_at', 'idle_expires_at'])('when %s has passed', async column => {
    const { cookie } = await signInAndUseEverywhere()
    await querySession(cookie, `update sessions set ${column} = now() - interval '1 second'`)
    await expectEnded(cookie)
  })

  it('also for a request under way: the transaction checks the session again', async () => {
    const { cookie } = await signInAndUseEverywhere()
    const begun = { tenantId: ours.liveTenantId, ...(await readKey(cookie)) }
    const enter = () => app.database.withTenant(begun, async () => 'entered')
    expect(await enter()).toBe('entered')
    await browse(other, 'DELETE', session, { cookie })
    await expect(enter()).rejects.toMatchObject({ code: 'AL401' })
  })

  it('at a fixed time, because use extends only the idle expiry', async () => {
    const { cookie } = await signInAndUseEverywhere()
    const read = () => querySession(cookie, 'select expires_at, idle_expires_at from sessions')
    const before = await read()
    await querySession(cookie, `update sessions set idle_expires_at = now() + interval '1 minute'`)
    const third = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: app.config.databaseUrl! })
    expect(await fetchStatus(third, cookie)).toBe(200)
    const after = await eventually(
      read,
      ({ idle_expires_at }) => idle_expires_at.getTime() > Date.now() + 23 * 3_600_000,
    )
    await third.stop()
    expect(after.expires_at).toEqual(before.expires_at)
  })
})

describe('a session never reaches', () => {
  it("another workspace's data, or a tenant named in the request", async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug, 'owner')
    const theirs = await makeWorkspace(app.database)
    const [leadId] = await makeLeads(app.database, theirs.liveTenantId, [{}])
    expect(await fetchStatus(app, cookie, `${leads}/${leadId}`)).toBe(404)
    const key = await readKey(cookie)
    for (const tenantId of [theirs.liveTenantId, theirs.testTenantId])
      await expect(app.database.readTenant({ tenantId, ...key }, async () => {})).rejects.toMatchObject({
        code: 'AL401',
      })
  })

  it('more than its role allows: agents have no access to webhooks', async () => {
    const [agent, admin, owner] = await Promise.all(
      (['agent', 'admin', 'owner'] as const).map(role => makeSignedInUser(app, ours.slug, role)),
    )
    const webhooks = '/public/v1/webhooks'
    const refused = await browse(app, 'GET', webhooks, { cookie: agent!.cookie })
    expect(refused).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } })
    expect(refused.body.message).toContain('webhooks:read')
    for (const { cookie } of [admin!, owner!]) expect(await fetchStatus(app, cookie, webhooks)).toBe(200)
    expect(await fetchStatus(app, agent!.cookie, leads)).toBe(200)
  })

  it('more than its current role allows: a role change takes effect at once', async () => {
    const { email, cookie } = await makeSignedInUser(app, ours.slug, 'admin')
    expect(await fetchStatus(other, cookie, '/public/v1/webhooks')).toBe(200)
    await app.database.owner.updateTable('users').set({ role: 'agent' }).where('email', '=', email).execute()
    expect(await fetchStatus(other, cookie, '/public/v1/webhooks')).toBe(403)
  })
})

describe('a request with the cookie', () => {
  const foreign = [
    ['from another origin', { Origin: 'https://foreign.example' }],
    ['from a sandboxed page', { Origin: 'null' }],
    ['with Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['with Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['with an empty Origin', { Origin: '' }],
  ] as const

  it.each(foreign)('is refused %s', async (_what, headers) => {
    const { email, cookie } = await makeSignedInUser(app, ours.slug)
    for (const [method, path, body] of [
      ['POST', leads, { contact: { name: 'Marta' } }],
      ['DELETE', session, undefined],
      ['DELETE', '/dashboard/v1/sessions', undefined],
      ['PATCH', '/dashboard/v1/settings', {}],
      ['POST', session, { email, password }],
    ] as const) {
      const refused = await browse(app, method, path, {
        cookie,
        headers: { ...headers },
        ...(body ? { body } : {}),
      })
      const what = `${method} ${path}`
      expect([refused.status, refused.body.code], what).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    }
    expect(await fetchStatus(app, cookie)).toBe(200)
  })

  it('is refused if it is not JSON', async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug)
    const headers = { Cookie: cookie, Origin: app.url, 'Content-Type': 'text/plain' }
    expect((await fetch(app.url + leads, { method: 'POST', headers, body: '{}' })).status).toBe(415)
  })

  it('is accepted from the dashboard itself, also if a proxy changes the host', async () => {
    const { cookie } = await makeSignedInUser(app, ours.slug)
    const body = { contact: { name: 'Marta' } }
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: app.config.publicUrl }])
      expect((await browse(app, 'POST', leads, { cookie, headers, body })).status).toBe(201)
  })
})
