/** Serves health checks, metrics, the OpenAPI document and the API reference. They need no key. */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { listPendingMigrations } from '../db/migrate.ts'
import { listDocsAssets } from '../docs-page.ts'
import type { Metrics } from '../metrics.ts'
import { createCachedHandler, memoize } from './cached-reply.ts'
import { yieldForReply } from './event-loop-turns.ts'

export interface SystemRoutesOptions {
  basePaths: string[]
  /** Returns the same text each time. Null if this process serves no API. */
  getOpenapi: (() => string) | null
  metrics: Metrics
  ownerPool: pg.Pool
  isQueueReady: () => boolean
}

/** How long results of health checks and metrics are cached. */
const ttlMs = 100
/** How long documents that never change are cached. A page that nobody requests takes no memory. */
const documentTtlMs = 10_000

type Check = { ok: boolean; message?: string }

/** Mounts `/livez`, `/readyz` and `/metrics`; with an API also `/openapi.json` and `/docs`, to which `/` redirects. */
export function mountSystemRoutes(app: FastifyInstance, options: SystemRoutesOptions): void {
  app.after(() => mount(app, options))
}

function mount(
  app: FastifyInstance,
  { basePaths, getOpenapi, metrics, ownerPool, isQueueReady }: SystemRoutesOptions,
): void {
  // These routes need no key, so concurrent requests share one query.
  const check = memoize(() => checkDatabase(ownerPool), ttlMs)
  const sendMetrics = createCachedHandler(() => metrics.render(), ttlMs)
  app.get('/livez', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const database = await check()
    await yieldForReply()
    const checks = { ...database, queue: { ok: isQueueReady() } }
    const ready = Object.values(checks).every(check => check.ok)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks })
  })
  app.get('/metrics', (request, reply) => sendMetrics(request, reply.type(metrics.contentType)))
  if (!getOpenapi) return
  const sendDocument = createCachedHandler(async () => getOpenapi(), documentTtlMs)
  for (const basePath of basePaths) {
    app.get(basePath === '' ? '/' : basePath, (_request, reply) => reply.redirect(`${basePath}/docs`))
    app.get(`${basePath}/openapi.json`, (request, reply) =>
      sendDocument(request, reply.type('application/json; charset=utf-8')),
    )
    for (const asset of listDocsAssets({ openapiUrl: 'openapi.json' })) {
      const sendAsset = createCachedHandler(asset.read, documentTtlMs)
      app.get(basePath + asset.path, (request, reply) =>
        // The links of the page are relative and would break below /docs/.
        request.url.endsWith('/')
          ? reply.redirect(basePath + asset.path)
          : sendAsset(request, reply.headers(asset.headers)),
      )
    }
  }
}

async function checkDatabase(ownerPool: pg.Pool): Promise<{ database: Check; migrations: Check }> {
  try {
    const pending = await listPendingMigrations(ownerPool)
    const migrations =
      pending.length === 0 ? { ok: true } : { ok: false, message: `not applied: ${pending.join(', ')}` }
    return { database: { ok: true }, migrations }
  } catch (error) {
    const message = (error as Error).message
    return {
      database: { ok: false, message },
      migrations: { ok: false, message: 'unknown without the database' },
    }
  }
}
