/**
 * A name as portals write it in URLs: lower case, no accents, words joined by hyphens (`l-hospitalet-de-llobregat`).
 */
export function toSlug(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
