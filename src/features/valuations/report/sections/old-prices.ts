/** A warning about old prices. */

import type { Block } from '../../../../documents/blocks.ts'
import { computeQuantile } from '../../../../documents/charts/axis.ts'
import { observedYearsMax } from '../../../../domain/valuation/error-model.ts'
import { daysPerYear } from '../../../../domain/valuation/time.ts'
import type { LocalizedReport } from '../localized-report.ts'
import { toDay } from './market.ts'

const freshDaysMax = 183

/** Returns no block if the newest used price is at most half a year old. */
export function oldPricesBlocks({ words, formats, used }: LocalizedReport): Block[] {
  const ages = used.map(({ ageDays }) => ageDays)
  const newest = used.toSorted((one, other) => one.ageDays - other.ageDays)[0]
  if (!newest || newest.ageDays <= freshDaysMax) return []
  const month = formats.month(toDay(newest.comparable.seenAt))
  const sentence = words.oldPrices(
    formats.age(newest.ageDays),
    month,
    formats.age(computeQuantile(ages, 0.5)),
  )
  const average = used.reduce((sum, { ageDays, weight }) => sum + ageDays * weight, 0)
  const isWider = average > observedYearsMax * daysPerYear
  return [{ kind: 'paragraph', text: isWider ? `${sentence} ${words.widerForAge}` : sentence }]
}
