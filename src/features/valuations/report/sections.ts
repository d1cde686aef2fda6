/** Assembles the sections of a report. */
import type { Block, Section } from '../../../documents/blocks.ts'
import type { LocalizedReport } from './localized-report.ts'
import type { ReportSection } from './schemas.ts'
import { adjustmentsBlocks, isWideTable } from './sections/adjustments.ts'
import { comparablesBlocks, mapBlocks } from './sections/comparables.ts'
import { distributionBlocks, trendBlocks } from './sections/market.ts'
import { methodBlocks } from './sections/method.ts'
import { summaryBlocks } from './sections/summary.ts'

const sectionBlocks: Record<ReportSection, (localized: LocalizedReport) => Block[]> = {
  summary: summaryBlocks,
  map: mapBlocks,
  comparables: comparablesBlocks,
  adjustments: adjustmentsBlocks,
  distribution: distributionBlocks,
  trend: trendBlocks,
  method: methodBlocks,
}

/** The configured sections, in the configured order. */
export function toSections(localized: LocalizedReport): Section[] {
  return localized.report.config.sections.map(id => ({
    id,
    heading: localized.words.section[id],
    isWide: id === 'adjustments' && isWideTable(localized),
    blocks: sectionBlocks[id](localized),
  }))
}
