/** What the operator and the curious ask of any process: is it well, what does it measure, what can it do. */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { listPendingMigrations } from '../db/migrate.ts'
import { listDocsAssets } from '../docs-page.ts'
import type { Metrics } from '../metrics.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { cachedReply, memoize } from './cached-reply.ts'
import { yieldForReply } from './event-loop-turns.ts'

export interface SystemRoutesOptions {
  basePaths: string[]
  /** Null: this process serves no API to describe. */
  openapi: OpenApiDocument | null
  metrics: Metrics
  ownerPool: pg.Pool
  queueIsReady: () => boolean
}

/** So old may be what these pages say. */
const ttlMs = 100
/** Of what does not change while the program runs. A page that nobody calls for takes no memory. */
const documentTtlMs = 10_000

type Check = { ok: boolean; message?: string }

/** `/livez`, `/readyz` and `/metrics`; with an API also `/openapi.json` and the reference at `/docs`, to which `/` leads. */
export function mountSystemRoutes(app: FastifyInstance, options: SystemRoutesOptions): void {
  app.after(() => mount(app, options))
}

function mount(
  app: FastifyInstance,
  { basePaths, openapi, metrics, ownerPool, queueIsReady }: SystemRoutesOptions,
): void {
  // Nobody needs a key for these: however many ask at once, the database is asked once.
  const check = memoize(() => checkDatabase(ownerPool), ttlMs)
  const sendMetrics = cachedReply(() => metrics.render(), ttlMs)
  app.get('/livez', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const database = await check()
    await yieldForReply()
    const checks = { ...database, queue: { ok: queueIsReady() } }
    const ready = Object.values(checks).every(check => check.ok)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks })
  })
  app.get('/metrics', (request, reply) => sendMetrics(request, reply.type(metrics.contentType)))
  if (!openapi) return
  const document = JSON.stringify(openapi)
  const sendDocument = cachedReply(async () => document, documentTtlMs)
  for (const basePath of basePaths) {
    app.get(basePath === '' ? '/' : basePath, (_request, reply) => reply.redirect(`${basePath}/docs`))
    app.get(`${basePath}/openapi.json`, (request, reply) =>
      sendDocument(request, reply.type('application/json; charset=utf-8')),
    )
    for (const asset of listDocsAssets({ openapiUrl: 'openapi.json' })) {
      const sendAsset = cachedReply(asset.read, documentTtlMs)
      app.get(basePath + asset.path, (request, reply) =>
        // The page's addresses are relative: from /docs/ they would lead nowhere.
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
