/** Starts extractions: for a request, and for a campaign. */
import { getTenantId } from '../../kit/db/context.ts'
import { type Environment, sql, type Tx } from '../../kit/db/index.ts'
import { startOperation } from '../../kit/operations/operation.ts'
import { Problem } from '../../kit/problem.ts'
import { reserve } from '../../kit/quota.ts'
import { checkFilters, type Portals, portalUnconfigured } from '../platforms/service.ts'
import { extractionKind } from './operation.ts'
import { insertExtraction, type NewExtractionRow } from './queries.ts'
import { extractionsPerMonth } from './quotas.ts'

/** Starts an extraction with valid filters. Throws 409 PORTAL_UNCONFIGURED, 429 QUOTA_EXCEEDED, 429 TOO_MANY_JOBS. Returns its id. */
export async function startExtraction(
  tx: Tx,
  portals: Portals,
  environment: Environment,
  extraction: NewExtractionRow,
): Promise<string> {
  assertConfigured(portals, extraction.platform, environment)
  await reserve(tx, extractionsPerMonth)
  const extractionId = await insertExtraction(tx, extraction)
  await startOperation(tx, extractionKind, extractionId)
  return extractionId
}

interface CampaignSearch {
  campaignId: string
  platform: string
  filters: Record<string, unknown>
  maxResults: number
  /** Only what is new or changed. */
  incremental: boolean
}

/**
 * Starts the extraction of a campaign, which keeps its pending listings. Throws what `startExtraction` throws, and 400
 * INVALID_INPUT if the portal no longer accepts the filters.
 */
export async function startCampaignExtraction(
  tx: Tx,
  portals: Portals,
  { platform, incremental, ...search }: CampaignSearch,
): Promise<string> {
  if (!portals.find(platform))
    throw new Problem(portalUnconfigured, `There is no portal ${platform} any more.`)
  const { errors, normalized } = checkFilters(portals, platform, search.filters)
  if (!normalized) {
    const reasons = errors.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw new Problem('INVALID_INPUT', `The portal no longer accepts the filters: ${reasons}.`, { errors })
  }
  const options = {
    includeDetails: true,
    advertiserType: 'any' as const,
    incremental,
    updateExisting: true,
    tags: [],
  }
  const { rows } = await sql<{ environment: Environment }>`
    select environment from tenants where id = ${getTenantId(tx)}`.execute(tx)
  return startExtraction(tx, portals, rows[0]!.environment, {
    ...search,
    platform,
    filters: normalized,
    options,
  })
}

export function assertConfigured(portals: Portals, platform: string, environment: Environment): void {
  const reason = portals.findUnavailableReason(platform, environment)
  if (reason) throw new Problem(portalUnconfigured, reason)
}
