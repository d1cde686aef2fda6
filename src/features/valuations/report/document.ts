/** The report as a document. */
import type { Document } from '../../../documents/document.ts'
import { renderHtml } from '../../../documents/html.ts'
import { renderPdf } from '../../../documents/pdf.ts'
import type { Reader } from '../../../documents/typst-pool.ts'
import { type Edition, editionOf } from './edition.ts'
import type { ValuationReport } from './report.ts'
import { sectionsOf } from './sections.ts'

/** A page, with a link to the PDF if its path is given. */
export function renderReportHtml(report: ValuationReport, options?: { pdfPath?: string }): string {
  return renderHtml(shown => reportDocument(report, shown), options)
}

/** A PDF on A4, once it is the reader's turn. Throws as `renderPdf` does. */
export function renderReportPdf(report: ValuationReport, reader: Reader): Promise<Uint8Array> {
  return renderPdf(shown => reportDocument(report, shown), report.branding, reader)
}

function reportDocument(report: ValuationReport, shown: (text: string) => string): Document {
  const edition = editionOf(report, shown)
  const { words } = edition
  return {
    locale: words.locale,
    ...titlesOf(edition),
    branding: report.branding,
    sections: sectionsOf(edition),
    // That it is no official appraisal, and from which prices it comes.
    footNote: `${words.disclaimer} ${words.basis[report.priceBasis][report.operation]}`,
    issuedOn: report.issuedAt.toZonedDateTimeISO(report.timezone).toPlainDate(),
  }
}

/** The property, and when it is valued. */
function titlesOf({ report, words, formats, shown }: Edition): Pick<Document, 'title' | 'subtitles'> {
  const visible = (text: string | null) => (text !== null && shown(text) !== '' ? [shown(text)] : [])
  const kind = words.title[report.operation]
  const names = [...visible(report.name), ...(report.config.showAddress ? visible(report.address) : [])]
  const dated = `${words.valuedOn}: ${formats.date(report.asOf)}`
  return {
    title: names[0] ?? kind,
    subtitles: names.length > 0 ? [...names.slice(1), `${kind}. ${dated}`] : [dated],
  }
}
