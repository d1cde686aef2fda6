/** `npx aldaba market import`, as an operator runs it next to a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, toDatabaseLine } from '../../../test/command.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

let app: TestApp
let directory: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  directory = mkdtempSync(join(tmpdir(), 'aldaba-market-command-'))
})
afterAll(async () => {
  await app.stop()
  rmSync(directory, { recursive: true })
})

const importFile = (name: string, ...more: string[]) =>
  runCommand(app, ['market', 'import', join(directory, name), '--environment', 'live', ...more])

test('it stores the rows in the given market, and prints their results', async () => {
  writeFileSync(
    join(directory, 'sales.csv'),
    'id,latitude,longitude,squareMeters,price\n1,47.6,-122.3,150,500000\n2,47.7,-122.2,90,400000\n3,47.7,-122.2,,1\n4,47.7,-122.2,,1\n',
  )
  const options = '--currency USD --basis closed --source registry --operation sale --type homes'.split(' ')
  const { code, stdout, stderr } = await importFile('sales.csv', ...options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: toDatabaseLine(app) })
  expect(stdout).toMatch(
    /^4 rows in [\d.]+ s: 2 new properties, 0 new listings of known ones, 0 changed, 0 unchanged\n2 skipped, no area: rows 4, 5\n$/,
  )
  const rows = await app.database.owner.selectFrom('market_properties').selectAll().execute()
  expect(rows).toHaveLength(2)
  for (const row of rows)
    expect(row).toMatchObject({
      environment: 'live',
      currency: 'USD',
      price_basis: 'closed',
      operation: 'sale',
    })
})

test.each<[string, string | null, string[], RegExp]>([
  ['a missing file', null, [], /can't be read: there is no such file/],
  ['missing columns', 'id,price\n1,2\n', [], /lacks the columns latitude, longitude, squareMeters/],
  ['an invalid currency', 'id\n', ['--currency', 'euros'], /three capital letters, such as EUR/],
])('it ends in an error for %s', async (_what, content, more, sentence) => {
  if (content !== null) writeFileSync(join(directory, 'bad.csv'), content)
  const { code, stderr } = await importFile(content === null ? 'nowhere.csv' : 'bad.csv', ...more)
  expect(code).toBe(1)
  expect(stderr).toMatch(sentence)
})

test.each([
  [
    'an incomplete feed',
    '<root><property><id>1</id></property>',
    'The feed ends in the middle. Fetch it again.',
  ],
  [
    'a quotation mark that is never closed',
    'id,latitude,longitude,squareMeters,price\n1,47.6,-122.3,150,500000\n"2,47.7,-122.2,90,400000\n',
    'A quotation mark in the row that begins on line 3 is never closed.',
  ],
])(
  'for a file with %s it prints what was stored, and suggests importing the corrected file',
  async (_what, content, damage) => {
    writeFileSync(join(directory, 'bad.csv'), content)
    const { code, stdout, stderr } = await importFile('bad.csv', '--operation', 'sale', '--type', 'homes')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^1 rows in /)
    expect(stderr).toBe(
      toDatabaseLine(app) +
        `${join(directory, 'bad.csv')}: ${damage} The rows before are stored. Fix the file and import it again: known rows are not counted twice.\n`,
    )
  },
)
