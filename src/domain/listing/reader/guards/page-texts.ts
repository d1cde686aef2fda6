/** The texts that a person sees on a page, in forms that values can be looked up in. */
import { toPlainWords } from '../../../plain-words.ts'
import { collectMeta, extractNodeText, findFirst, type PageNode, type PageTree } from '../page-tree.ts'
import { toPhrase } from '../words/words.ts'

const bodyMax = 300_000
/** A shorter page is drawn by its scripts. */
const shortBodyMax = 1500
const numbersMax = 20_000
/** Each one searches the whole page. Texts beyond these count as not printed. */
const lookupsMax = 1000
const controlsMax = 3000
const controlLengthMax = 60
const metaNames = ['og:title', 'og:description', 'description', 'twitter:title', 'twitter:description']

/** Also without the amount, as at the head of a table. */
const currencySigns: Record<string, RegExp> = {
  EUR: /€|\beuros?\b/i,
  GBP: /£|\bgbp\b/i,
  PLN: /zł|\bpln\b/i,
  CZK: /kč|\bczk\b/i,
  INR: /₹|\brs\b|\binr\b/i,
  NGN: /₦|\bngn\b/i,
}

export interface PageTexts {
  /** True if the body has too little text to say what the page prints. */
  isShort: boolean
  /** True if the page prints the words, whatever their case, accents and separators. */
  hasWords(text: string): boolean
  /** True if the page prints the words in two places. */
  hasWordsTwice(text: string): boolean
  /** True if the page prints the word by itself. */
  hasToken(word: string): boolean
  /** A number with the letters that the page prints before it (`OM-479434`), or the text itself. */
  findPrefixed(reference: string): string
  /** True if the page prints the number, with any separators. */
  hasNumber(value: number): boolean
  /** False if the page prints only signs of other currencies. */
  canPrintCurrency(code: string): boolean
  /** True for the text of a button, or of a link that leads nowhere. */
  isControl(text: string): boolean
}

/** One pass over the texts of the page. */
export function collectPageTexts(tree: PageTree): PageTexts {
  const meta = collectMeta(tree)
  const title = findFirst(tree, 'title')
  const body = extractNodeText(findFirst(tree, 'body') ?? tree.root, bodyMax)
  const heads = metaNames.flatMap(name => meta.get(name)?.slice(0, 2) ?? []).map(text => text.slice(0, 2000))
  const all = [title === null ? '' : extractNodeText(title, 500), ...heads, body].join(' | ')
  const words = toKey(all)
  const lookups = new Map<string, boolean>()
  const tokens = new Set(
    all.match(/(?<![\p{L}\d])\p{Lu}[\p{Lu}\d]{1,7}(?![\p{L}\d])/gu)?.slice(0, numbersMax),
  )
  const prefixed = collectPrefixed(all)
  const signs = Object.keys(currencySigns).filter(code => currencySigns[code]!.test(all))
  const numbers = collectNumbers(all)
  const controls = collectControls(tree)
  return {
    isShort: body.length < shortBodyMax,
    hasWords: text => {
      const key = toKey(text.slice(0, 500))
      const known = lookups.get(key)
      if (known !== undefined) return known
      const isPrinted = key !== '' && lookups.size < lookupsMax && words.includes(key)
      lookups.set(key, isPrinted)
      return isPrinted
    },
    hasWordsTwice: text => {
      const key = toKey(text.slice(0, 500))
      const first = key === '' ? -1 : words.indexOf(key)
      return first !== -1 && words.includes(key, first + key.length)
    },
    hasToken: word => tokens.has(word.toUpperCase()),
    findPrefixed: reference => prefixed.get(reference) ?? reference,
    hasNumber: value => numbers.has(toDigits(value)),
    canPrintCurrency: code => signs.length === 0 || !(code in currencySigns) || signs.includes(code),
    isControl: text => controls.has(toPhrase(text)),
  }
}

function toKey(text: string): string {
  return toPlainWords(text).replace(/[^\p{L}\p{N}]+/gu, '')
}

function toDigits(value: number): string {
  return String(Math.round(value * 100) / 100).replace(/\D/g, '')
}

/** The digits of each number, with and without its decimals. */
function collectNumbers(text: string): Set<string> {
  const numbers = new Set<string>()
  for (const [found] of text.matchAll(/\d(?:[\d.,'’]|\s(?=\d{3}(?!\d))){0,20}/gu)) {
    if (numbers.size > numbersMax) break
    numbers.add(found.replace(/\D/g, ''))
    const whole = found.replace(/[.,]\d{1,2}\D*$/, '')
    if (whole !== found) numbers.add(whole.replace(/\D/g, ''))
    // `3 250 000` may be a count before an amount.
    for (const part of found.split(/\s/)) numbers.add(part.replace(/\D/g, ''))
  }
  return numbers
}

/** Codes such as `OM-479434` by their number. A number with several codes has none. */
function collectPrefixed(text: string): Map<string, string> {
  const codes = new Map<string, string>()
  const bare = new Set(text.match(/(?<![\p{L}\d-])\d{4,12}(?![\p{L}\d-])/gu)?.slice(0, numbersMax))
  for (const [code, sign, number] of text.matchAll(
    /(?<![\p{L}\d-])\p{Lu}{1,6}([-_/]?)(\d{4,12})(?![\p{L}\d-])/gu,
  )) {
    if (codes.size >= controlsMax) break
    // `ML81643266` stands for the number only if the page never prints the number by itself.
    if (sign === '' && bare.has(number!)) continue
    codes.set(number!, (codes.get(number!) ?? code) === code ? code : number!)
  }
  return codes
}

function collectControls(tree: PageTree): Set<string> {
  const controls = new Set<string>()
  for (const node of tree.nodes) {
    if (controls.size >= controlsMax) break
    if (!isControlNode(node)) continue
    const text = extractNodeText(node, controlLengthMax + 1)
    if (text !== '' && text.length <= controlLengthMax) controls.add(toPhrase(text))
  }
  controls.delete('')
  return controls
}

function isControlNode({ name, attributes }: PageNode): boolean {
  if (name === 'button' || name === 'label' || name === 'option' || attributes.role === 'button') return true
  return name === 'a' && /^(?:#.*|javascript:.*|mailto:.*|)$/i.test(attributes.href ?? '')
}
