/** Checks what advertising of a property must state, by the laws in force at the place on a day. */
import type { AdvertisedProperty } from './advertised-property.ts'
import { findRegion } from './region.ts'
import type { AdvertisingRule, AdvertisingSeverity } from './rule.ts'
import { cataloniaRules } from './rules/catalonia.ts'
import { italyRules } from './rules/italy.ts'
import { portugalRules } from './rules/portugal.ts'
import { spainRules } from './rules/spain.ts'
import { valenciaRules } from './rules/valencia.ts'

export const advertisingRules: readonly AdvertisingRule[] = [
  ...spainRules,
  ...cataloniaRules,
  ...valenciaRules,
  ...portugalRules,
  ...italyRules,
]

export type AdvertisingWarning = Pick<
  AdvertisingRule,
  'code' | 'field' | 'severity' | 'message' | 'law' | 'confirmation'
>

const severityRanks: Record<AdvertisingSeverity, number> = { required: 0, recommended: 1 }

/**
 * Returns one warning for each missing statement, required ones first. If several laws require the same statement, the
 * strictest is cited; among equals, that of the region. Countries other than Spain, Portugal and Italy have no rules.
 */
export function checkAdvertising(
  advertised: AdvertisedProperty,
  day: Temporal.PlainDate,
): AdvertisingWarning[] {
  const region = findRegion(advertised)
  const date = day.toString()
  const broken = advertisingRules.filter(
    rule =>
      rule.country === advertised.property.country &&
      (rule.region === null || rule.region === region) &&
      rule.from <= date &&
      (rule.until === null || date <= rule.until) &&
      rule.applies(advertised) &&
      !rule.isMet(advertised),
  )
  broken.sort(
    (one, other) =>
      severityRanks[one.severity] - severityRanks[other.severity] ||
      Number(one.region === null) - Number(other.region === null),
  )
  const warnings = new Map<string, AdvertisingWarning>()
  for (const { code, field, severity, message, law, confirmation } of broken)
    if (!warnings.has(code)) warnings.set(code, { code, field, severity, message, law, confirmation })
  return [...warnings.values()]
}
