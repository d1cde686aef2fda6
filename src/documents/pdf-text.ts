/** Makes text printable by the fonts and the line breaking of the PDF. */
import { toPrintable } from './markup.ts'

/** The most characters without a space that fit on a line of the narrowest column. */
const wordMax = 24
/**
 * Longer words can break after every 8 characters. More breaks are impossible: Typst refuses texts of over 500 pieces.
 */
const pieceLength = 8

const segmenter = new Intl.Segmenter()
/** Emoji that the fonts of the PDF lack. */
const emoji =
  /[[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]--[©®™‼⁉↔-↙▪▫▶◀☑☕☺♀♂♠♣♥♦✔❤]]/v
/** Characters that turn their neighbours into emoji. */
const emojiMarks = /\p{Variation_Selector}|\u200d|\u20e3/gu

/** Splits text into user-perceived characters. */
function toGraphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Makes text printable and removes emoji, which would be printed as empty boxes. */
export function removeEmoji(text: string): string {
  const letters = toGraphemes(toPrintable(text))
    .filter(char => !emoji.test(char))
    .join('')
    .replace(emojiMarks, '')
    .replace(/ {2,}/g, ' ')
  return toPrintable(letters)
}

/** Adds zero-width spaces to words that are too long for a line, because Typst breaks lines only at spaces. */
export function addBreaks(text: string): string {
  return toPrintable(text).replace(new RegExp(`\\S{${wordMax + 1},}`, 'gu'), word =>
    toGraphemes(word)
      .map((char, at) => (at > 0 && at % pieceLength === 0 ? `\u200b${char}` : char))
      .join(''),
  )
}

/** Cuts a text at `max` UTF-16 units, and marks the cut. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).trimEnd()}…`.toWellFormed() : text
}
