/** Tables whose statements don't all name the tenant yet. */
export const notYet: ReadonlySet<string> = new Set<string>([
  'former_identifiers',
  'lead_likenesses',
  'lead_sources',
  'notes',
])
