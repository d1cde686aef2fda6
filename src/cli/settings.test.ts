/** `npx aldaba settings`, as an operator runs it beside running servers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listLoadedPackages, runCommand, toDatabaseLine } from '../../test/command.ts'
import { startTestApp, type TestApp } from '../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../test/market.ts'
import { makeTenant } from '../../test/tenant.ts'
import { describeFeatures } from '../app.ts'
import { collectSettings } from '../kit/feature.ts'
import type { Setting } from '../kit/settings/setting.ts'
import { loadSettings } from './settings.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat = {
  propertyType: 'homes',
  operation: 'sale',
  ...place,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
}

let app: TestApp
/** A second process of the same deployment. */
let other: TestApp
let directory: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  other = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: app.config.databaseUrl! })
  await fillMarket(app.database, 'test', makeListingsAround(place))
  directory = mkdtempSync(join(tmpdir(), 'aldaba-settings-command-'))
})
afterAll(async () => {
  await other.stop()
  await app.stop()
  rmSync(directory, { recursive: true })
})

const runSettings = (verb: string, ...more: string[]) =>
  runCommand(app, ['settings', verb, '--workspace', app.workspace.slug, ...more])

it('set applies at once to the reports of this workspace on every server, and to no other workspace', async () => {
  const otherTenant = await makeTenant(app)
  const fetchReport = async (at: TestApp, key: string) => {
    const { status, body } = await at.call<{ id: string }>('POST', '/valuations', { key, body: flat })
    expect(status).toBe(201)
    const reply = await fetch(`${at.url}/public/v1/valuations/${body.id}/report`, {
      headers: { 'x-api-key': key },
    })
    return reply.text()
  }
  for (const [color, at] of [
    ['#aa0044', app],
    ['#0044aa', other],
  ] as const) {
    expect(await fetchReport(at, app.workspace.testKey)).not.toContain(color)
    expect(await runSettings('set', 'branding', JSON.stringify({ color, phone: '93 400 00 00' }))).toEqual({
      code: 0,
      stdout: `set branding of ${app.workspace.slug}\n`,
      stderr: toDatabaseLine(app),
    })
    for (const each of [app, other]) {
      const branded = await fetchReport(each, app.workspace.testKey)
      expect(branded).toContain(`--brand: ${color}`)
      expect(branded).toContain('93 400 00 00')
      expect(await fetchReport(each, otherTenant.key)).not.toContain(color)
    }
  }
})

it('loads every setting that a feature declares, without server packages', async () => {
  const byName = (settings: Setting[]) => settings.toSorted((a, b) => a.name.localeCompare(b.name))
  const declared = byName(collectSettings(describeFeatures()))
  expect(declared.length).toBeGreaterThan(2)
  expect(byName(await loadSettings())).toEqual(declared)
  const packages = await listLoadedPackages(app, ['settings', 'list', '--workspace', app.workspace.slug])
  expect(packages).toContain('ajv')
  for (const serverPackage of ['graphile-worker', 'fastify', 'undici', 'libphonenumber-js'])
    expect(packages).not.toContain(serverPackage)
})

it('get prints the value given to set, also from a file; list prints all with their times of change', async () => {
  const file = join(directory, 'retention.json')
  writeFileSync(file, '{ "months": 36 }')
  expect((await runSettings('get', 'retention')).stdout).toBe('{"months":null}\n')
  expect((await runSettings('set', 'retention', `@${file}`)).code).toBe(0)
  expect((await runSettings('get', 'retention')).stdout).toBe('{"months":36}\n')
  expect((await runSettings('get', 'retention', '--environment', 'test')).stdout).toBe('{"months":36}\n')
  const table = await runSettings('list')
  expect(table.stdout).toMatch(/retention.*workspace.*\{"months":36\}.*T.*Z.*operator/)
  expect(table.stdout).toMatch(/logo.*workspace.*null.*never/)
  const listed = JSON.parse((await runSettings('list', '--json')).stdout)
  expect(listed).toContainEqual(
    expect.objectContaining({
      name: 'retention',
      value: { months: 36 },
      isDefault: false,
      changedBy: null,
      roles: { read: 'agent', write: 'owner' },
    }),
  )
})

it.each([
  ['a setting that does not exist', ['colour', '1'], /There is no setting colour\. Settings: .*branding, /],
  ['invalid JSON', ['retention', 'two'], /argument 'json'.*it is not JSON/],
  ['a file that does not exist', ['retention', '@/nonexistent.json'], /the file does not exist/],
  [
    'every value that the schema refuses',
    ['branding', '{"color":"red","colour":"#000000"}'],
    /^branding\/colour: is not a known field; did you mean color\?\nbranding\/color: must match pattern/m,
  ],
  [
    'a logo that is not an image',
    ['logo', '"data:image/png;base64,AAAA"'],
    /logo: The image cannot be printed/,
  ],
])('set refuses %s', async (_what, args, sentence) => {
  const before = await runSettings('list', '--json')
  const { code, stdout, stderr } = await runSettings('set', ...args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(sentence)
  expect(await runSettings('list', '--json')).toEqual(before)
})

it('set refuses a file that is too large before it reads it', async () => {
  const file = join(directory, 'large.json')
  writeFileSync(file, Buffer.alloc(2_000_001, 32))
  expect((await runSettings('set', 'logo', `@${file}`)).stderr).toMatch(/larger than 2000000 bytes/)
})
