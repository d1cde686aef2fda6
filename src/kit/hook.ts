/**
 * Hooks let other features act in a feature's transaction: one feature declares and calls a hook, others handle it. The
 * handling feature imports the declaring one, never the reverse.
 */
import { getContext } from './db/context.ts'
import type { Database, Tx } from './db/index.ts'

type Handle<D, R> = (tx: Tx, data: D) => Promise<R>

/** `types` exists only for the compiler. */
export interface Hook<D, R> {
  name: string
  types?: Handle<D, R>
}

/** A handler of a hook, listed in the `hooks` of a feature. */
export interface HookHandler {
  hook: Hook<never, unknown>
  handle: Handle<never, unknown>
}

/** Declares a hook. `D`: the data passed to handlers. `R`: the result of each handler. */
export function hook<D, R = void>(name: string): Hook<D, R> {
  return { name }
}

/** Declares a handler of a hook. */
export function on<D, R>(hook: Hook<D, R>, handle: Handle<D, R>): HookHandler {
  return { hook: hook as Hook<never, unknown>, handle: handle as Handle<never, unknown> }
}

const boundHandlers = new WeakMap<object, HookHandler[]>()

/** Binds the handlers of a program's features to its database: its transactions call them, in the order of the features. */
export function bindHooks(database: Database, features: { hooks?: HookHandler[] }[]): void {
  boundHandlers.set(
    database,
    features.flatMap(({ hooks = [] }) => hooks),
  )
}

/**
 * Calls the handlers one after the other in the transaction, and returns their results. Throws if there is no handler.
 */
export async function callHook<D, R>(tx: Tx, hook: Hook<D, R>, data: D): Promise<R[]> {
  const bound = boundHandlers.get(getContext(tx).database) ?? []
  const handlers = bound.filter(handler => handler.hook === hook)
  if (handlers.length === 0) throw new Error(`no feature handles the hook ${hook.name}`)
  const results: R[] = []
  for (const { handle } of handlers) results.push((await handle(tx, data as never)) as R)
  return results
}
