/** A permission of an API key: to read or to write one group of routes. Each feature declares its scopes. */
export type Scope = `${string}:${'read' | 'write'}`

/** Returns whether a key with these scopes has `required`. No scopes mean full access; `:write` implies `:read`. */
export function allows(granted: readonly string[], required: Scope): boolean {
  if (granted.length === 0 || granted.includes(required)) return true
  return required.endsWith(':read') && granted.includes(required.replace(/:read$/, ':write'))
}
