/**
 * Writes the generated files: row types and docs/schema.md from the migrated database, openapi.json and
 * dashboard-openapi.json from the routes, the SDK's types from openapi.json, docs/modules.md from the imports, and
 * docs/reference/errors.md from the declared error codes.
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
import { toErrorsDocument } from './errors-document.ts'
import { generateModuleMap } from './module-map.ts'
import { generateSchemaDocument } from './schema-document.ts'
import { generateSdkTypes } from './sdk-types.ts'

const execFileAsync = promisify(execFile)
const root = new URL('../', import.meta.url).pathname

/** Returns the OpenAPI document of this version with the default URLs. */
export function toOpenApi(): OpenApiDocument {
  // The routes are only described, so their handlers need no dependencies.
  const features = describeFeatures()
  return openApiDocument(features, loadConfig({}))
}

/** Returns the OpenAPI document of the dashboard routes. */
const toDashboardApi = (): OpenApiDocument => dashboardDocument(describeFeatures(), loadConfig({}))

/** Returns the text of every generated file, by its path in the repository. */
export async function generate(ownerUrl: string): Promise<Map<string, string>> {
  const openapi = toOpenApi()
  return new Map([
    ['src/kit/db/tables.generated.ts', await generateTableTypes(ownerUrl)],
    ['openapi.json', `${JSON.stringify(openapi, null, 2)}\n`],
    ['dashboard-openapi.json', `${JSON.stringify(toDashboardApi(), null, 2)}\n`],
    ['sdk/types.generated.ts', await generateSdkTypes(openapi)],
    ['docs/modules.md', generateModuleMap()],
    ['docs/reference/errors.md', toErrorsDocument(describeFeatures())],
    ['docs/schema.md', await generateSchemaDocument(ownerUrl)],
  ])
}

/** Lists the paths of generated files that are out of date. */
export async function listStaleFiles(ownerUrl: string): Promise<string[]> {
  const generated = await generate(ownerUrl)
  const stale = [...generated].map(async ([path, text]) =>
    (await readFile(root + path, 'utf8').catch(() => '')) === text ? [] : [path],
  )
  return (await Promise.all(stale)).flat()
}

async function generateTableTypes(ownerUrl: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'aldaba-types-'))
  const file = join(directory, 'tables.ts')
  await execFileAsync(process.execPath, [
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
