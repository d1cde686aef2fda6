/** A way in: a POST of the dashboard that somebody sends who has neither key nor session, such as signing in. */
import type { Database } from './db/index.ts'
import type { ProblemCode, ProblemType } from './problem.ts'
import type { JsonRoute } from './route.ts'
import type { Static, TSchema } from './schema.ts'

export interface AnonymousRouteDefinition<B extends TSchema, R extends TSchema> {
  /** Below `/dashboard/v1`. */
  path: string
  operation: string
  tag: string
  summary: string
  description?: string
  body: B
  example: Static<B>
  status: 200 | 204
  reply: R
  replyExample?: Static<R>
  errors?: (ProblemCode | ProblemType)[]
  handle(input: {
    body: Static<B>
    database: Database
    /** By which the client is counted, see `toClientAddress`. */
    address: string
    /** Aborted when the client goes away. */
    disconnected: AbortSignal
  }): Promise<{ reply: Static<R>; headers?: Record<string, string> }>
}

/** Its types have served their purpose. */
export type AnonymousRoute = AnonymousRouteDefinition<TSchema, TSchema>

/** Declares a route without a key. */
export function anonymousRoute<B extends TSchema, R extends TSchema>(
  definition: AnonymousRouteDefinition<B, R>,
): AnonymousRoute {
  return definition as unknown as AnonymousRoute
}

/** As a route, for what describes and validates routes. */
export function toRoute({ handle: _, ...description }: AnonymousRoute): JsonRoute {
  const handle = async () => {
    throw new Error('an entrance has no handler of a route')
  }
  return { ...description, method: 'POST', scope: 'any', handle }
}
