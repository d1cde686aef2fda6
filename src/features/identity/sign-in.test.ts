/** Signing in: tokens, rate limits and replies that reveal nothing. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../../test/command.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeWorkspace, type TestWorkspace } from '../../../test/make.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { browse, makeUser, password } from '../../../test/users.ts'
import { sql } from '../../kit/db/index.ts'
import { createLog } from '../../kit/log.ts'
import { signInRoutes } from './dashboard-routes.ts'
import { deleteExpiredSignIns } from './jobs.ts'
import { inviteUser } from './service.ts'
import { signIn } from './sign-in.ts'

let app: TestApp
let ours: TestWorkspace
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', TRUSTED_PROXIES: '127.0.0.1/32' } })
  ours = await makeWorkspace(app.database)
})
afterAll(() => app.stop())

const session = '/dashboard/v1/session'
const postSession = (body: object, headers: Record<string, string> = {}) =>
  browse(app, 'POST', session, { body, headers })
const newEmail = () => `${randomBytes(5).toString('hex')}@agency.example`

describe('many clients signing in', () => {
  it('wait in a queue of limited length; further ones are refused at once', async () => {
    const refused: number[] = []
    let crowd: Promise<unknown> = Promise.resolve()
    await app.database.owner.transaction().execute(async tx => {
      await sql`lock table sign_in_attempts in access exclusive mode`.execute(tx)
      const attemptSignIn = async () => {
        const { status } = await postSession({ email: newEmail(), password })
        refused.push(status)
      }
      crowd = Promise.all(Array.from({ length: 120 }, attemptSignIn))
      await eventually(
        async () => refused.length,
        count => count >= 30,
      )
      expect(new Set(refused)).toEqual(new Set([429]))
    })
    await crowd
    // More than the slots, so some waited. On a slow machine, others waited too long.
    expect(refused.filter(status => status === 401).length).toBeGreaterThan(16)
  })

  it('take no place in the queue before their request is complete', async () => {
    const { host, hostname, port } = new URL(app.url)
    const sockets = Array.from({ length: 40 }, (_, n) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(
        `POST ${session} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${app.url}\r\nX-Forwarded-For: 198.19.0.${n}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      )
      return socket
    })
    await sleep(500)
    const startedMs = performance.now()
    expect((await postSession({ email: newEmail(), password })).status).toBe(401)
    expect(performance.now() - startedMs).toBeLessThan(30_000)
    for (const socket of sockets) socket.destroy()
  })
})

describe('a token', () => {
  const setPassword = (token: string, chosen = password) =>
    browse(app, 'POST', '/dashboard/v1/password', { body: { token, password: chosen } })
  const invite = (email: string) => inviteUser(app.database.owner, { workspace: ours.slug, email })

  it('sets a password once', async () => {
    const email = newEmail()
    const { token } = await invite(email)
    expect((await postSession({ email, password })).status).toBe(401)
    expect((await setPassword(token)).status).toBe(204)
    expect((await postSession({ email, password })).status).toBe(204)
    expect(await setPassword(token, `another ${password}`)).toMatchObject({
      status: 400,
      body: { code: 'PASSWORD_TOKEN_INVALID' },
    })
    expect((await postSession({ email, password })).status).toBe(204)
  })

  it('sets one password if it is used concurrently', async () => {
    const email = newEmail()
    const { token } = await invite(email)
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async nth => (await setPassword(token, `${password} ${nth}`)).status),
    )
    expect(statuses.sort()).toEqual([204, 400, 400, 400])
  })

  it('is replaced by the next one, and expires', async () => {
    const email = newEmail()
    const first = await invite(email)
    const second = await invite(email)
    expect((await setPassword(first.token)).status).toBe(400)
    await app.database.ownerPool.query("update password_tokens set expires_at = now() - interval '1 second'")
    expect((await setPassword(second.token)).status).toBe(400)
  })

  it('sets no short password, with an error that says so', async () => {
    const { token } = await invite(newEmail())
    expect(await setPassword(token, 'fourteen signs')).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/password', code: 'TOO_SHORT' }] },
    })
  })
})

describe('a refused sign-in', () => {
  it('states the size limit if the body is too large', async () => {
    const { status, body } = await postSession({ email: newEmail(), password: 'x'.repeat(20_000) })
    expect([status, body.message]).toEqual([413, 'The body is larger than 16 KiB.'])
  })

  it('has the same reply for an unknown address and a wrong password', async () => {
    const email = await makeUser(app, ours.slug)
    const replies = [
      await postSession({ email, password: 'wrong' }),
      await postSession({ email: newEmail(), password: 'wrong' }),
      await postSession({ email, password, workspace: 'elsewhere' }),
    ].map(({ status, body: { requestId: _, ...body } }) => ({ status, body }))
    expect(replies[0]).toMatchObject({ status: 401, body: { code: 'SIGN_IN_FAILED' } })
    for (const reply of replies) expect(reply).toEqual(replies[0])
  })

  it('computes a hash for known and for unknown addresses', async () => {
    const disconnected = AbortSignal.abort(new Error('gone before the hash'))
    const email = await makeUser(app, ours.slug)
    for (const each of [email, newEmail()])
      await expect(
        signIn(
          app.database,
          app.deployment.cipher,
          { email: each, password, workspace: null },
          { address: 'x', disconnected },
        ),
      ).rejects.toThrow('gone before the hash')
  })

  it('is followed by growing pauses after five attempts, for any address, even with the right password', async () => {
    for (const email of [await makeUser(app, ours.slug), newEmail()]) {
      const statuses = []
      for (let nth = 0; nth < 6; nth++)
        statuses.push((await postSession({ email, password: 'wrong' })).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      const pauses: number[] = []
      for (let nth = 0; nth < 11; nth++) {
        pauses.push(await readLastPause())
        await passTime(-60)
        const refused = await postSession({ email: email.toUpperCase(), password })
        expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED'])
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(pauses.at(-1)! + 60)
        await passTime(360)
        expect((await postSession({ email, password: 'wrong' })).status).toBe(401)
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    }
  })

  /** Shortens the pauses, as if these seconds had passed. */
  const passTime = (seconds: number) =>
    app.database.ownerPool.query(
      'update sign_in_attempts set locked_until = locked_until - make_interval(secs => $1)',
      [seconds],
    )

  /** The pause after the latest attempt, in seconds. */
  const readLastPause = async () => {
    const { rows } = await app.database.ownerPool.query<{ pause: number }>(
      `select extract(epoch from locked_until - last_attempt_at)::int as pause from sign_in_attempts
       order by last_attempt_at desc limit 1`,
    )
    return rows[0]!.pause
  }

  it('is counted even if concurrent: five attempts are allowed, and then one after each pause', async () => {
    const email = await makeUser(app, ours.slug)
    const startedMs = performance.now()
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => postSession({ email, password: 'wrong' })),
    )
    const { 401: counted = [], 429: paused = [] } = Object.groupBy(replies, ({ status }) => status)
    expect(counted.length + paused.length).toBe(25)
    expect(counted.length).toBeGreaterThanOrEqual(5)
    // The pauses take 1, 3, 7 … seconds together.
    expect(counted.length).toBeLessThanOrEqual(5 + Math.log2(1 + (performance.now() - startedMs) / 1000))
  })

  it('is no longer counted after a successful sign-in', async () => {
    const email = await makeUser(app, ours.slug)
    for (let round = 0; round < 3; round++) {
      for (let nth = 0; nth < 4; nth++) await postSession({ email, password: 'wrong' })
      expect((await postSession({ email, password })).status).toBe(204)
    }
  })

  it('is limited to thirty a minute per client address, over all e-mail addresses', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.77' }
    const attempts = Array.from({ length: 40 }, () =>
      postSession({ email: newEmail(), password: 'wrong' }, headers),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter(status => status === 429).length).toBeGreaterThan(5)
    expect((await postSession({ email: newEmail(), password: 'wrong' })).status).toBe(401)
  })
})

