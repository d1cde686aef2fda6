/** What a key may do. The groups are those of the reference. */

export const scopes = [
  'campaigns:read',
  'campaigns:write',
  'leads:read',
  'leads:write',
  'extractions:read',
  'extractions:write',
  'platforms:read',
  'messaging:read',
  'messaging:write',
  'templates:read',
  'templates:write',
  'accounts:read',
  'accounts:write',
  'valuations:read',
  'valuations:write',
  'fichas:read',
  'fichas:write',
  'scheduling:read',
  'scheduling:write',
  'webhooks:read',
  'webhooks:write',
] as const

export type Scope = (typeof scopes)[number]

/** Whether a key with these scopes may do what needs `wanted`. None means full access; `:write` implies `:read`. */
export function allows(granted: readonly string[], wanted: Scope): boolean {
  if (granted.length === 0 || granted.includes(wanted)) return true
  return wanted.endsWith(':read') && granted.includes(wanted.replace(/:read$/, ':write'))
}
