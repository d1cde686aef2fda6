/** The routes of every kind of operation: retrieve it, stream its progress, cancel it. */
import type { Caller } from '../auth.ts'
import type { Tx } from '../db/index.ts'
import { toJsonText } from '../json-text.ts'
import { notFound } from '../problem.ts'
import { eventStreamRoute, type Route, route } from '../route.ts'
import { id, type Static, strictObject, type TObject } from '../schema.ts'
import type { Scope } from '../scope.ts'
import { longPollQuery, waitUntilEnded } from './long-poll.ts'
import { findOperationStatus, invalidTransition, type OperationKind } from './operation.ts'
import { toEndCondition, watchOperation } from './watch.ts'

export interface OperationRoutes<Reply extends TObject> {
  kind: OperationKind
  /** Contains `{id}`, such as `/extractions/{id}`. */
  path: string
  tag: string
  /** Used in the operation ids of the API, such as `Extraction`. */
  title: string
  scopes: { read: Scope; write: Scope }
  reply: Reply
  /** A running, a completed and a cancelled operation. */
  examples: { running: Static<Reply>; ended: Static<Reply>; cancellation: Static<Reply> }
  /** Says what happens to finished work when the operation is cancelled. */
  cancelDescription: string
  /** The operation as JSON; null if it does not exist. */
  find(tx: Tx, id: string): Promise<string | null>
  /** Cancels an active operation. Returns false if it has already ended. */
  cancel(tx: Tx, id: string, caller: Caller): Promise<boolean>
}

const cancellable = { action: 'cancelled', condition: 'is QUEUED or RUNNING' }

export function operationRoutes<Reply extends TObject>(operation: OperationRoutes<Reply>): Route[] {
  const { kind, path, tag, title, scopes, reply, examples, find } = operation
  const article = /^[aeiou]/.test(kind.name) ? 'an' : 'a'
  const params = strictObject({ id: id(`The ${kind.name}.`) })
  const shared = { tag, params, status: 200, reply } as const
  return [
    route({
      ...shared,
      method: 'GET',
      path,
      operation: `get${title}`,
      summary: `Retrieve ${article} ${kind.name} and its progress`,
      scope: scopes.read,
      query: strictObject(longPollQuery),
      replyExample: examples.running as never,
      async prepare({ params, query, caller, database, signal }) {
        await waitUntilEnded(database, caller, { ...toEndCondition(kind, params.id), ...query, signal })
      },
      async handle({ params, tx }) {
        const json = await find(tx, params.id)
        if (!json) throw notFound(kind.name)
        return toJsonText(json) as never
      },
    }),
    eventStreamRoute({
      path: `${path}/events`,
      operation: `watch${title}`,
      tag,
      summary: `Stream the progress of ${article} ${kind.name}`,
      scope: scopes.read,
      params,
      events: {
        progress: {
          description: `The current state of the ${kind.name}: sent at once, and after each change.`,
          data: reply,
          example: examples.running,
        },
        end: {
          description: `The final state of the ${kind.name}. The stream ends with it.`,
          data: reply,
          example: examples.ended,
        },
      } as never,
      open: ({ params, caller, database, signal }) =>
        watchOperation(database, caller, kind, { id: params.id, find, signal }) as never,
    }),
    route({
      ...shared,
      method: 'POST',
      path: `${path}/cancel`,
      operation: `cancel${title}`,
      summary: `Cancel ${article} ${kind.name}`,
      description: operation.cancelDescription,
      scope: scopes.write,
      replyExample: examples.cancellation as never,
      errors: ['INVALID_TRANSITION'],
      errorExamples: { INVALID_TRANSITION: invalidTransition(kind, 'COMPLETED', cancellable).message },
      async handle({ params, tx, caller }) {
        if (!(await operation.cancel(tx, params.id, caller))) {
          // Read after the attempt, since it may have ended while this transaction waited for the lock.
          const status = await findOperationStatus(tx, kind, params.id)
          if (!status) throw notFound(kind.name)
          throw invalidTransition(kind, status, cancellable)
        }
        return toJsonText((await find(tx, params.id))!) as never
      },
    }),
  ]
}
