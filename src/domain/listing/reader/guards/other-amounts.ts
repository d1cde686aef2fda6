/** Recognizes amounts that are not the price: prices per area, instalments, figures of calculators. */
import { toElementNames } from '../node-names.ts'
import type { PageNode } from '../page-tree.ts'

const area = '(?:m²|m2|m\\^2|mq|qm|m\\.?c\\.?(?![\\p{L}])|sq|square|metro|metre|meter|mètre|м²|м2|psf)'
const perArea = `(?:\\/|per|por|pro|al|au|par|je|za|p\\/)\\s*(?:1\\s*)?${area}`
const perAreaAmount = new RegExp(
  `^\\D{0,40}\\d[\\d.,'’\\s]*(?:€|£|\\$|\\p{L}{1,4}\\.?)?\\s*(?:${perArea}|psf)`,
  'iu',
)
const perAreaUnit = new RegExp(`^\\s*(?:${perArea}|psf)`, 'iu')
const instalmentWords =
  /(?:^|[^\p{L}])(?:instal?l?ments?|mortgages?|loan|repayments?|down payment|cuotas?|hipoteca\p{L}*|financ\p{L}+|mensualit\p{L}+|rata|rate|raty|mutuo|kredyt|kredit|finanzierung\p{L}*|parcelas|presta[cç][oõã]\p{L}*|hypothe\p{L}+|hypotek\p{L}*|splátk\p{L}*|ипотек\p{L}*|кредит\p{L}*|взнос)(?![\p{L}])/iu
const calculatorNames =
  /calculat|calculadora|mortgage|hipotec|hypothe|hypotek|loan|financ|instal+ment|simulat|simulador|converter|mutuo|kredit|kredyt|payment-?plan|exchange-?rate/i
const climbsMax = 6

/** True for `2.500 €/m²`, also as the beginning of a longer text. */
export function isAreaPrice(text: string): boolean {
  return perAreaAmount.test(text.slice(0, 120))
}

/** True for a text such as `/m²` after an amount. */
export function isAreaUnit(text: string): boolean {
  return perAreaUnit.test(text.slice(0, 40))
}

/** True for texts about instalments and loans. */
export function isAboutLoans(text: string): boolean {
  return text.length <= 200 && instalmentWords.test(text)
}

/** True for an element in a calculator of loans or of currencies. */
export function isInCalculator(node: PageNode): boolean {
  let current: PageNode | null = node
  for (let climbs = 0; current !== null && climbs < climbsMax; climbs += 1) {
    if (current.name !== 'body' && calculatorNames.test(toElementNames(current))) return true
    current = current.parent
  }
  return false
}