it('a user of several workspaces must name the workspace', async () => {
  const email = await makeUser(app, ours.slug)
  const theirs = await makeWorkspace(app.database)
  const { token } = await inviteUser(app.database.owner, { workspace: theirs.slug, email })
  await browse(app, 'POST', '/dashboard/v1/password', { body: { token, password } })
  expect((await postSession({ email, password })).status).toBe(401)
  for (const { slug } of [ours, theirs]) {
    const reply = await postSession({ email, password, workspace: slug })
    const cookie = reply.headers.get('set-cookie')!.split(';')[0]!
    const { body } = await browse(app, 'GET', session, { cookie })
    expect(body).toMatchObject({ workspace: { slug } })
  }
})

it('with https the cookie is Secure and host-only, and no password is logged', async () => {
  const email = await makeUser(app, ours.slug)
  const log = createLog('silent')
  const spies = (['info', 'warn', 'error'] as const).map(level => vi.spyOn(log, level))
  const publicUrl = 'https://leads.example'
  const { server, url } = await serveRoutes(app, [], {
    log,
    publicUrl,
    anonymousRoutes: signInRoutes({ cipher: app.deployment.cipher, publicUrl }),
  })
  const send = (body: object) =>
    browse({ url: url.replace('/public/v1', '') }, 'POST', session, { body, headers: { Origin: publicUrl } })
  const reply = await send({ email, password })
  for (const wrong of [{ email, password: `${password}!` }, { email, password: 7 }, { email }])
    await send(wrong)
  await server.close()
  expect(reply.headers.get('set-cookie')).toMatch(
    /^__Host-aldaba_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
  )
  const logged = JSON.stringify(spies.map(spy => spy.mock.calls))
  expect(logged).toContain(session)
  for (const secret of [password, email, 'aldaba_session']) expect(logged).not.toContain(secret)
})

