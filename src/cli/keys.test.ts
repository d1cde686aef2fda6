/** `npx aldaba keys`, as an operator runs it beside a running server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, runJsonCommand, toDatabaseLine, toRefusal } from '../../test/command.ts'
import { startTestApp, type TestApp } from '../../test/harness.ts'
import { parseKeyEnvironment } from '../kit/key.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const runAldaba = (args: string[], env?: Record<string, string>) => runCommand(app, args, env)
const expectedStderr = () => toDatabaseLine(app)
const readJson = (args: string[]) => runJsonCommand(app, args)
const createKey = (...more: string[]) =>
  runAldaba(['keys', 'create', '--workspace', app.workspace.slug, '--name', 'CRM', ...more])

describe('aldaba keys', () => {
  it('create prints only the key, which is valid at once; list hides its value; revoke ends it', async () => {
    const created = await createKey(
      '--environment',
      'test',
      '--scopes',
      'leads:read, webhooks:write',
      '--expires-in',
      '90d',
    )
    expect(created).toMatchObject({ code: 0, stderr: expectedStderr() })
    expect(created.stdout).toMatch(/^\S+\n$/)
    const key = created.stdout.trim()
    expect(parseKeyEnvironment(key)).toBe('test')
    expect((await app.call('GET', '/leads', { key })).status).toBe(200)
    expect((await app.call('POST', '/extractions', { key, body: {} })).status).toBe(403)

    const keys = await readJson(['keys', 'list', '--workspace', app.workspace.slug])
    const listed = keys.find((each: { last4: string }) => each.last4 === key.slice(-4))
    expect(listed).toMatchObject({
      workspace: app.workspace.slug,
      name: 'CRM',
      environment: 'test',
      scopes: ['leads:read', 'webhooks:write'],
      revokedAt: null,
    })
    const days = (Date.parse(listed.expiresAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(89.9)
    expect(days).toBeLessThan(90.1)
    expect(JSON.stringify(keys)).not.toContain(key.slice(9, -4))

    expect(await runAldaba(['keys', 'revoke', listed.id])).toEqual({
      code: 0,
      stdout: `revoked ${listed.id}\n`,
      stderr: expectedStderr(),
    })
    expect((await app.call('GET', '/leads', { key })).status).toBe(401)
  })

  it('list prints a table with the state and the last characters of each key', async () => {
    const { code, stdout } = await runAldaba(['keys', 'list'])
    expect(code).toBe(0)
    expect(stdout).toContain(`…${app.workspace.liveKey.slice(-4)}`)
    expect(stdout).toContain('valid')
    expect(stdout).not.toContain(app.workspace.liveKey.slice(9, -4))
  })

  it.each([
    [
      'an unknown workspace',
      ['--environment', 'test', '--workspace', 'nobody'],
      /^There is no workspace nobody\./m,
    ],
    ['an invalid duration', ['--environment', 'test', '--expires-in', 'soon'], /such as 90d/],
    [
      'an unknown scope, and lists the known ones',
      ['--environment', 'test', '--scopes', 'leads:read,leads:delete'],
      /There is no scope leads:delete\. Scopes: .*leads:write/,
    ],
    [
      'an empty list of scopes, which would mean full access',
      ['--environment', 'test', '--scopes', ' , '],
      /name at least one scope/,
    ],
    [
      'an empty name',
      ['--environment', 'test', '--name', ' '],
      /'--name <name>' argument ' ' is invalid. it must not be empty/,
    ],
    ['an empty workspace', ['--environment', 'test', '--workspace', ''], /it must not be empty/],
  ])('create refuses %s, prints no key and explains why', async (_what, args, sentence) => {
    expect(await createKey(...args)).toEqual(toRefusal(expect.stringMatching(sentence)))
  })

  it('revoke refuses an empty id', async () => {
    expect(await runAldaba(['keys', 'revoke', ''])).toEqual(
      toRefusal(expect.stringMatching(/^error: .* for argument 'id'. it must not be empty/)),
    )
  })

  it('revoke refuses an unknown id', async () => {
    expect(await runAldaba(['keys', 'revoke', 'nonsense'])).toEqual(
      toRefusal(
        `${expectedStderr()}There is no key with the id nonsense. \`aldaba keys list\` lists the ids.\n`,
      ),
    )
  })
})
