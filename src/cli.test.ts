/** The command line: output, streams and exit codes. */
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseLine, listLoadedPackages, runCommand, spawnCommand } from '../test/command.ts'
import { makeEmptyDatabase, startTestApp, type TestApp, testEncryptionKey } from '../test/harness.ts'
import { makeKey } from '../test/make.ts'
import { parseKeyEnvironment } from './kit/key.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const aldaba = (args: string[], env?: Record<string, string>) => runCommand(app, args, env)
const database = () => databaseLine(app)
const json = async (args: string[]) => {
  const { code, stdout, stderr } = await aldaba([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: database() })
  return JSON.parse(stdout)
}
const refusal = (stderr: unknown) => ({ code: 1, stdout: '', stderr })
const createKey = (...more: string[]) =>
  aldaba(['keys', 'create', '--workspace', app.workspace.slug, '--name', 'CRM', ...more])

it('the installed program runs a command and exits with its code', async () => {
  const list = ['keys', 'list', '--workspace', app.workspace.slug, '--json']
  const spawned = await spawnCommand(app, list)
  expect(spawned).toMatchObject({ code: 0, stderr: database() })
  expect(JSON.parse(spawned.stdout)).toEqual(await json(list.slice(0, -1)))
  for (const args of [['keys', 'revoke', 'none'], ['keyz']])
    expect(await spawnCommand(app, args)).toEqual(await aldaba(args))
})

it.each([
  ['workspaces', 'list'],
  ['doctor', '--json'],
])('%s %s loads only what it needs, so that it starts within a second', async (...args) => {
  const packages = await listLoadedPackages(app, args)
  expect(packages).toContain('kysely')
  for (const serverPackage of ['graphile-worker', 'fastify', 'undici'])
    expect(packages).not.toContain(serverPackage)
})

describe('aldaba keys', () => {
  it('create prints only the key, which works at once; list shows it without its value; revoke ends it', async () => {
    const created = await createKey(
      '--environment',
      'test',
      '--scopes',
      'leads:read, webhooks:write',
      '--expires-in',
      '90d',
    )
    expect(created).toMatchObject({ code: 0, stderr: database() })
    expect(created.stdout).toMatch(/^\S+\n$/)
    const key = created.stdout.trim()
    expect(parseKeyEnvironment(key)).toBe('test')
    expect((await app.call('GET', '/leads', { key })).status).toBe(200)
    expect((await app.call('POST', '/extractions', { key, body: {} })).status).toBe(403)

    const keys = await json(['keys', 'list', '--workspace', app.workspace.slug])
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

    expect(await aldaba(['keys', 'revoke', listed.id])).toEqual({
      code: 0,
      stdout: `revoked ${listed.id}\n`,
      stderr: database(),
    })
    expect((await app.call('GET', '/leads', { key })).status).toBe(401)
  })

  it('list prints a table with the state and the last characters of each key', async () => {
    const { code, stdout } = await aldaba(['keys', 'list'])
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
    expect(await createKey(...args)).toEqual(refusal(expect.stringMatching(sentence)))
  })

  it('revoke refuses an empty id', async () => {
    expect(await aldaba(['keys', 'revoke', ''])).toEqual(
      refusal(expect.stringMatching(/^error: .* for argument 'id'. it must not be empty/)),
    )
  })

  it('revoke refuses an unknown id', async () => {
    expect(await aldaba(['keys', 'revoke', 'nonsense'])).toEqual(
      refusal(`${database()}There is no key with the id nonsense. \`aldaba keys list\` lists the ids.\n`),
    )
  })
})

describe('aldaba workspaces, users and quotas', () => {
  it('create a workspace with its owner, and set a quota', async () => {
    const created = await aldaba([
      'workspaces',
      'create',
      '--name',
      'Inmobiliaria Peñalver',
      '--owner-email',
      'a@b.example',
    ])
    expect(created).toEqual({ code: 0, stdout: 'inmobiliaria-penalver\n', stderr: database() })
    const slug = created.stdout.trim()
    expect(await json(['workspaces', 'list'])).toContainEqual(
      expect.objectContaining({ slug, name: 'Inmobiliaria Peñalver', retentionMonths: null }),
    )
    expect(await json(['users', 'list', '--workspace', slug])).toMatchObject([
      { email: 'a@b.example', role: 'owner', createdAt: expect.stringMatching(/Z$/) },
    ])

    const key = await makeKey(app.database, { workspace: slug, environment: 'live' })
    const quota = [
      'quotas',
      'set',
      '--workspace',
      slug,
      '--environment',
      'live',
      '--name',
      'maxLeadsPerMonth',
      '--limit',
      '25',
    ]
    expect((await aldaba(quota)).code).toBe(0)
    expect(await aldaba(quota.with(quota.indexOf('maxLeadsPerMonth'), 'maxDoorsPerMonth'))).toEqual(
      refusal(expect.stringMatching(/There is no quota maxDoorsPerMonth\. Quotas: .*maxLeadsPerMonth/)),
    )
    expect(await json(['quotas', 'list', '--workspace', slug, '--environment', 'live'])).toContainEqual(
      expect.objectContaining({ name: 'maxLeadsPerMonth', limit: 25, used: 0, remaining: 25 }),
    )
    const { body } = await app.call<{ usage: unknown }>('GET', '/me', { key })
    expect(body.usage).toMatchObject({
      quotas: expect.arrayContaining([expect.objectContaining({ name: 'maxLeadsPerMonth', limit: 25 })]),
    })
  })

  it('refuse a name from which no slug can be made', async () => {
    expect(await aldaba(['workspaces', 'create', '--name', '中文'])).toEqual(
      refusal(
        `${database()}No slug can be made from the name "中文". Choose one, such as --slug my-agency.\n`,
      ),
    )
  })

  it('set how long leads are kept', async () => {
    const retention = (months: string) =>
      aldaba(['workspaces', 'retention', '--workspace', app.workspace.slug, '--months', months])
    const kept = async () => {
      const rows: { slug: string; retentionMonths: number }[] = await json(['workspaces', 'list'])
      return rows.find(({ slug }) => slug === app.workspace.slug)!.retentionMonths
    }
    expect(await retention('24')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('kept for 24 months'),
    })
    expect(await kept()).toBe(24)
    expect((await retention('0')).code).toBe(1)
    expect((await retention('unlimited')).code).toBe(0)
    expect(await kept()).toBeNull()
  })
})

