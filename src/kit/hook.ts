/**
 * Hooks let other features act in a feature's transaction: one feature declares and calls a hook, others handle it. The
 * handling feature imports the declaring one, never the reverse.
 */
import type { Tx } from './db/index.ts'

type Handle<D, R> = (tx: Tx, data: D) => Promise<R>

export interface Hook<D, R> {
  name: string
  handlers: Handle<D, R>[]
}

/** A handler of a hook, listed in the `hooks` of a feature. */
export interface HookHandler {
  hook: Hook<never, unknown>
  handle: Handle<never, unknown>
}

/** Declares a hook. `D`: the data passed to handlers. `R`: the result of each handler. */
export function hook<D, R = void>(name: string): Hook<D, R> {
  return { name, handlers: [] }
}

/** Declares a handler of a hook. */
export function on<D, R>(hook: Hook<D, R>, handle: Handle<D, R>): HookHandler {
  return { hook: hook as Hook<never, unknown>, handle: handle as Handle<never, unknown> }
}

/** Binds all handlers to their hooks, in the order of the features. */
export function bindHooks(features: { hooks?: HookHandler[] }[]): void {
  const all = features.flatMap(({ hooks = [] }) => hooks)
  for (const { hook } of all) hook.handlers = []
  for (const { hook, handle } of all) hook.handlers.push(handle)
}

/**
 * Calls the handlers one after the other in the transaction, and returns their results. Throws if there is no handler.
 */
export async function callHook<D, R>(tx: Tx, { name, handlers }: Hook<D, R>, data: D): Promise<R[]> {
  if (handlers.length === 0) throw new Error(`no feature handles the hook ${name}`)
  const results: R[] = []
  for (const handle of handlers) results.push(await handle(tx, data))
  return results
}
