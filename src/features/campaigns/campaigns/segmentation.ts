/** Checks and completes `segmentation`, whose fields depend on the source. */
import { isDeepStrictEqual } from 'node:util'
import type { InputError } from '../../../kit/problem.ts'
import { compile } from '../../../kit/schema.ts'
import { checkFilters, type Portals } from '../../platforms/service.ts'
import { csvImport, isPortal, socialAds } from './platforms.ts'
import { type PortalSegmentation, type Segmentation, segmentationInputs } from './segmentation-schemas.ts'

const path = '/segmentation'

const toKind = (platform: string): keyof typeof segmentationInputs =>
  isPortal(platform) ? 'portal' : platform === csvImport || platform === socialAds ? platform : 'other'

/** Fields of other sources are unknown ones. The portal's own schema judges its filters. */
export function checkSegmentation(
  portals: Portals,
  platform: string,
  sent: Record<string, unknown>,
): InputError[] {
  const errors = compile(segmentationInputs[toKind(platform)])(sent).map(error => ({
    ...error,
    path: path + error.path,
    message: error.code === 'UNKNOWN_FIELD' ? `is not a field of the platform ${platform}` : error.message,
  }))
  return [...errors, ...checkRestartDate(sent), ...checkPortalFilters(portals, platform, sent.filters)]
}

function checkRestartDate({ messageRestartDate }: Record<string, unknown>): InputError[] {
  if (typeof messageRestartDate !== 'string' || isDate(messageRestartDate)) return []
  return [{ path: `${path}/messageRestartDate`, code: 'WRONG_FORMAT', message: 'must be a date that exists' }]
}

/** Returns whether a text of the form `2026-12-01` is a date. */
export function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

/** Everything that is wrong with the filters of a search; `path` is a pointer into the campaign. */
export function checkPortalFilters(portals: Portals, platform: string, filters: unknown): InputError[] {
  if (!isPortal(platform) || typeof filters !== 'object' || filters === null || Array.isArray(filters))
    return []
  return checkFilters(portals, platform, filters as Record<string, unknown>).errors.map(error => ({
    ...error,
    path: `${path}/filters${error.path}`,
  }))
}

const emptySegmentations: Record<keyof typeof segmentationInputs, Segmentation> = {
  portal: { filters: null, expectedResults: null, totalResults: null, messageRestartDate: null },
  csv_import: { batchSize: null },
  social_ads: { connectionId: null, formIds: [] },
  other: {},
}

/** The segmentation of a new source. */
export const toEmptySegmentation = (platform: string): Segmentation => emptySegmentations[toKind(platform)]

/** Omitted fields keep their value. `sent` was checked. */
export function mergeSegmentation(
  portals: Portals,
  platform: string,
  { base, sent }: { base: Segmentation; sent: Record<string, unknown> },
): Segmentation {
  if (!isPortal(platform)) return { ...base, ...sent } as Segmentation
  return mergeSearch(base as PortalSegmentation, { ...sent, ...normalizeFilters(portals, platform, sent) })
}

function normalizeFilters(portals: Portals, platform: string, { filters }: Record<string, unknown>) {
  if (typeof filters !== 'object' || filters === null) return {}
  return { filters: checkFilters(portals, platform, filters as Record<string, unknown>).normalized }
}

/** The portal's count is that of one search. Numbers of it that are sent back unchanged are not the user's own. */
function mergeSearch(base: PortalSegmentation, sent: Partial<PortalSegmentation>): PortalSegmentation {
  const merged = { ...base, ...sent }
  const isOther = !isDeepStrictEqual(merged.filters, base.filters)
  const isCounted = base.expectedResults === null && sent.expectedResults === base.totalResults
  return {
    ...merged,
    expectedResults: isCounted ? null : merged.expectedResults,
    totalResults: isOther && merged.totalResults === base.totalResults ? null : merged.totalResults,
  }
}

/** The segmentation in replies: the portal's count is expected, unless the user has stated another one. */
export const toReplySegmentation = (stored: Segmentation): Segmentation =>
  'expectedResults' in stored
    ? { ...stored, expectedResults: stored.expectedResults ?? stored.totalResults }
    : stored
