/** Serves routes of a test like those of the program. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createHttpServer, type HttpServerOptions } from '../src/kit/http/server.ts'
import { createLog } from '../src/kit/log.ts'
import { createMetrics } from '../src/kit/metrics.ts'
import type { Route } from '../src/kit/route.ts'
import type { TestApp } from './harness.ts'

/** Serves routes on the database of `app`; `url` is the base of their paths. */
export async function serveRoutes(
  { database, deployment }: TestApp,
  routes: Route[],
  options: Partial<
    Pick<
      HttpServerOptions,
      | 'inspectReply'
      | 'log'
      | 'publicRoutes'
      | 'trustedProxies'
      | 'anonymousRoutes'
      | 'dashboardRoutes'
      | 'publicUrl'
    >
  > = {},
): Promise<{ server: FastifyInstance; url: string }> {
  const server = createHttpServer({
    routes,
    database,
    cipher: deployment.cipher,
    basePaths: [''],
    publicUrl: 'http://localhost',
    agentScopes: [],
    log: createLog('silent'),
    metrics: createMetrics(async () => 0),
    ...options,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/public/v1` }
}
