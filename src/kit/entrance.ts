/** A way in: a POST of the dashboard that somebody sends who has neither key nor session, such as signing in. */
import type { Database } from './db/index.ts'
import type { ProblemCode, ProblemType } from './problem.ts'
import type { JsonRoute } from './route.ts'
import type { Static, TSchema } from './schema.ts'

export interface EntranceDefinition<B extends TSchema, R extends TSchema> {
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
  enter(input: {
    body: Static<B>
    database: Database
    /** By which the client is counted, see `clientAddressOf`. */
    address: string
    /** Aborted when the client goes away. */
    gone: AbortSignal
  }): Promise<{ reply: Static<R>; headers?: Record<string, string> }>
}

/** Its types have served their purpose. */
export type Entrance = EntranceDefinition<TSchema, TSchema>

/** Declares a way in. */
export function entrance<B extends TSchema, R extends TSchema>(
  definition: EntranceDefinition<B, R>,
): Entrance {
  return definition as unknown as Entrance
}

/** As a route, for what describes and validates routes. */
export function toRoute({ enter: _, ...description }: Entrance): JsonRoute {
  const handle = async () => {
    throw new Error('an entrance has no handler of a route')
  }
  return { ...description, method: 'POST', scope: 'any', handle }
}
