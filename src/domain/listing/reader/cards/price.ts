/** Finds the price among the amounts of a card. */
import { parseMoney } from '../../money.ts'
import { parseLocalNumber } from '../../number.ts'
import type { PageNode } from '../page-tree.ts'
import { type CardText, toNames } from './texts.ts'

interface CardPrice {
  amount: number
  /** ISO 4217, or a sign that several currencies share. */
  currency: string | null
  period: 'week' | 'month' | 'year' | null
}

interface Amount {
  /** Null for a range. */
  price: CardPrice | null
  rank: number
}

const amountTextMax = 120
const amountMin = 1
const pricePattern = /pri[cs]e|preis|precio|preco|preço|preu|prezzo|prix|prijs|cena\b|amount|miete|rent\b/
const formerPattern =
  /(?:^|[\s_-])(?:old|before|was|former|previous|anterior|original|strike|striked|crossed|vecchio|ancien|regular|alt)(?:$|[\s_-])|line-through|strikethrough|durchgestrichen|oldprice|priceold/
/** Amounts beside the price: charges, deposits, instalments, garages, reductions, former prices. */
const otherAmountPattern =
  /expens|gasto|comunidad|garaj|garagem?\b|parking|stellplatz|nebenkosten|hausgeld|\brate\b|monatsrate|kredit|kaution|deposit|fianza|cauç|cauzione|provision|comisi|czynsz|condom[ií]n|charges|service|hypoth|mortgage|hipoteca|cuota|prestaç|\brata|mutuo|financ|finanz|\bbaja|bajad|reduced by|descuento|per m²|\/ ?m²|€\/m²|m² ?preis|helyett|\bstatt\b|\bwas\b|\bantes\b|\binvece\b|zamiast/i
const onRequestPattern =
  /auf anfrage|a consultar|consultar|sob consulta|on request|on application|\bpoa\b|su richiesta|trattativa riservata|sur demande|do uzgodnienia|zapytaj|op aanvraag|sin precio|preu a|irányáron/i
const perAreaPattern = /^\s*(?:\/|per|pro|por|al|au|za)?\s*(?:m²|m2|mq|qm|sq|кв)/i

/** Signs that the page's language makes clear, beyond those of `parseMoney`. */
const codes: Record<string, string> = {
  ft: 'HUF',
  huf: 'HUF',
  kč: 'CZK',
  czk: 'CZK',
  lei: 'RON',
  ron: 'RON',
  '₽': 'RUB',
  руб: 'RUB',
  mn: 'MXN',
  mxn: 'MXN',
  '₺': 'TRY',
  tl: 'TRY',
  '₴': 'UAH',
  грн: 'UAH',
  лв: 'BGN',
  's/': 'PEN',
  sek: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  aed: 'AED',
  ars: 'ARS',
  clp: 'CLP',
  cop: 'COP',
  '€': 'EUR',
  eur: 'EUR',
  '£': 'GBP',
  zł: 'PLN',
  us$: 'USD',
  usd: 'USD',
  chf: 'CHF',
}
const signs =
  '€|eur|£|zł|us\\$|usd|chf|ft|huf|kč|czk|lei|ron|₽|руб|mn|mxn|₺|tl|₴|грн|лв|s/|sek|nok|dkk|aed|ars|clp|cop'
const space = '[ \\u00a0\\u2009\\u202f]?'
const grouped = "\\d{1,3}(?:[ \\u00a0\\u2009\\u202f.,'’]\\d{3})+(?:,\\d{2})?|\\d{3,9}"
const signAfterPattern = new RegExp(`(?<![\\d.,])(${grouped})${space}(${signs})(?![\\p{L}²])`, 'iu')
const signBeforePattern = new RegExp(`(?<![\\p{L}])(${signs})${space}(${grouped})(?![\\d.,])`, 'iu')
const millionPattern = new RegExp(
  `(\\d{1,4}(?:[.,]\\d{1,3})?)${space}(?:M|Mio\\.?|millió|mil\\.|mill\\.|millones|milhões|milioni|mln|млн)${space}(${signs})(?![\\p{L}²])`,
  'iu',
)

/** The price; null if the card has none, or a range. */
export function findCardPrice(texts: readonly CardText[], card: PageNode): CardPrice | null {
  return findBestAmount(texts, card)?.price ?? null
}

