/** What a key may do: read or write what a group of routes is about. Features declare those that there are. */
export type Scope = `${string}:${'read' | 'write'}`

/** Whether a key with these scopes may do what needs `required`. None means full access; `:write` implies `:read`. */
export function allows(granted: readonly string[], required: Scope): boolean {
  if (granted.length === 0 || granted.includes(required)) return true
  return required.endsWith(':read') && granted.includes(required.replace(/:read$/, ':write'))
}
