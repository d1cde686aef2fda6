/** Each test that the CI script names or leaves out exists: vitest ignores a filter that matches no file if another one does. */
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, it } from 'vitest'

it('every filter of .ci/debian matches a test file', () => {
  const script = readFileSync(new URL('../.ci/debian', import.meta.url), 'utf8').replaceAll('\\\n', ' ')
  const excluded = /--exclude '([^']+)'/g
  const filters = [...script.matchAll(/vitest run (.+)$/gm)].flatMap(([, list]) =>
    list!.replaceAll(excluded, '').trim().split(/\s+/),
  )
  const files = globSync('{src,test}/**/*.test.ts')
  expect(filters.length).toBeGreaterThan(10)
  expect(filters.filter(filter => !files.some(file => file.includes(filter)))).toEqual([])
  const patterns = [...script.matchAll(excluded)].map(([, pattern]) => pattern!)
  expect(patterns.length).toBeGreaterThan(0)
  expect(patterns.filter(pattern => !files.some(file => matchesGlob(file, pattern)))).toEqual([])
})