describe('aldaba', () => {
  it('migrate reports that there is nothing to apply', async () => {
    expect(await aldaba(['migrate'])).toEqual({ code: 0, stdout: 'nothing to apply\n', stderr: database() })
  })

  it('market fit reports that there is no market data', async () => {
    expect(await aldaba(['market', 'fit', '--environment', 'test'])).toEqual({
      code: 0,
      stdout: 'there is no market data in test: see docs/guides/bring-market-data.md\n',
      stderr: database(),
    })
    expect(await json(['market', 'list', '--environment', 'test'])).toEqual([])
  })

  it('doctor passes beside a running server, and prints no secret', async () => {
    const { code, stdout } = await aldaba(['doctor'])
    expect(stdout).not.toContain('FAIL')
    expect(code).toBe(0)
    for (const check of [
      'runtime',
      'data directory',
      'database',
      'migrations',
      'encryption key',
      'API keys',
      'portal portal_a',
    ])
      expect(stdout).toMatch(new RegExp(`^ok +${check} +\\S`, 'm'))
    expect(stdout).toMatch(/^ok +server +http:\S+\/readyz answers 200$/m)
    expect(stdout).not.toContain(testEncryptionKey)
  })

  it.each([
    [
      'a wrong configuration',
      { PORT: 'x', ROLE: 'both' },
      [/^FAIL +configuration +PORT=x/m, /^FAIL +configuration +ROLE=both/m],
    ],
    [
      'an unavailable database',
      { DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/x' },
      [/^FAIL +database +.*no server answers/m],
    ],
  ])('doctor exits with 1 and reports %s', async (_what, env, findings) => {
    const { code, stdout } = await aldaba(['doctor'], env)
    expect(code).toBe(1)
    for (const finding of findings) expect(stdout).toMatch(finding)
    expect(stdout).not.toContain('hunter2')
  })

  it('doctor --json prints JSON', async () => {
    const { code, stdout } = await aldaba(['doctor', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toContainEqual({ ok: true, check: 'migrations', detail: 'up to date' })
  })

  it('prints its version', async () => {
    expect(await aldaba(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  it.each(['DATA_DIR', 'DATABASE_URL'])(
    'creates nothing if %s is mistyped, and explains why',
    async variable => {
      const dataDir = join(inject('runDir'), randomUUID())
      const database = variable === 'DATA_DIR' ? '' : app.config.databaseUrl!
      const outcome = await aldaba(
        ['keys', 'create', '--workspace', 'demo', '--environment', 'test', '--name', 'x'],
        {
          DATA_DIR: dataDir,
          DATABASE_URL: database,
          ENCRYPTION_KEY: '',
        },
      )
      expect(outcome).toEqual(
        refusal(expect.stringMatching(/^There is no .*Set DATA_DIR to .* or add --init /)),
      )
      expect(outcome.stderr).toContain(dataDir)
      expect(existsSync(dataDir)).toBe(false)
    },
  )

  it('reports that DATA_DIR is a file', async () => {
    const file = join(inject('runDir'), randomUUID())
    writeFileSync(file, '')
    const env = { DATA_DIR: file, DATABASE_URL: '', ENCRYPTION_KEY: '' }
    expect(await aldaba(['workspaces', 'list', '--init'], env)).toEqual(
      refusal(
        `DATA_DIR=${file} can't be used: it is a file. Set it to a directory that this user may write to.\n`,
      ),
    )
    const { code, stdout } = await aldaba(['doctor'], env)
    expect(code).toBe(1)
    expect(stdout).toContain(`${file} is a file: set DATA_DIR to a directory\n`)
  })

  it('applies migrations only with --init', async () => {
    const env = { DATABASE_URL: await makeEmptyDatabase() }
    const pending = await aldaba(['workspaces', 'list'], env)
    expect(pending).toEqual(
      refusal(expect.stringMatching(/^database: .*\nThis database is not up to date: \d+ migrations/)),
    )
    const creation = await aldaba(['workspaces', 'create', '--name', 'Agency', '--init'], env)
    expect(creation).toMatchObject({ code: 0, stdout: 'agency\n' })
  })

  it('reports every wrong value of the configuration and does nothing', async () => {
    expect(await aldaba(['keys', 'list'], { PORT: 'x', LOG_LEVEL: 'loud' })).toEqual(
      refusal(
        expect.stringMatching(
          /^Aldaba can't start with this configuration:\n {2}PORT=x .*\n {2}LOG_LEVEL=loud /,
        ),
      ),
    )
  })

  it('prints the usage after a mistyped command', async () => {
    const { code, stdout, stderr } = await aldaba(['keyz'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Usage: aldaba')
  })
})
