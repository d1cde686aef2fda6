/** No folders of `src` import each other, directly or indirectly. A folder includes its subfolders. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { expect, it } from 'vitest'

/** Imports between sibling folders, `a -> b` with the first such import. */
function listFolderImports(files: Map<string, string>): Map<string, Map<string, string>> {
  const imports = new Map<string, Map<string, string>>()
  for (const [file, text] of files)
    for (const [, path] of text.matchAll(/^(?:import|export)\b[^'"]*? from '(\.[^']+)'/gm)) {
      const imported = posix.join(dirname(file), path!)
      const [from, to] = [dirname(file).split('/'), dirname(imported).split('/')]
      const index = from.findIndex((name, n) => name !== to[n])
      if (index < 0 || index >= to.length) continue
      const [one, other] = [from, to].map(names => names.slice(0, index + 1).join('/')) as [string, string]
      const others = imports.get(one) ?? new Map<string, string>()
      if (!others.has(other)) others.set(other, `${file} -> ${imported}`)
      imports.set(one, others)
    }
  return imports
}

/** Each cycle once, as its imports. */
function findCycles(imports: Map<string, Map<string, string>>): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (folder: string, path: string[]) => {
    if (path.includes(folder)) {
      const cycle = [...path.slice(path.indexOf(folder)), folder]
      cycles.push(cycle.slice(1).map((to, n) => imports.get(cycle[n]!)!.get(to)!))
      return
    }
    if (done.has(folder)) return
    for (const other of imports.get(folder)?.keys() ?? []) visit(other, [...path, folder])
    done.add(folder)
  }
  for (const folder of imports.keys()) visit(folder, [])
  return cycles
}

it('folders of src have no import cycles', () => {
  const files = globSync('src/**/*.ts').filter(file => !file.endsWith('.test.ts'))
  expect(
    findCycles(listFolderImports(new Map(files.map(file => [file, readFileSync(file, 'utf8')])))),
  ).toEqual([])
})

it('a cycle is found, also through other folders and subfolders', () => {
  const files = new Map([
    ['src/a/one.ts', "import { b } from '../b/deep/two.ts'"],
    ['src/b/three.ts', "import type { C } from '../c/four.ts'"],
    ['src/c/four.ts', "export { a } from '../a/one.ts'"],
    ['src/c/deep/five.ts', "import { four } from '../four.ts'"],
  ])
  expect(findCycles(listFolderImports(files))).toEqual([
    ['src/a/one.ts -> src/b/deep/two.ts', 'src/b/three.ts -> src/c/four.ts', 'src/c/four.ts -> src/a/one.ts'],
  ])
})
