/** Finds the id of a listing in its URL. */

/**
 * The path of a listing's URL, as `listingPath` of a portal matches it: with the query if the pattern has one, otherwise
 * without it.
 */
export function toListingPath(
  listingPath: RegExp,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
): string {
  return listingPath.source.includes('\\?') ? pathname + search : pathname
}

/** The portal's id of the listing at a URL; null if the URL is none of a listing. */
export function findListingId(listingPath: RegExp, url: Pick<URL, 'pathname' | 'search'>): string | null {
  // A pattern with `g` or `y` keeps a position between two calls.
  const pattern = listingPath.global || listingPath.sticky ? toStateless(listingPath) : listingPath
  return pattern.exec(toListingPath(listingPath, url))?.groups?.listingId ?? null
}

const toStateless = ({ source, flags }: RegExp) => new RegExp(source, flags.replace(/[gy]/g, ''))
