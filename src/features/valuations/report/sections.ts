/** The sections of a report, by their names. */
import type { Block, Section } from '../../../documents/blocks.ts'
import type { Edition } from './edition.ts'
import type { ReportSection } from './schemas.ts'
import { adjustmentsBlocks, isWideSum } from './sections/adjustments.ts'
import { comparablesBlocks, mapBlocks } from './sections/comparables.ts'
import { distributionBlocks, trendBlocks } from './sections/market.ts'
import { methodBlocks } from './sections/method.ts'
import { summaryBlocks } from './sections/summary.ts'

const blocksOf: Record<ReportSection, (edition: Edition) => Block[]> = {
  summary: summaryBlocks,
  map: mapBlocks,
  comparables: comparablesBlocks,
  adjustments: adjustmentsBlocks,
  distribution: distributionBlocks,
  trend: trendBlocks,
  method: methodBlocks,
}

/** Those that are asked for, in the order in which they are. */
export function sectionsOf(edition: Edition): Section[] {
  return edition.report.config.sections.map(id => ({
    id,
    heading: edition.words.section[id],
    isWide: id === 'adjustments' && isWideSum(edition),
    blocks: blocksOf[id](edition),
  }))
}
