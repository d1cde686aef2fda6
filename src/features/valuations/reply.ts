/** Converts a stored valuation to API replies and to the input of its report. */
import type { MapTiles } from '../../documents/map/map-tiles.ts'
import type { Estimate, ExclusionReason } from '../../domain/valuation/estimate.ts'
import { toAmenities } from '../../domain/valuation/property.ts'
import type { Tx } from '../../kit/db/index.ts'
import { readSetting } from '../../kit/settings/setting-store.ts'
import { documentLanguage } from '../identity/settings.ts'
import { type ShareDependencies, type SharedDocument, toShare, toShareOptions } from '../shares/service.ts'
import type { StoredComparable, SummaryRow, ValuationRow } from './queries.ts'
import type { ValuationReport } from './report/report.ts'
import { type NewReportConfig, type ReportConfig, reportSections } from './report/schemas.ts'
import type { Valuation, ValuationSummary, ValuationWithoutLinks } from './schemas.ts'
import { otherAmenities, toCharacteristics } from './subject.ts'

export interface ValuationsDependencies extends ShareDependencies {
  /** The tiles of street maps; null if the operator has none. */
  mapTiles: MapTiles | null
}

/** Fills omitted fields with their defaults; the default language is the workspace's. */
export async function resolveReportConfig(
  tx: Tx,
  config: NewReportConfig | null = null,
): Promise<ReportConfig> {
  const language = config?.language ?? (await readSetting(tx, documentLanguage))
  return { sections: [...reportSections], showAddress: true, ...config, language }
}

export function toValuationWithoutLinks(row: SummaryRow): ValuationWithoutLinks {
  const { id, name, address, operation, propertyType, subject, portalLocationId, currency, priceBasis } = row
  const { value, low, high, coverage, pricePerSquareMeter, fsd, confidence, modelVersion, considered } =
    row.estimate
  const area = { radiusKm: null, polygon: null, ...row.area }
  return {
    id,
    name,
    address,
    operation,
    propertyType,
    subject,
    area,
    portalLocationId,
    estimate: { value, low, high, coverage, currency, pricePerSquareMeter },
    confidence: { ...confidence, fsd },
    asOf: row.asOf.toISOString(),
    priceBasis,
    comparablesUsed: row.comparablesUsed,
    comparablesConsidered: considered,
    method: describeMethod(row),
    modelVersion,
    includedComparableIds: row.includedIds,
    excludedComparableIds: row.excludedIds,
    reportConfig: row.reportConfig,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export async function toSummary(
  row: SummaryRow,
  dependencies: ValuationsDependencies,
): Promise<ValuationSummary> {
  const share = await toShare(row.share, toShareOptions(sharedReport, dependencies))
  const url = `${dependencies.baseUrl}/public/v1/valuations/${row.id}`
  return {
    ...toValuationWithoutLinks(row),
    links: { report: `${url}/report`, pdf: `${url}/report.pdf`, share: share?.url ?? null },
    share,
  }
}

export async function toValuation(
  row: ValuationRow,
  dependencies: ValuationsDependencies,
): Promise<Valuation> {
  const facts = byId(row.candidates)
  return {
    ...(await toSummary(row, dependencies)),
    comparables: row.compared.map(({ id, distanceMeters, ageDays, ...compared }) => {
      const { amenities, seenAt, isForeign: _, ...comparable } = facts.get(id)!
      return {
        ...comparable,
        distanceMeters,
        ageDays,
        seenAt: new Date(seenAt).toISOString(),
        amenities: amenities === null ? null : toAmenities(amenities),
        ...compared,
      }
    }),
    exclusionCounts: toExclusionCounts(row),
  }
}

/** The public links to reports. */
export const sharedReport: SharedDocument = {
  kind: 'valuation',
  collection: 'valuations',
  pdfName: 'report.pdf',
}

const basis = {
  asking: 'The prices are asking prices of listings, not sale prices.',
  closed: 'The prices are those of closed deals.',
}

function describeMethod({ comparablesUsed, estimate, area, includedIds, priceBasis }: SummaryRow): string {
  const where = 'radiusKm' in area ? `within ${area.radiusKm} km` : 'in the area'
  const which =
    includedIds.length > 0 ? 'chosen by hand' : `the most similar of ${estimate.considered} ${where}`
  return `The weighted sum of the adjusted prices of ${comparablesUsed} comparables, ${which}. ${basis[priceBasis]}`
}

export function toReport(
  row: ValuationRow,
  agency: Pick<ValuationReport, 'branding' | 'timezone'>,
): ValuationReport {
  const { name, address, operation, propertyType, currency, priceBasis, reportConfig: config } = row
  const { considered, ...estimate } = row.estimate
  const facts = byId(row.candidates)
  const instant = (time: string | Date) => new Date(time).toTemporalInstant()
  return {
    name,
    address,
    subject: toCharacteristics(row.subject),
    otherAmenities: otherAmenities(row.subject),
    operation,
    propertyType,
    currency,
    priceBasis,
    considered,
    config,
    ...agency,
    estimate: {
      ...estimate,
      exclusionCounts: toExclusionCounts(row),
      compared: row.compared.map(({ id, ...compared }): Estimate['compared'][number] => {
        const { seenAt, isForeign: _, ...comparable } = facts.get(id)!
        return { ...compared, comparable: { ...comparable, seenAt: instant(seenAt) } }
      }),
    },
    // Each change issues the report again.
    asOf: instant(row.asOf),
    issuedAt: instant(row.updatedAt),
    market: row.candidates.map(({ price, squareMeters, seenAt }) => ({
      pricePerSquareMeter: price / squareMeters,
      seenAt: instant(seenAt),
    })),
    streets: null,
  }
}

/**
 * The first valuations did not store these counts. For them, comparables that are not listed count as `not_chosen` or
 * `less_similar`.
 */
function toExclusionCounts({ estimate, compared, includedIds }: ValuationRow): Estimate['exclusionCounts'] {
  if (estimate.exclusionCounts) return estimate.exclusionCounts
  const counts: Estimate['exclusionCounts'] = {}
  const add = (reason: ExclusionReason, count: number) => {
    if (count > 0) counts[reason] = (counts[reason] ?? 0) + count
  }
  for (const { exclusionReason } of compared) if (exclusionReason) add(exclusionReason, 1)
  add(includedIds.length > 0 ? 'not_chosen' : 'less_similar', estimate.considered - compared.length)
  return counts
}

function byId(candidates: StoredComparable[]): Map<string, StoredComparable> {
  return new Map(candidates.map(candidate => [candidate.id, candidate]))
}