it('expired sessions, tokens and attempts are deleted', async () => {
  const email = await makeUser(app, ours.slug)
  await postSession({ email, password })
  await postSession({ email: newEmail(), password: 'wrong' })
  await inviteUser(app.database.owner, { workspace: ours.slug, email })
  const { ownerPool } = app.database
  await ownerPool.query(`
    update sessions set idle_expires_at = now() - interval '1 second';
    update password_tokens set expires_at = now() - interval '1 second';
    update sign_in_attempts set last_attempt_at = now() - interval '25 hours'`)
  const kept = await makeUser(app, ours.slug)
  await postSession({ email: kept, password })
  await deleteExpiredSignIns.run({ database: app.database } as never)
  for (const [table, count] of Object.entries({ sessions: 1, password_tokens: 0, sign_in_attempts: 0 })) {
    const { rows } = await ownerPool.query(`select count(*)::int as count from ${table}`)
    expect([table, rows[0].count]).toEqual([table, count])
  }
})

it('the operator invites and revokes on the command line', async () => {
  const email = newEmail()
  const options = ['--workspace', ours.slug, '--email', email]
  const invited = await runCommand(app, ['users', 'invite', ...options, '--name', 'Pau', '--role', 'admin'])
  expect(invited).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) })
  const body = { token: invited.stdout.trim(), password }
  expect((await browse(app, 'POST', '/dashboard/v1/password', { body })).status).toBe(204)
  expect((await postSession({ email, password })).status).toBe(204)
  const again = await runCommand(app, ['users', 'invite', ...options, '--role', 'owner'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('omit --name and --role') })
  const revoked = await runCommand(app, ['users', 'revoke', ...options])
  expect(revoked).toMatchObject({ code: 0, stdout: `revoked ${email}; sessions ended: 1\n` })
  expect((await postSession({ email, password })).status).toBe(401)
  const unknown = await runCommand(app, ['users', 'revoke', '--workspace', ours.slug, '--email', newEmail()])
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('has no user') })
  const noAddress = await runCommand(app, ['users', 'invite', '--workspace', ours.slug, '--email', 'Marta'])
  expect(noAddress).toMatchObject({ code: 1, stderr: expect.stringContaining('is not an e-mail address') })
})
