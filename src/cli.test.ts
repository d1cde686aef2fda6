/** The command line: output, streams and exit codes. */
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import {
  listLoadedPackages,
  runCommand,
  runJsonCommand,
  spawnCommand,
  toDatabaseLine,
  toRefusal,
} from '../test/command.ts'
import { makeEmptyDatabase, startTestApp, type TestApp, testEncryptionKey } from '../test/harness.ts'
import { makeKey } from '../test/make.ts'
import { makePmtiles } from '../test/pmtiles-file.ts'
import { makeCityTiles } from '../test/sample-city.ts'
import { startAi } from './simulator/ai/index.ts'
import { startRouter } from './simulator/router.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const runAldaba = (args: string[], env?: Record<string, string>) => runCommand(app, args, env)
const expectedStderr = () => toDatabaseLine(app)
const readJson = (args: string[]) => runJsonCommand(app, args)

it('the installed program runs a command and exits with its code', async () => {
  const list = ['keys', 'list', '--workspace', app.workspace.slug, '--json']
  const spawned = await spawnCommand(app, list)
  expect(spawned).toMatchObject({ code: 0, stderr: expectedStderr() })
  expect(JSON.parse(spawned.stdout)).toEqual(await readJson(list.slice(0, -1)))
  for (const args of [['keys', 'revoke', 'none'], ['keyz']])
    expect(await spawnCommand(app, args)).toEqual(await runAldaba(args))
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

describe('aldaba workspaces, users and quotas', () => {
  it('a workspace is created with its owner, and a quota is set', async () => {
    const created = await runAldaba([
      'workspaces',
      'create',
      '--name',
      'Inmobiliaria Peñalver',
      '--owner-email',
      'a@b.example',
    ])
    expect(created).toEqual({ code: 0, stdout: 'inmobiliaria-penalver\n', stderr: expectedStderr() })
    const slug = created.stdout.trim()
    expect(await readJson(['workspaces', 'list'])).toContainEqual(
      expect.objectContaining({ slug, name: 'Inmobiliaria Peñalver', retentionMonths: null }),
    )
    expect(await readJson(['users', 'list', '--workspace', slug])).toMatchObject([
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
    expect((await runAldaba(quota)).code).toBe(0)
    expect(await runAldaba(quota.with(quota.indexOf('maxLeadsPerMonth'), 'maxDoorsPerMonth'))).toEqual(
      toRefusal(expect.stringMatching(/There is no quota maxDoorsPerMonth\. Quotas: .*maxLeadsPerMonth/)),
    )
    expect(await readJson(['quotas', 'list', '--workspace', slug, '--environment', 'live'])).toContainEqual(
      expect.objectContaining({ name: 'maxLeadsPerMonth', limit: 25, used: 0, remaining: 25 }),
    )
    const { body } = await app.call<{ usage: unknown }>('GET', '/me', { key })
    expect(body.usage).toMatchObject({
      quotas: expect.arrayContaining([expect.objectContaining({ name: 'maxLeadsPerMonth', limit: 25 })]),
    })
  })

  it('a name from which no slug can be derived is refused', async () => {
    expect(await runAldaba(['workspaces', 'create', '--name', '中文'])).toEqual(
      toRefusal(
        `${expectedStderr()}No slug can be made from the name "中文". Choose one, such as --slug my-agency.\n`,
      ),
    )
  })

  it('the retention of leads is set', async () => {
    const setRetention = (months: string) =>
      runAldaba(['workspaces', 'retention', '--workspace', app.workspace.slug, '--months', months])
    const readRetentionMonths = async () => {
      const rows: { slug: string; retentionMonths: number }[] = await readJson(['workspaces', 'list'])
      return rows.find(({ slug }) => slug === app.workspace.slug)!.retentionMonths
    }
    expect(await setRetention('24')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('kept for 24 months'),
    })
    expect(await readRetentionMonths()).toBe(24)
    expect((await setRetention('0')).code).toBe(1)
    expect((await setRetention('unlimited')).code).toBe(0)
    expect(await readRetentionMonths()).toBeNull()
  })
})

describe('aldaba', () => {
  it('migrate reports that there is nothing to apply', async () => {
    expect(await runAldaba(['migrate'])).toEqual({
      code: 0,
      stdout: 'nothing to apply\n',
      stderr: expectedStderr(),
    })
  })

  it('market fit reports that there is no market data', async () => {
    expect(await runAldaba(['market', 'fit', '--environment', 'test'])).toEqual({
      code: 0,
      stdout: 'there is no market data in test: see docs/guides/bring-market-data.md\n',
      stderr: expectedStderr(),
    })
    expect(await readJson(['market', 'list', '--environment', 'test'])).toEqual([])
  })

  it('doctor passes beside a running server, and prints no secret', async () => {
    const { code, stdout } = await runAldaba(['doctor'])
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
    const { code, stdout } = await runAldaba(['doctor'], env)
    expect(code).toBe(1)
    for (const finding of findings) expect(stdout).toMatch(finding)
    expect(stdout).not.toContain('hunter2')
  })

  it('doctor checks the map tiles', async () => {
    const file = join(inject('runDir'), `${randomUUID()}.pmtiles`)
    const tiles = makeCityTiles({ latitude: 41.39, longitude: 2.17 }, 'Protomaps')
    writeFileSync(file, makePmtiles({ tiles, metadata: { vector_layers: [{ id: 'roads' }] } }))
    const { stdout } = await runAldaba(['doctor'], { MAP_TILES: file })
    expect(stdout).toMatch(/^ok +map tiles +.*\.pmtiles, zooms 14 to 14, the layers of Protomaps/m)
    writeFileSync(file, 'not a map')
    const faulty = await runAldaba(['doctor'], { MAP_TILES: file })
    expect(faulty.code).toBe(1)
    expect(faulty.stdout).toMatch(/^FAIL +map tiles /m)
  })

  it('doctor checks the router', async () => {
    const router = await startRouter()
    onTestFinished(() => router.close())
    const { stdout } = await runAldaba(['doctor'], { ROUTING_URL: router.url })
    expect(stdout).toMatch(/^ok +router +http:.* answers, 26 min from Madrid to Getafe/m)
    router.faults.push({ kind: 'garbage' })
    const faulty = await runAldaba(['doctor'], { ROUTING_URL: router.url })
    expect(faulty.code).toBe(1)
    expect(faulty.stdout).toMatch(/^FAIL +router +http:.*not a JSON object/m)
  })

  it('doctor checks the AI endpoint', async () => {
    const ai = await startAi()
    onTestFinished(() => ai.close())
    const env = { AI_URL: ai.url, AI_KEY: ai.key, AI_MODEL: 'simulator' }
    expect((await runAldaba(['doctor'], env)).stdout).toMatch(/^ok +ai +http:.* answers with simulator/m)
    const faulty = await runAldaba(['doctor'], { ...env, AI_KEY: 'sk-other' })
    expect(faulty.code).toBe(1)
    expect(faulty.stdout).toMatch(/^FAIL +ai +http:.*Check AI_KEY/m)
    expect(faulty.stdout).not.toContain('sk-other')
  })

  it('doctor --json prints JSON', async () => {
    const { code, stdout } = await runAldaba(['doctor', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toContainEqual({ ok: true, check: 'migrations', detail: 'up to date' })
  })

  it('prints its version', async () => {
    expect(await runAldaba(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })

  it.each(['DATA_DIR', 'DATABASE_URL'])(
    'creates nothing if %s is mistyped, and explains why',
    async variable => {
      const dataDir = join(inject('runDir'), randomUUID())
      const database = variable === 'DATA_DIR' ? '' : app.config.databaseUrl!
      const outcome = await runAldaba(
        ['keys', 'create', '--workspace', 'demo', '--environment', 'test', '--name', 'x'],
        {
          DATA_DIR: dataDir,
          DATABASE_URL: database,
          ENCRYPTION_KEY: '',
        },
      )
      expect(outcome).toEqual(
        toRefusal(expect.stringMatching(/^There is no .*Set DATA_DIR to .* or add --init /)),
      )
      expect(outcome.stderr).toContain(dataDir)
      expect(existsSync(dataDir)).toBe(false)
    },
  )

  it('reports that DATA_DIR is a file', async () => {
    const file = join(inject('runDir'), randomUUID())
    writeFileSync(file, '')
    const env = { DATA_DIR: file, DATABASE_URL: '', ENCRYPTION_KEY: '' }
    expect(await runAldaba(['workspaces', 'list', '--init'], env)).toEqual(
      toRefusal(
        `DATA_DIR=${file} can't be used: it is a file. Set it to a directory that this user may write to.\n`,
      ),
    )
    const { code, stdout } = await runAldaba(['doctor'], env)
    expect(code).toBe(1)
    expect(stdout).toContain(`${file} is a file: set DATA_DIR to a directory\n`)
  })

  it('applies migrations only with --init', async () => {
    const env = { DATABASE_URL: await makeEmptyDatabase() }
    const pending = await runAldaba(['workspaces', 'list'], env)
    expect(pending).toEqual(
      toRefusal(expect.stringMatching(/^database: .*\nThis database is not up to date: \d+ migrations/)),
    )
    const creation = await runAldaba(['workspaces', 'create', '--name', 'Agency', '--init'], env)
    expect(creation).toMatchObject({ code: 0, stdout: 'agency\n' })
  })

  it('reports every wrong value of the configuration and does nothing', async () => {
    expect(await runAldaba(['keys', 'list'], { PORT: 'x', LOG_LEVEL: 'loud' })).toEqual(
      toRefusal(
        expect.stringMatching(
          /^Aldaba can't start with this configuration:\n {2}PORT=x .*\n {2}LOG_LEVEL=loud /,
        ),
      ),
    )
  })

  it('prints the usage after a mistyped command', async () => {
    const { code, stdout, stderr } = await runAldaba(['keyz'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Usage: aldaba')
  })
})
