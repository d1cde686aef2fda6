/** The checks of `aldaba doctor`: configuration, data directory, files, database, server and portals. */
import { existsSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, loadConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { checkPortalIds } from './config-providers.ts'
import { type Deployment, openDeployment } from './deployment.ts'
import { type CheckedTiles, openMapTiles } from './documents/map/map-tiles.ts'
import { listKeys } from './features/identity/service.ts'
import { checkStore, openBlobStore, toSpoolDir } from './kit/blobs/open-store.ts'
import { listKeyringFingerprints } from './kit/keyring-store.ts'
import { createLog } from './kit/log.ts'
import { loadPortals } from './plugins/load-portals.ts'
import type { PortalDefinition } from './plugins/portal.ts'
import { builtInPortals } from './plugins/portals/index.ts'

export interface Finding {
  ok: boolean
  check: string
  detail: string
}

/** Runs every check, even if others fail. */
export async function diagnose(): Promise<Finding[]> {
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(problem => ({ ok: false, check: 'configuration', detail: problem }))
  }
  const { findings, isOnlyProcess } = await checkDatabase(config)
  return [
    { ok: true, check: 'runtime', detail: `Node ${process.versions.node}` },
    {
      ok: true,
      check: 'configuration',
      detail: `role ${config.role}, ${config.host}:${config.port}, public URL ${config.publicUrl}`,
    },
    await checkDataDir(config),
    await checkBlobs(config),
    ...(await checkMapTiles(config)),
    ...(await checkRouter(config)),
    ...(await checkAi(config)),
    ...findings,
    await checkServer(config, isOnlyProcess),
    ...(await checkPortals(config).catch(explainPortals)),
  ]
}

async function checkDataDir({ dataDir }: Config): Promise<Finding> {
  if (!existsSync(dataDir))
    return {
      ok: true,
      check: 'data directory',
      detail: `${dataDir}, does not exist yet: the first start creates it`,
    }
  try {
    if (!(await stat(dataDir)).isDirectory())
      return {
        ok: false,
        check: 'data directory',
        detail: `${dataDir} is a file: set DATA_DIR to a directory`,
      }
    await access(dataDir, constants.R_OK | constants.W_OK)
    const { bavail, bsize } = await statfs(dataDir)
    const freeGb = (bavail * bsize) / 1e9
    return { ok: freeGb > 0.5, check: 'data directory', detail: `${dataDir}, ${freeGb.toFixed(1)} GB free` }
  } catch (error) {
    return { ok: false, check: 'data directory', detail: (error as Error).message }
  }
}

/** Writes, reads and removes a small test file. */
async function checkBlobs(config: Config): Promise<Finding> {
  const { blobsS3, dataDir } = config
  const check = 'files'
  const where = blobsS3 ? `${blobsS3.endpoint}/${blobsS3.bucket}` : join(dataDir, 'blobs')
  if (!existsSync(blobsS3 ? dataDir : where))
    return { ok: true, check, detail: `${where}, not tested: the first start creates the directory` }
  const store = openBlobStore(config)
  try {
    await checkStore(store, toSpoolDir(config))
    return { ok: true, check, detail: `${where} can be written and read` }
  } catch (error) {
    return { ok: false, check, detail: `${where}: ${explain(error as Error)}` }
  } finally {
    await store.close()
  }
}

/** Reads what the tiles say about themselves. */
async function checkMapTiles(config: Config): Promise<Finding[]> {
  if (config.mapTiles === null) return []
  const { createHttpClient } = await import('./kit/http/client.ts')
  const http = createHttpClient({ reach: 'any' })
  const tiles = openMapTiles(config, http, createLog('silent'))
  const check = 'map tiles'
  // The query of a URL may have a key of the tile server.
  const where = config.mapTiles?.replace(/\?.*$/s, '?…')
  try {
    const info = await tiles?.check()
    if (!info) return []
    const detail = `${where}, ${describeTiles(info)}`
    return [{ ok: info.layers.length === 0 || info.schema !== null, check, detail }]
  } catch (error) {
    return [{ ok: false, check, detail: `${where}: ${explain(error as Error)}` }]
  } finally {
    await http.close()
  }
}

/** Fetches the way between two places of Madrid; a map without them is a map too. */
async function checkRouter({ routingUrl }: Config): Promise<Finding[]> {
  if (routingUrl === null) return []
  const { createHttpClient } = await import('./kit/http/client.ts')
  const { createOsrm } = await import('./plugins/routers/osrm.ts')
  const http = createHttpClient({ reach: 'any' })
  const check = 'router'
  try {
    const drive = { origin: '40.4169,-3.7035', destination: '40.3050,-3.7327' }
    const [seconds] = await createOsrm({ url: routingUrl, http }).fetchDurations(
      [drive],
      AbortSignal.timeout(5_000),
    )
    const example = seconds ? `, ${Math.ceil(seconds / 60)} min from Madrid to Getafe` : ', without Madrid'
    return [{ ok: true, check, detail: `${routingUrl} answers${example}` }]
  } catch (error) {
    return [{ ok: false, check, detail: `${routingUrl}: ${explain(error as Error)}` }]
  } finally {
    await http.close()
  }
}

