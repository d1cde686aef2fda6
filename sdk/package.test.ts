/**
 * Packs the package, installs it in a new folder as an integrator does, compiles it in both module modes, and runs it.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { CodeSample } from '../src/kit/code-sample.ts'
import type { OpenApiDocument } from '../src/kit/openapi.ts'
import { startTestApp, type TestApp } from '../test/harness.ts'

const run = promisify(execFile)
const root = new URL('../', import.meta.url).pathname

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const program = `import { AldabaError, createClient, type Lead, verifyWebhook } from '@aldaba/sdk'

const [baseUrl = '', apiKey = ''] = process.argv.slice(2)
const aldaba = createClient({ baseUrl, apiKey })
const location = { id: 'barcelona', label: 'Barcelona' }
const filters = { operation: 'sale', propertyType: 'homes', location }
const { extractionId } = await aldaba.call('startExtraction', { body: { platform: 'portal_a', filters, maxResults: 20 } })
const seen: string[] = []
for await (const { event, data } of aldaba.stream('watchExtraction', { params: { id: extractionId } }))
  seen.push(\`\${event} \${data.status}\`)
const csv = new Blob(['name;phone\\nMarta Soler;612 34 56 78\\n'], { type: 'text/csv' })
const imported = await aldaba.call('importLeads', { body: csv })
const leads: Lead[] = []
for await (const lead of aldaba.leads()) leads.push(lead)
const refused = await aldaba.call('getLead', { params: { id: extractionId } }).catch((error: AldabaError) => error.code)
console.log(JSON.stringify({ last: seen.at(-1), imported: imported.status, leads: leads.length, refused, verify: typeof verifyWebhook }))
`

/** The samples of the API reference as one program: each is a function with the sample's inputs as parameters. */
async function readSamples(): Promise<string> {
  const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as OpenApiDocument
  const operations = Object.values(paths).flatMap(
    path => Object.values(path) as { 'x-codeSamples': CodeSample[] }[],
  )
  const samples = operations.flatMap(operation => operation['x-codeSamples'])
  const [head] = samples[0]!.source.split('\n')
  const parameters =
    'id: string, noteId: string, deliveryId: string, mergeId: string, otherLeadId: string, listingId: string, runId: string, recipientId: string, digestId: string, formId: string, platform: string, externalId: string, photo: string, file: Blob'
  const bodies = samples.map(
    ({ source }, i) => `export async function sample${i}(${parameters}) {${source.replace(head!, '')}\n}`,
  )
  return [head, ...bodies].join('\n')
}

test('the package installs, compiles under nodenext and bundler, and streams, uploads and lists', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'aldaba-sdk-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const npm = (...args: string[]) => run('npm', args, { cwd: dir, timeout: 200_000 })
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'crm', private: true, type: 'module' }))
  await writeFile(join(dir, 'program.ts'), program)
  await writeFile(join(dir, 'samples.ts'), await readSamples())
  const { stdout: packed } = await npm('pack', join(root, 'sdk'), '--pack-destination', dir, '--json')
  const [{ filename, files }] = JSON.parse(packed)
  expect(files.map(({ path }: { path: string }) => path)).not.toContain('dist/demo.js')
  await npm('install', join(dir, filename), '--prefer-offline', '--no-audit', '--no-fund')

  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', ...types]
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const args = [
      ...options,
      '--module',
      module,
      '--moduleResolution',
      resolution,
      'program.ts',
      'samples.ts',
    ]
    const { stdout } = await run(process.execPath, [tsc, ...args], { cwd: dir }).catch(error => error)
    expect(`${resolution}: ${stdout}`).toBe(`${resolution}: `)
  }
  const { stdout } = await run(process.execPath, ['program.ts', app.url, app.workspace.testKey], { cwd: dir })
  expect(JSON.parse(stdout)).toMatchObject({
    last: 'end COMPLETED',
    imported: expect.stringMatching(/^[A-Z]+$/),
    refused: 'NOT_FOUND',
    verify: 'function',
  })
  expect(JSON.parse(stdout).leads).toBeGreaterThanOrEqual(20)
})
