/**
 * Makes what is generated: row types and docs/schema.md from the migrated database, openapi.json from the routes, the SDK's types
 * from that, docs/modules.md from the imports, docs/reference/errors.md from the declared error codes.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeFeatures } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { openDeployment } from '../src/deployment.ts'
import { createLog } from '../src/kit/log.ts'
import type { OpenApiDocument } from '../src/kit/openapi.ts'
import { openApiDocument } from '../src/kit/openapi.ts'
import { dashboardDocument } from '../src/kit/openapi-dashboard.ts'
import { errorsDocument } from './errors-document.ts'
import { moduleMapDocument } from './module-map.ts'
import { schemaDocument } from './schema-document.ts'
import { sdkTypes } from './sdk-types.ts'

const run = promisify(execFile)
const root = new URL('../', import.meta.url).pathname

/** The document of this version, under the default addresses. */
export function currentOpenApi(): OpenApiDocument {
  // Describing a route runs none of it: the parts it would work with are not needed.
  const features = describeFeatures()
  return openApiDocument(features, loadConfig({}))
}

/** The same of the dashboard's own routes. */
const currentDashboardApi = (): OpenApiDocument => dashboardDocument(describeFeatures(), loadConfig({}))

/** Every generated file with its text, by its path in the repository. */
export async function generate(ownerUrl: string): Promise<Map<string, string>> {
  const openapi = currentOpenApi()
  return new Map([
    ['src/kit/db/tables.generated.ts', await tableTypes(ownerUrl)],
    ['openapi.json', `${JSON.stringify(openapi, null, 2)}\n`],
    ['dashboard-openapi.json', `${JSON.stringify(currentDashboardApi(), null, 2)}\n`],
    ['sdk/types.generated.ts', await sdkTypes(openapi)],
    ['docs/modules.md', moduleMapDocument()],
    ['docs/reference/errors.md', errorsDocument(describeFeatures())],
    ['docs/schema.md', await schemaDocument(ownerUrl)],
  ])
}

/** Paths of generated files that are not what they would be now. */
export async function findStale(ownerUrl: string): Promise<string[]> {
  const generated = await generate(ownerUrl)
  const stale = [...generated].map(async ([path, text]) =>
    (await readFile(root + path, 'utf8').catch(() => '')) === text ? [] : [path],
  )
  return (await Promise.all(stale)).flat()
}

async function tableTypes(ownerUrl: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'aldaba-types-'))
  const file = join(directory, 'tables.ts')
  await run(process.execPath, [
    join(root, 'node_modules/.bin/kysely-codegen'),
    '--dialect',
    'postgres',
    '--url',
    ownerUrl,
    '--default-schema',
    'aldaba',
    '--include-pattern',
    'aldaba.*',
    '--exclude-pattern',
    'aldaba.schema_migrations',
    '--numeric-parser',
    'number',
    '--out-file',
    file,
  ])
  const text = await readFile(file, 'utf8')
  await rm(directory, { recursive: true })
  return text
}

if (import.meta.main) {
  const dataDir = await mkdtemp(join(tmpdir(), 'aldaba-generate-'))
  const deployment = await openDeployment(loadConfig({ DATA_DIR: dataDir }), {
    mode: 'own',
    log: createLog('error'),
  })
  try {
    for (const [path, text] of await generate(deployment.embedded!.databaseUrl)) {
      await writeFile(root + path, text)
      console.log(`wrote ${path}`)
    }
  } finally {
    await deployment.close()
    await rm(dataDir, { recursive: true })
  }
}
