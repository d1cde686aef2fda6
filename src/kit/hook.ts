/**
 * What a feature lets others do in its transaction: it declares a hook and calls it, others handle it. A feature that handles one
 * knows the feature that declares it, never the other way round.
 */
import type { Tx } from './db/index.ts'

type Handle<D, R> = (tx: Tx, data: D) => Promise<R>

export interface Hook<D, R> {
  name: string
  handlers: Handle<D, R>[]
}

/** A handler of a hook, as a feature lists it. */
export interface HookHandler {
  hook: Hook<never, unknown>
  handle: Handle<never, unknown>
}

/** Declares a hook: `D` is what its handlers are given, `R` what each returns. */
export function hook<D, R = void>(name: string): Hook<D, R> {
  return { name, handlers: [] }
}

/** Declares what a feature does when the hook is called. */
export function on<D, R>(hook: Hook<D, R>, handle: Handle<D, R>): HookHandler {
  return { hook: hook as Hook<never, unknown>, handle: handle as Handle<never, unknown> }
}

/** Gives every hook its handlers, in the order of the features. For `app.ts`, which lists them. */
export function bindHooks(features: { hooks?: HookHandler[] }[]): void {
  const all = features.flatMap(({ hooks = [] }) => hooks)
  for (const { hook } of all) hook.handlers = []
  for (const { hook, handle } of all) hook.handlers.push(handle)
}

/** Calls the handlers, one after the other, in the transaction `tx`. Returns what each returned. Throws if there is none. */
export async function callHook<D, R>(tx: Tx, { name, handlers }: Hook<D, R>, data: D): Promise<R[]> {
  if (handlers.length === 0) throw new Error(`no feature handles the hook ${name}`)
  const results: R[] = []
  for (const handle of handlers) results.push(await handle(tx, data))
  return results
}
