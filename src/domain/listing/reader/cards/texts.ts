/** The visible texts of a card, in page order, with the element of each. */
import type { PageNode } from '../page-tree.ts'

export interface CardText {
  text: string
  /** The element whose child the text is. */
  node: PageNode
}

const textsMax = 400
const charactersMax = 12_000
const textLengthMax = 600
const detailLengthMax = 60
const rangePattern =
  /\d\s*(?:m²\s*)?(?:-|–|—|a|à|to|bis|até|do|tot)\s*\d+(?:[.,]\d+)?\s*(?:m²|amb|dorm|hab|zi|pok|rooms?|beds?|ch\b)/i

/** Trimmed and without empty ones; adjacent texts are one, and a superscript 2 belongs to the unit before it. */
export function collectTexts(card: PageNode): CardText[] {
  const texts: CardText[] = []
  let left = charactersMax
  const add = (raw: string, node: PageNode) => {
    left -= Math.min(raw.length, textLengthMax) + 1
    const text = raw.slice(0, textLengthMax).replace(/\s+/g, ' ').trim()
    if (text === '') return
    const before = texts.at(-1)
    if (before !== undefined && node.name === 'sup' && /^[23]$/.test(text))
      before.text += text === '2' ? '²' : '³'
    else texts.push({ text, node })
  }
  const visit = (node: PageNode) => {
    let pending = ''
    for (const child of node.children) {
      if (left <= 0 || texts.length >= textsMax) return
      if (typeof child === 'string') {
        if (pending.length < textLengthMax) pending += child
        continue
      }
      add(pending, node)
      pending = ''
      visit(child)
    }
    add(pending, node)
  }
  visit(card)
  return texts
}

/** The texts as lines of details; a number and its unit in two elements are one line. */
export function toDetailLines(texts: readonly CardText[]): string[] {
  const lines: string[] = []
  for (const [index, { text }] of texts.entries()) {
    // A development states ranges of its units.
    if (text.length > detailLengthMax || rangePattern.test(text)) continue
    const next = texts[index + 1]?.text ?? ''
    if (/^\d{1,6}(?:[.,]\d{1,2})?$/.test(text) && /^\p{L}/u.test(next) && next.length < 25)
      lines.push(`${text} ${next}`)
    else lines.push(...text.split(/ ?[·|•] ?/))
  }
  return lines
}

/** Class, test id and itemprop of an element in lower case: how the page itself names it. */
export function toNames({ attributes }: PageNode): string {
  return [
    attributes.class,
    attributes.id,
    attributes.itemprop,
    attributes['data-testid'],
    attributes['data-test'],
    attributes['data-cy'],
    attributes['data-qa'],
    attributes['data-selenium'],
    attributes['data-name'],
  ]
    .join(' ')
    .slice(0, 1000)
    .toLowerCase()
}

/** Texts that most cards have: labels and states, no titles. */
export function findRepeatedTexts(cards: readonly (readonly CardText[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const texts of cards)
    for (const text of new Set(texts.map(({ text }) => text))) counts.set(text, (counts.get(text) ?? 0) + 1)
  return new Set(
    [...counts].filter(([, count]) => count >= 3 && count > cards.length * 0.6).map(([text]) => text),
  )
}
