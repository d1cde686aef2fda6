/** Recognizes the listing's own id and URL among the values of a page. */

const tokensMax = 20
const urlLengthMax = 2000

export interface PageIdentity {
  /** True for an id of the URL, for the URL itself, and for a path that ends like it. */
  isOwn(value: unknown): boolean
  /** True for a key that contains an id of the URL. */
  isOwnKey(key: string): boolean
}

export function createPageIdentity(url: string): PageIdentity {
  const parsed = URL.parse(url.slice(0, urlLengthMax))
  const path = decodePath(parsed?.pathname ?? '').replace(/\/+$/, '')
  const segments = [...path.split('/'), ...(parsed?.searchParams.values() ?? [])]
  const words = segments.flatMap(segment => [
    segment,
    segment.replace(/\.\w{2,5}$/, ''),
    ...segment.split(/[-_.,]/),
  ])
  const tokens = new Set(words.filter(isIdLike).slice(0, tokensMax))
  // The id may follow letters without a separator: `n106898`, `mzn2028506725`.
  for (const word of [...tokens]) {
    const digits = /^[a-z]+(\d{5,})$/i.exec(word)?.[1]
    if (digits !== undefined) tokens.add(digits)
  }
  const long = [...tokens].filter(token => token.length >= 6)
  return {
    isOwn(value) {
      if (typeof value === 'number') return tokens.has(String(value))
      if (typeof value !== 'string' || value.length < 5 || value.length > urlLengthMax) return false
      if (tokens.has(value)) return true
      if (path.length < 8 || !value.includes('/')) return false
      const other = value
        .replace(/^https?:\/\/[^/]+/, '')
        .replace(/[?#].*$/s, '')
        .replace(/\/+$/, '')
      return other === path
    },
    isOwnKey(key) {
      return key.length < urlLengthMax && long.some(token => key.includes(token))
    },
  }
}

/** Ids have a digit and at least five characters; years and short postcodes are none. */
function isIdLike(word: string): boolean {
  return (
    word.length >= 5 &&
    word.length <= 80 &&
    /\d/.test(word) &&
    !/^(?:19|20)\d\d$/.test(word) &&
    !/^\d+(?:m2|qm)$/.test(word)
  )
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
