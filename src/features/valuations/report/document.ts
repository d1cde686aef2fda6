/** Renders the report of a valuation. */
import type { Document } from '../../../documents/document.ts'
import { renderHtml } from '../../../documents/html.ts'
import { renderPdf } from '../../../documents/pdf.ts'
import type { PdfClient } from '../../../documents/typst-pool.ts'
import { type LocalizedReport, localizeReport } from './localized-report.ts'
import type { ValuationReport } from './report.ts'
import { toSections } from './sections.ts'

/** Returns an HTML page, with a link to the PDF if `pdfPath` is given. */
export function renderReportHtml(report: ValuationReport, options?: { pdfPath?: string }): string {
  return renderHtml(displayText => reportDocument(report, displayText), options)
}

/** Returns a PDF on A4. Waits in the queue of the PDF pool and throws as `renderPdf` does. */
export function renderReportPdf(report: ValuationReport, reader: PdfClient): Promise<Uint8Array> {
  return renderPdf(displayText => reportDocument(report, displayText), report.branding, reader)
}

function reportDocument(report: ValuationReport, displayText: (text: string) => string): Document {
  const localized = localizeReport(report, displayText)
  const { words } = localized
  return {
    locale: words.locale,
    ...toTitles(localized),
    branding: report.branding,
    sections: toSections(localized),
    // The disclaimer and the kind of prices must be on every page.
    footNote: `${words.disclaimer} ${words.basis[report.priceBasis][report.operation]}`,
    issuedOn: report.issuedAt.toZonedDateTimeISO(report.timezone).toPlainDate(),
  }
}

/** The title names the property; the subtitles give the address and the date of valuation. */
function toTitles({
  report,
  words,
  formats,
  displayText,
}: LocalizedReport): Pick<Document, 'title' | 'subtitles'> {
  const visible = (text: string | null) =>
    text !== null && displayText(text) !== '' ? [displayText(text)] : []
  const kind = words.title[report.operation]
  const names = [...visible(report.name), ...(report.config.showAddress ? visible(report.address) : [])]
  const dated = `${words.valuedOn}: ${formats.date(report.asOf)}`
  return {
    title: names[0] ?? kind,
    subtitles: names.length > 0 ? [...names.slice(1), `${kind}. ${dated}`] : [dated],
  }
}
