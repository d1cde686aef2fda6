/** Each test that the CI script names exists: vitest ignores a filter that matches no file if another one does. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('every filter of .ci/debian matches a test file', () => {
  const script = readFileSync(new URL('../.ci/debian', import.meta.url), 'utf8').replaceAll('\\\n', ' ')
  const filters = [...script.matchAll(/vitest run (.+)$/gm)].flatMap(([, list]) => list!.trim().split(/\s+/))
  const files = globSync('{src,test}/**/*.test.ts')
  expect(filters.length).toBeGreaterThan(10)
  expect(filters.filter(filter => !files.some(file => file.includes(filter)))).toEqual([])
})