/** Requests a completion of a few tokens. */
async function checkAi({ ai }: Config): Promise<Finding[]> {
  if (ai === null) return []
  const { createHttpClient } = await import('./kit/http/client.ts')
  const { createOpenAiCompatible } = await import('./plugins/ai/openai-compatible.ts')
  const http = createHttpClient({ reach: 'any' })
  const check = 'ai'
  try {
    const messages = [{ role: 'user' as const, content: 'Say yes.' }]
    await createOpenAiCompatible({ ...ai, http }).complete(
      { model: ai.model, messages, tools: [], outputTokensMax: 16 },
      AbortSignal.timeout(20_000),
    )
    return [{ ok: true, check, detail: `${ai.url} answers with ${ai.model}` }]
  } catch (error) {
    return [{ ok: false, check, detail: `${ai.url}: ${explain(error as Error)}` }]
  } finally {
    await http.close()
  }
}

function describeTiles({ schema, layers, minZoom, maxZoom, bounds }: CheckedTiles): string {
  const kind = schema ? `the layers of ${schema}` : 'layers of neither Protomaps nor OpenMapTiles'
  return [
    `zooms ${minZoom} to ${maxZoom}`,
    ...(layers.length > 0 ? [kind] : []),
    ...(bounds ? [`from ${bounds.slice(0, 2).join(', ')} to ${bounds.slice(2).join(', ')}`] : []),
  ].join(', ')
}

const explain = ({ message, cause }: Error & { cause?: unknown }) =>
  message || (cause instanceof Error ? cause.message : 'no reply')

/** `isOnlyProcess`: no other process uses the embedded database. */
async function checkDatabase(config: Config): Promise<{ findings: Finding[]; isOnlyProcess: boolean }> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'postgres'))) {
    const finding = { ok: true, check: 'database', detail: 'does not exist yet: the first start creates it' }
    return { findings: [finding], isOnlyProcess: true }
  }
  try {
    const deployment = await openDeployment(config, {
      mode: 'join',
      log: createLog('silent'),
      migrates: false,
    })
    try {
      const { pending, database } = deployment
      const { rows } = await database.ownerPool.query<{ version: string; size: string }>(
        `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size`,
      )
      const { version, size } = rows[0]!
      const kind = config.databaseUrl
        ? 'DATABASE_URL'
        : deployment.embedded?.owner
          ? 'embedded, started for this check'
          : 'embedded, in use by a server'
      const findings = [
        { ok: true, check: 'database', detail: `PostgreSQL ${version} (${kind}), ${size}` },
        ...(pending.length > 0
          ? [
              {
                ok: false,
                check: 'migrations',
                detail: `not applied: ${pending.join(', ')}; the next start applies them`,
              },
            ]
          : await checkContents(deployment)),
      ]
      return { findings, isOnlyProcess: deployment.embedded?.owner ?? false }
    } finally {
      await deployment.close()
    }
  } catch (error) {
    return {
      findings: [{ ok: false, check: 'database', detail: (error as Error).message }],
      isOnlyProcess: false,
    }
  }
}

async function checkContents({ database, fingerprint }: Deployment): Promise<Finding[]> {
  const keys = (await listKeys(database.owner)).filter(key => !key.revokedAt).length
  const detail = keys > 0 ? `${keys} not revoked` : 'none: create one with `npx aldaba keys create`'
  const [other] = (await listKeyringFingerprints(database.owner)).filter(one => one !== fingerprint)
  const rotation = other ? `; a rotation is in progress, ${other} fits too` : ''
  return [
    { ok: true, check: 'migrations', detail: 'up to date' },
    { ok: true, check: 'encryption key', detail: `fits the database (${fingerprint})${rotation}` },
    { ok: keys > 0, check: 'API keys', detail },
  ]
}

async function checkServer({ host, port }: Config, isOnlyProcess: boolean): Promise<Finding> {
  const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/readyz`
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(3000) })
    const other = isOnlyProcess
      ? ', but does not use this database: set DATA_DIR to the directory of that server'
      : ''
    return {
      ok: reply.ok && !isOnlyProcess,
      check: 'server',
      detail: `${address} answers ${reply.status}${other}`,
    }
  } catch {
    return { ok: true, check: 'server', detail: `not running at ${address}` }
  }
}

function explainPortals(error: Error): Finding[] {
  return [{ ok: false, check: 'portals', detail: error.message }]
}

async function checkPortals(config: Config): Promise<Finding[]> {
  const { portalUrls, portalsDir } = config
  const builtIn: PortalDefinition[] = builtInPortals
  const ownPortals = await loadPortals(
    portalsDir,
    builtIn.map(({ id }) => id),
  )
  const toFinding = ({ id, authentication }: PortalDefinition, note: string): Finding => {
    // The user info of the URL is secret, so only the origin is printed.
    const url = URL.parse(portalUrls[id] ?? '')
    const lacksCredentials = url !== null && authentication !== undefined && url.password === ''
    const live = lacksCredentials
      ? `${url.origin} without the required credentials (PORTAL_URLS)`
      : (url?.origin ?? 'not configured (PORTAL_URLS)')
    return { ok: !lacksCredentials, check: `portal ${id}`, detail: `live: ${live}; ${note}` }
  }
  const knownIds = [...builtIn, ...ownPortals].map(({ id }) => id)
  return [
    ...builtIn.map(portal => toFinding(portal, 'test: simulator')),
    ...ownPortals.map(portal => toFinding(portal, `from ${portalsDir}`)),
    ...checkPortalIds(config, knownIds).map(detail => ({ ok: false, check: 'configuration', detail })),
  ]
}
