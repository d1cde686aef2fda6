/** What a workspace may use up in a month, by name. */
export const quotaNames = [
  'maxExtractionsPerMonth',
  'maxLeadsPerMonth',
  'maxMessagesPerMonth',
  'maxValuationsPerMonth',
  'maxFichasPerMonth',
] as const

export type QuotaName = (typeof quotaNames)[number]
