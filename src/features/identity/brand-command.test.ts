/** `npx aldaba workspaces brand`, run while the server is running. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, toDatabaseLine } from '../../../test/command.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { readSettings } from '../../kit/settings/setting-store.ts'
import { branding, logo } from './settings.ts'

let app: TestApp
let directory: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  directory = mkdtempSync(join(tmpdir(), 'aldaba-brand-command-'))
})
afterAll(async () => {
  await app.stop()
  rmSync(directory, { recursive: true })
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'

const brand = (...more: string[]) =>
  runCommand(app, ['workspaces', 'brand', '--workspace', app.workspace.slug, ...more])

const readStored = () =>
  app.database.withTenant({ tenantId: app.workspace.testTenantId }, tx =>
    readSettings(tx, { branding, logo }),
  )

function writeTestFile(name: string, content: string | Buffer): string {
  writeFileSync(join(directory, name), content)
  return join(directory, name)
}

test('it sets the given options, keeps the others, and removes empty ones', async () => {
  const website = ['--website', 'finques.example']
  const first = await brand('--color', '#AA0044', '--logo', writeTestFile('logo.svg', svg), ...website)
  expect(first).toMatchObject({ code: 0, stderr: toDatabaseLine(app) })
  expect(await readStored()).toEqual({
    branding: { color: '#aa0044', phone: null, email: null, website: 'finques.example' },
    logo: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  })
  const second = await brand(
    '--phone',
    '93 400 00 00',
    '--email',
    'hola@finques.example',
    '--website',
    '',
    '--logo',
    '',
  )
  expect(second.code).toBe(0)
  expect(await readStored()).toEqual({
    branding: { color: '#aa0044', phone: '93 400 00 00', email: 'hola@finques.example', website: null },
    logo: null,
  })
})

test.each([
  ['a colour name', ['--color', 'red'], 'six hexadecimal digits'],
  ['a file that does not exist', ['--logo', '/nonexistent.png'], 'the file does not exist'],
  ['an address without @', ['--email', 'hola'], 'use an address such as'],
  ['a phone number that is too long', ['--phone', '9'.repeat(51)], 'up to 50 characters'],
  ['no options', [], 'Nothing to set'],
])('it refuses %s', async (_what, args, reason) => {
  const before = await readStored()
  const { code, stderr } = await brand(...args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(reason)])
  expect(await readStored()).toEqual(before)
})

test('it refuses a logo that is not an image, has active content or is too large', async () => {
  const files = {
    text: 'a text',
    script: svg.replace('<circle', '<script>alert(1)</script><circle'),
    large: Buffer.concat([Buffer.from(svg), Buffer.alloc(1_000_000, 32)]),
  }
  for (const [name, content] of Object.entries(files))
    expect(await brand('--logo', writeTestFile(name, content))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('use a PNG or JPEG'),
    })
})