/** True if the card has a price or a range of prices. */
export function hasAmount(texts: readonly CardText[], card: PageNode): boolean {
  return findBestAmount(texts, card) !== null
}

/** True if the card has a price, a range of prices, or says that the price is on request. */
export function hasPrice(texts: readonly CardText[], card: PageNode): boolean {
  return hasAmount(texts, card) || isOnRequest(texts)
}

function isOnRequest(texts: readonly CardText[]): boolean {
  return texts.some(({ text }) => text.length < 60 && onRequestPattern.test(text))
}

function findBestAmount(texts: readonly CardText[], card: PageNode): Amount | null {
  let best: Amount | null = null
  for (let index = 0; index < texts.length; index += 1) {
    const amount = parseAmount(texts, index, card)
    // The first of equally marked amounts is the price: a former one follows it.
    if (amount !== null && (best === null || amount.rank > best.rank)) best = amount
  }
  return best
}

function parseAmount(texts: readonly CardText[], index: number, card: PageNode): Amount | null {
  const { text: own, node } = texts[index]!
  if (own.length > amountTextMax || !/\d/.test(own)) return null
  const before = texts[index - 1]?.text ?? ''
  const next = texts[index + 1]?.text ?? ''
  const text = joinSign(own, before, next)
  const price = parsePrice(text)
  if (price === null && !isRange(text)) return null
  if (perAreaPattern.test(next) || otherAmountPattern.test(own)) return null
  if (before.length < 40 && otherAmountPattern.test(before) && !/\d/.test(before)) return null
  if (next.length < 30 && otherAmountPattern.test(next) && !/\d/.test(next)) return null
  let rank = 1
  let current: PageNode | null = node
  for (let level = 0; level < 5 && current !== null && current !== card.parent; level += 1) {
    const names = toNames(current)
    if (/^(?:del|s|strike)$/.test(current.name) || formerPattern.test(names)) return null
    if (level < 4 && pricePattern.test(names)) rank = 2
    current = current.parent
  }
  return { price, rank }
}

/** Sign and amount may be in elements of their own. */
function joinSign(own: string, before: string, next: string): string {
  if (!/^[\d.,'’\s\u00a0]+(?:-|–)?$/.test(own)) return own
  const sign = new RegExp(`^(?:${signs}|\\$|r\\$|kr)(?:$|[\\s/])`, 'iu')
  if (sign.test(next) && next.length < 25) return `${own} ${next}`
  if (sign.test(before) && before.length < 5) return `${before} ${own}`
  return own
}

const isRange = (text: string): boolean =>
  /\d/.test(text) &&
  /(?:€|£|\$|zł|eur|usd|chf|kč)/i.test(text) &&
  /\d[\s€£$]*(?:-|–|—|bis|to|até|a|à)[\s€£$]*\d/i.test(text)

function parsePrice(text: string): CardPrice | null {
  const million = millionPattern.exec(text)
  if (million !== null) {
    if (isPerArea(text, million)) return null
    const amount = Math.round(Number(million[1]!.replace(',', '.')) * 1e6)
    return { amount, currency: codes[million[2]!.toLowerCase()] ?? null, period: null }
  }
  const money = parseMoney(text)
  if (
    money !== null &&
    (money.currency !== null || money.sharedSign !== undefined) &&
    money.amount >= amountMin
  )
    return {
      amount: money.amount,
      currency: money.currency ?? money.sharedSign ?? null,
      period: money.period,
    }
  const after = signAfterPattern.exec(text)
  const before = after === null ? signBeforePattern.exec(text) : null
  const match = after ?? before
  if (match === null || isPerArea(text, match) || isRange(text)) return null
  const [digits, sign] = after === null ? [match[2]!, match[1]!] : [match[1]!, match[2]!]
  const currency = codes[sign.toLowerCase()] ?? null
  // `parseMoney` refused a text with these signs, for a reason.
  if (currency === null || /^(?:€|eur|£|zł|us\$|usd|chf)$/i.test(sign)) return null
  const amount = parseLocalNumber(digits)
  return amount === null || amount < amountMin ? null : { amount, currency, period: null }
}

const isPerArea = (text: string, match: RegExpExecArray): boolean =>
  perAreaPattern.test(text.slice(match.index + match[0].length))
