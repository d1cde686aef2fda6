/** A report in its language: what every section of it needs. */

import { createFormats, type Formats } from '../../../documents/formats.ts'
import type { ComparedProperty } from '../../../domain/valuation/estimate.ts'
import { getReportWords } from './languages.ts'
import type { ValuationReport } from './report.ts'
import type { AllWords } from './words.ts'

/** One that counts has an adjusted price. */
export type UsedProperty = ComparedProperty & { adjustedPrice: number }

export interface LocalizedReport {
  report: ValuationReport
  words: AllWords
  formats: Formats
  /** Those that are included: number 1 is the first. */
  used: UsedProperty[]
  /** A price, or a rent per month. */
  price: (amount: number) => string
  /** What can be shown of a text that a person or a source wrote; '' if nothing can. */
  displayText: (text: string) => string
}

export function localizeReport(
  report: ValuationReport,
  displayText: (text: string) => string,
): LocalizedReport {
  const words = getReportWords(report.config.language)
  const formats = createFormats(words, report.currency, report.timezone)
  return {
    report,
    words,
    formats,
    displayText,
    used: report.estimate.compared.filter(
      (one): one is UsedProperty => one.included && one.adjustedPrice !== null,
    ),
    price: report.operation === 'rent' ? amount => words.perMonth(formats.money(amount)) : formats.money,
  }
}
