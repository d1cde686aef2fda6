/** A dashboard POST that needs neither key nor session, such as sign-in. */
import type { Database } from './db/index.ts'
import type { ProblemCode, ProblemType } from './problem.ts'
import type { JsonRoute } from './route.ts'
import type { Static, TSchema } from './schema.ts'

export interface AnonymousRouteDefinition<B extends TSchema, R extends TSchema> {
  /** The path below `/dashboard/v1`. */
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
    /** The client address for rate limits, see `toClientAddress`. */
    address: string
    /** Aborted when the client disconnects. */
    disconnected: AbortSignal
  }): Promise<{ reply: Static<R>; headers?: Record<string, string> }>
}

/** An anonymous route with its type parameters erased. */
export type AnonymousRoute = AnonymousRouteDefinition<TSchema, TSchema>

/** Declares an anonymous route. */
export function anonymousRoute<B extends TSchema, R extends TSchema>(
  definition: AnonymousRouteDefinition<B, R>,
): AnonymousRoute {
  return definition as unknown as AnonymousRoute
}

/** Converts it to a route, for validation and documentation. Its `handle` throws. */
export function toRoute({ handle: _, ...description }: AnonymousRoute): JsonRoute {
  const handle = async () => {
    throw new Error('an anonymous route cannot be called as a route')
  }
  return { ...description, method: 'POST', scope: 'any', handle }
}
