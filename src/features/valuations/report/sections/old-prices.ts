/** Prices that are no longer fresh are said to be so. */

import type { Block } from '../../../../documents/blocks.ts'
import { quantileOf } from '../../../../documents/charts/axis.ts'
import { ageKnownYears } from '../../../../domain/valuation/error-model.ts'
import { daysPerYear } from '../../../../domain/valuation/time.ts'
import type { Edition } from '../edition.ts'
import { dayOf } from './market.ts'

const freshDaysMax = 183

/** None if the newest price that counts is less than half a year old. */
export function oldPricesBlocks({ words, formats, used }: Edition): Block[] {
  const ages = used.map(({ ageDays }) => ageDays)
  const newest = used.toSorted((one, other) => one.ageDays - other.ageDays)[0]
  if (!newest || newest.ageDays <= freshDaysMax) return []
  const month = formats.month(dayOf(newest.comparable.seenAt))
  const said = words.oldPrices(formats.age(newest.ageDays), month, formats.age(quantileOf(ages, 0.5)))
  const average = used.reduce((sum, { ageDays, weight }) => sum + ageDays * weight, 0)
  const isWider = average > ageKnownYears * daysPerYear
  return [{ kind: 'paragraph', text: isWider ? `${said} ${words.widerForAge}` : said }]
}
