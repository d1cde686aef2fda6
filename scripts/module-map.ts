/** Generates docs/modules.md: the modules of src, their purpose, and their imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const root = new URL('../', import.meta.url).pathname

/** The modules that features are built on, from the lowest to the highest. */
const baseModules: Record<string, string> = {
  domain:
    'Pure functions: reading listings, valuation, contactability, duplicates. No I/O; time is an argument.',
  kit: 'The base of all features: database, HTTP, jobs, events, operations, outbox, clock. Knows no feature.',
  plugins: 'Contracts, such as that of a portal, and one implementation per file.',
  crawl: 'Reads portals politely: robots.txt, rates, authorization, page cache.',
  documents:
    'Pages and PDFs: blocks, charts, street maps, letterhead, energy label, QR code, and the templates of reports and property sheets.',
  simulator: 'The portals of the test environment, on loopback.',
}

/** The module of a file below `src`: a feature or a base folder. Null: a file of `src` itself. */
function toModule(file: string): string | null {
  const [, folder, feature] = file.split('/')
  if (folder === 'features') return feature!
  return file.split('/').length > 2 ? folder! : null
}

/** Every import between two modules, as `from -> to`. */
function readImports(): Set<string> {
  const imports = new Set<string>()
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path] of text.matchAll(/^(?:import|export)\b[^'"]*? from '(\.[^']+)'/gm)) {
      const [from, to] = [toModule(file), toModule(posix.join(dirname(file), path!))]
      if (from && to && from !== to) imports.add(`${from} -> ${to}`)
    }
  }
  return imports
}

/** The first sentence of a feature's `index.ts`, without the prefix that ends in a colon. */
function describeFeature(name: string): string {
  const text = readFileSync(join(root, `src/features/${name}/index.ts`), 'utf8')
  const sentence = /^\/\*\*\s*(?:\*\s*)?(.+?\.)(?:\s|\*)/s.exec(text)?.[1]
  if (!sentence) throw new Error(`src/features/${name}/index.ts has no sentence at its head`)
  const rest = sentence.replaceAll(/\s*\n\s*\*\s*/g, ' ').replace(/^[^:]{1,20}: /, '')
  return rest[0]!.toUpperCase() + rest.slice(1)
}

const toFlowchart = (imports: string[]) => [
  '```mermaid',
  'flowchart LR',
  ...imports.map(arrow => `  ${arrow.replace('->', '-->')}`),
  '```',
]

const toList = (modules: [name: string, text: string][]) =>
  modules.map(([name, text]) => `- ${name}: ${text}`)

/** Returns the page in Markdown. */
export function generateModuleMap(): string {
  const features = globSync('src/features/*/index.ts', { cwd: root })
    .map(file => toModule(file)!)
    .sort()
  const imports = [...readImports()].sort()
  const listImportsBetween = (modules: string[]) =>
    imports.filter(arrow => arrow.split(' -> ').every(module => modules.includes(module)))
  return [
    '# Modules',
    '',
    'Generated from the imports by `npm run generate`. An arrow means: imports from. There are no cycles (`test/import-cycles.test.ts`).',
    '',
    '## Features',
    '',
    'A feature imports only `service`, `schemas`, `events` and `settings` of another. `src/app.ts` lists them all.',
    '',
    ...toFlowchart(listImportsBetween(features)),
    '',
    ...toList(features.map(name => [`\`features/${name}\``, describeFeature(name)])),
    '',
    '## Base modules',
    '',
    ...toFlowchart(listImportsBetween(Object.keys(baseModules))),
    '',
    ...toList(Object.entries(baseModules).map(([name, text]) => [`\`${name}\``, text])),
    '',
  ].join('\n')
}
