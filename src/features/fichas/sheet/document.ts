/** Renders a property sheet as an HTML page and as a PDF. */

export { createSheetPolicy, renderSheetHtml } from './html.ts'
export { renderSheetPdf } from './pdf.ts'
