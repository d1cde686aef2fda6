/** The language in which a template is sent. */

/** A BCP 47 tag as templates use it: a language, perhaps with a script and a region. */
export const languagePattern = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'

/**
 * Returns the language of `available` that fits best: the requested one, its base language, the same base language with
 * another region, then the default. `available` contains the default.
 */
export function chooseLanguage(
  available: readonly string[],
  { requested, fallback }: { requested: string | null; fallback: string },
): string {
  if (requested === null) return fallback
  if (available.includes(requested)) return requested
  const base = toBase(requested)
  if (available.includes(base)) return base
  // The default first: of pt-BR and pt-PT, the one that the workspace writes.
  return [fallback, ...available].find(language => toBase(language) === base) ?? fallback
}

/** True for two regions of one language, such as `en` and `en-GB`. */
export const isSameLanguage = (one: string, other: string): boolean => toBase(one) === toBase(other)

const toBase = (language: string) => language.split('-')[0]!
