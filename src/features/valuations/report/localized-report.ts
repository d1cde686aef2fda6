/** A report with the texts and formats of its language, the input of every section. */

import { createFormats, type Formats } from '../../../documents/formats.ts'
import type { ComparedProperty } from '../../../domain/valuation/estimate.ts'
import { getReportWords } from './languages.ts'
import type { ValuationReport } from './report.ts'
import { roundEstimate } from './rounding.ts'
import type { AllWords } from './words.ts'

/** A comparable in the estimate; it always has an adjusted price. */
export type UsedProperty = ComparedProperty & { adjustedPrice: number }

export interface LocalizedReport {
  /** Its estimate is rounded. */
  report: ValuationReport
  words: AllWords
  formats: Formats
  /** The comparables in the estimate, in the order of their numbers from 1. */
  used: UsedProperty[]
  /** Formats a price, or a rent with "per month". */
  price: (amount: number) => string
  /** Removes characters that the output format cannot show from a text of users or sources; may return ''. */
  displayText: (text: string) => string
}

export function localizeReport(
  report: ValuationReport,
  displayText: (text: string) => string,
): LocalizedReport {
  const words = getReportWords(report.config.language)
  const formats = createFormats(words, report.currency, report.timezone)
  return {
    report: { ...report, estimate: roundEstimate(report.estimate) },
    words,
    formats,
    displayText,
    used: listUsed(report),
    price: report.operation === 'rent' ? amount => words.perMonth(formats.money(amount)) : formats.money,
  }
}

export function listUsed({ estimate }: ValuationReport): UsedProperty[] {
  return estimate.compared.filter((one): one is UsedProperty => one.included && one.adjustedPrice !== null)
}
