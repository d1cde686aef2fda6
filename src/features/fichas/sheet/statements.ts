/** What a sheet states because the law requires it, as text. Unknown facts are omitted. */
import type { Fact } from '../../../documents/blocks.ts'
import type { AdvertisingStatements } from '../../../domain/advertising-rules/advertised-property.ts'
import { capitalize, type FactsInput, toFacts } from './property-facts.ts'

export function toStatements(
  statements: AdvertisingStatements,
  { words, formats, visible }: FactsInput,
): Fact[] {
  const { construction, priceIncludesTaxes, isStressedArea, lastRent, referenceRent, isLargeHolder } =
    statements
  const labels = words.statements
  const toRent = (rent: number | null) =>
    rent === null ? null : words.perPeriod.month(formats.exactMoney(rent))
  const toAnswer = (answer: boolean | null) =>
    answer === null ? null : capitalize(answer ? words.yes : words.no, words.locale)
  return toFacts([
    [labels.construction, construction && labels.constructionState[construction]],
    [
      labels.taxes,
      priceIncludesTaxes === null
        ? null
        : priceIncludesTaxes
          ? labels.taxesIncluded
          : labels.taxesNotIncluded,
    ],
    [labels.buildingPermit, visible(statements.buildingPermit)],
    [labels.usePermit, visible(statements.usePermit)],
    [labels.shortTermRegistration, visible(statements.shortTermRegistration)],
    [labels.stressedArea, toAnswer(isStressedArea)],
    [labels.lastRent, toRent(lastRent)],
    [labels.referenceRent, toRent(referenceRent)],
    [labels.largeHolder, toAnswer(isLargeHolder)],
  ])
}
