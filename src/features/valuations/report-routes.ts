/** Reports of valuations over HTTP: with an API key, and by a public link. */

import { createContentSecurityPolicy } from '../../documents/html.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notFound } from '../../kit/problem.ts'
import type { PublicRoute } from '../../kit/public-route.ts'
import { downloadRoute, inOnePiece, type Route } from '../../kit/route.ts'
import { id, strictObject } from '../../kit/schema.ts'
import { readBranding } from '../identity/settings.ts'
import { sharedPages, shareRoutes } from '../shares/service.ts'
import { shareExample } from './examples.ts'
import { findValuation, lockValuation } from './queries.ts'
import { sharedReport, toReport, type ValuationsDependencies } from './reply.ts'
import { renderReportHtml, renderReportPdf } from './report/document.ts'
import type { ValuationReport } from './report/report.ts'
import { findMapView } from './report/sections/comparables.ts'
import { NewValuationShare, ValuationShare } from './schemas.ts'

const tag = 'Valuations'
const params = strictObject({ id: id('The valuation.') })
const html = 'text/html'
const pdf = 'application/pdf'

export function reportRoutes(dependencies: ValuationsDependencies): Route[] {
  return [
    downloadRoute({
      path: '/valuations/{id}/report',
      operation: 'getValuationReport',
      tag,
      summary: 'Retrieve the report of a valuation as a page',
      description: '`reportConfig` sets the language and the sections; the workspace sets the colours.',
      scope: 'valuations:read',
      params,
      types: {
        [html]: {
          description: 'A page that loads nothing else: no scripts, fonts or maps from other servers.',
          example: '<!doctype html>\n<html lang="es-ES">…</html>\n',
        },
      },
      async download({ params, caller, database }) {
        const found = await database.readTenant(caller, tx => readReport(tx, params.id))
        const report = await addStreets(found, dependencies)
        const headers = { 'Content-Security-Policy': createContentSecurityPolicy(report.branding) }
        const fileName = `valuation-${params.id}.html`
        return { type: html, fileName, inline: true, headers, pieces: inOnePiece(renderReportHtml(report)) }
      },
    }),
    downloadRoute({
      path: '/valuations/{id}/report.pdf',
      operation: 'getValuationPdf',
      tag,
      summary: 'Retrieve the report of a valuation as a PDF',
      scope: 'valuations:read',
      params,
      types: { [pdf]: { description: 'A PDF on A4.', isBinary: true } },
      async download({ params, caller, database, signal }) {
        const found = await database.readTenant(caller, tx => readReport(tx, params.id))
        const report = await addStreets(found, dependencies)
        const fileName = `valuation-${params.id}.pdf`
        const bytes = await renderReportPdf(report, { ...caller, signal })
        return { type: pdf, fileName, inline: true, pieces: inOnePiece(bytes) }
      },
    }),
    ...shareRoutes(
      sharedReport,
      {
        tag,
        scope: 'valuations:write',
        operations: { share: 'shareValuation', revoke: 'revokeValuationShare' },
        subject: 'a report',
        params,
        body: NewValuationShare,
        reply: ValuationShare,
        example: shareExample,
        lock: lockValuation,
      },
      dependencies,
    ),
  ]
}

/** Public pages, served below the base path beside the API. */
export const reportPages = (dependencies: ValuationsDependencies): PublicRoute[] =>
  sharedPages<ValuationReport>(
    sharedReport,
    {
      find: findReport,
      loadFingerprint: found => addStreets(found, dependencies),
      async renderPage(found, { pdfPath }) {
        const report = await addStreets(found, dependencies)
        const policy = createContentSecurityPolicy(report.branding)
        return { body: renderReportHtml(report, { pdfPath }), policy }
      },
      renderPdf: async (found, reader) => renderReportPdf(await addStreets(found, dependencies), reader),
    },
    dependencies,
  )

async function readReport(tx: Tx, valuationId: string): Promise<ValuationReport> {
  const report = await findReport(tx, valuationId)
  if (!report) throw notFound('valuation')
  return report
}

async function findReport(tx: Tx, valuationId: string): Promise<ValuationReport | null> {
  const [row, agency] = await Promise.all([findValuation(tx, valuationId), readBranding(tx)])
  return row && toReport(row, agency)
}

/** Outside of the transaction, because the tiles may come from another server. */
async function addStreets(
  report: ValuationReport,
  { mapTiles }: ValuationsDependencies,
): Promise<ValuationReport> {
  const view = mapTiles && findMapView(report)
  return view ? { ...report, streets: await mapTiles.loadStreets(view) } : report
}
