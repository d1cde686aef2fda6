/** Reports of valuations over HTTP: with an API key, and by a public link. */

import { createContentSecurityPolicy } from '../../documents/html.ts'
import type { Tx } from '../../kit/db/index.ts'
import { notFound } from '../../kit/problem.ts'
import { type PublicRoute, publicRoute } from '../../kit/public-route.ts'
import { downloadRoute, inOnePiece, type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { readBranding } from '../identity/settings.ts'
import {
  checkExpiry,
  findSharedObject,
  recordView,
  revokeShares,
  shareObject,
  toShare,
} from '../shares/service.ts'
import { shareExample } from './examples.ts'
import { findValuation, getValuation, lockValuation } from './queries.ts'
import { toReport, toShareOptions, type ValuationsDependencies } from './reply.ts'
import { renderReportHtml, renderReportPdf } from './report/document.ts'
import type { ValuationReport } from './report/report.ts'
import { findMapView } from './report/sections/comparables.ts'
import { NewValuationShare, ValuationShare } from './schemas.ts'

const tag = 'Valuations'
/** The kind of object that the links open. */
const kind = 'valuation'
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
    shareRoute(dependencies),
    route({
      method: 'DELETE',
      path: '/valuations/{id}/share',
      operation: 'revokeValuationShare',
      tag,
      summary: 'Revoke the public link to a report',
      description: 'The link stops working at once. If there is no link, nothing happens.',
      scope: 'valuations:write',
      params,
      status: 204,
      reply: Type.Null(),
      async handle({ params, tx }) {
        await lockValuation(tx, params.id)
        await revokeShares(tx, kind, [params.id])
        return null
      },
    }),
  ]
}

function shareRoute(dependencies: ValuationsDependencies): Route {
  return route({
    method: 'POST',
    path: '/valuations/{id}/share',
    operation: 'shareValuation',
    tag,
    summary: 'Create a public link to a report',
    description:
      'The link needs no key. If a link exists, its URL stays the same and only its expiry changes; to get another URL, revoke the link first.',
    scope: 'valuations:write',
    params,
    body: NewValuationShare,
    check: ({ body, now }) => checkExpiry(body, now),
    example: { expiresAt: '2099-12-31T23:00:00Z' },
    status: 201,
    reply: ValuationShare,
    replyExample: shareExample,
    async handle({ params, body, tx }) {
      await lockValuation(tx, params.id)
      await shareObject(tx, dependencies.cipher, { kind, objectId: params.id }, body)
      const { share } = await getValuation(tx, params.id)
      return (await toShare(share, toShareOptions(dependencies)))!
    },
  })
}

/** Public pages, served below the base path beside the API. */
export const reportPages = (dependencies: ValuationsDependencies): PublicRoute[] => [
  publicRoute({
    path: '/share/valuations/{token}',
    kind: 'page',
    findResource: findSharedReport,
    async get({ database, resource: { tenantId, valuationId, token }, isVisit }) {
      const found = await database.withTenant({ tenantId }, async tx => {
        if (isVisit) await recordView(tx, { kind, objectId: valuationId })
        return findReport(tx, valuationId)
      })
      if (!found) return null
      const report = await addStreets(found, dependencies)
      const headers = { 'Content-Security-Policy': createContentSecurityPolicy(report.branding) }
      // Relative to the page, which may be served under any base path.
      return { type: html, headers, body: renderReportHtml(report, { pdfPath: `${token}/report.pdf` }) }
    },
  }),
  publicRoute({
    path: '/share/valuations/{token}/report.pdf',
    kind: 'page',
    findResource: findSharedReport,
    async get({ database, resource: { tenantId, valuationId }, signal }) {
      const found = await database.readTenant({ tenantId }, tx => findReport(tx, valuationId))
      // A link shares the PDF queue of its workspace as if it were an API key.
      const reader = { tenantId, keyId: `link ${valuationId}`, signal }
      if (!found) return null
      return { type: pdf, body: await renderReportPdf(await addStreets(found, dependencies), reader) }
    },
  }),
]

async function findSharedReport(...[database, token]: Parameters<PublicRoute['findResource']>) {
  const shared = await findSharedObject(database, kind, token)
  return shared && { tenantId: shared.tenantId, valuationId: shared.objectId, token, name: shared.objectId }
}

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
