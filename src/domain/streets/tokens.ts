/** Splits text into words, numbers and signs. */

export interface Token {
  start: number
  end: number
  text: string
  /** In lower case, without accents; a sign or a number as written. */
  word: string
  /** The line that it is in. */
  line: number
}

/** A number ends before a letter (`12A`), a word takes digits along (`T2`), `d'` and `º` are words of their own. */
const pattern =
  /\d+|(?:d|l|dell|nell|all|sull)(?=['’]\p{L})|[\p{L}--[ºª]][[\p{L}\p{M}\p{N}·]--[ºª]]*|\n|[^\s]/giv

export function toTokens(text: string): Token[] {
  const tokens: Token[] = []
  let line = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (found === '\n') line++
    else if (found !== "'" && found !== '’')
      tokens.push({ start: index, end: index + found.length, text: found, word: foldWord(found), line })
  }
  return tokens
}

const foldWord = (text: string) =>
  text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')

export const isNumber = ({ word }: Token) => /^\d/.test(word)
export const isCapitalized = ({ text }: Token) => /^\p{Lu}[\p{L}\p{M}·]*$/u.test(text)
export const isAdjacent = (one: Token | undefined, next: Token | undefined): next is Token =>
  one !== undefined && next !== undefined && one.end === next.start
