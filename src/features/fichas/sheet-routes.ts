/** The documents of a sheet over HTTP: with an API key, and by a public link. */
import { buffer } from 'node:stream/consumers'
import { drawQr } from '../../documents/qr.ts'
import type { Tx } from '../../kit/db/index.ts'
import { toWeakETag } from '../../kit/etag.ts'
import { Problem } from '../../kit/problem.ts'
import { type PublicRoute, publicRoute } from '../../kit/public-route.ts'
import { downloadRoute, inOnePiece, type Route } from '../../kit/route.ts'
import { id, strictObject } from '../../kit/schema.ts'
import { findShared, sharedPages, shareRoutes, toShare, toShareOptions } from '../shares/service.ts'
import { assertAdvertisable } from './advertising.ts'
import { shareExample } from './examples.ts'
import { fichaObjectKind } from './operation.ts'
import { advertisingIncomplete, fichaNotReady, fichaNotShared } from './problems.ts'
import { findFicha, getFicha, lockFicha } from './queries.ts'
import { type ReplyDependencies, sharedSheet } from './reply.ts'
import { FichaShare, NewFichaShare, SheetQuery } from './schemas.ts'
import { createSheetPolicy, renderSheetHtml, renderSheetPdf } from './sheet/document.ts'
import { type SheetLanguage, sheetLanguages } from './sheet/sheet.ts'
import {
  assertReady,
  choosePhotos,
  linkSheet,
  loadMap,
  loadSheet,
  type ReadyFicha,
  readReadyFicha,
  type SheetFilesDependencies,
} from './sheet-input.ts'

const tag = 'Fichas'
const params = strictObject({ id: id('The sheet.') })
const html = 'text/html'
const pdf = 'application/pdf'
const svg = 'image/svg+xml'

/** What rendering a sheet needs. */
export type SheetDependencies = ReplyDependencies & SheetFilesDependencies

export function sheetRoutes(dependencies: SheetDependencies): Route[] {
  return [
    downloadRoute({
      path: '/fichas/{id}/sheet',
      operation: 'getFichaSheet',
      tag,
      summary: 'Retrieve a property sheet as a page',
      description: 'The preview of the agency: the page says what the sheet lacks.',
      scope: 'fichas:read',
      params,
      query: SheetQuery,
      types: {
        [html]: {
          description: 'A page that loads nothing else: photos are part of it.',
          example: '<!doctype html>\n<html lang="es-ES">…</html>\n',
        },
      },
      errors: [fichaNotReady],
      async download({ params, query, caller, database }) {
        const ready = await database.readTenant(caller, tx => readReadyFicha(tx, params.id, dependencies))
        const sheet = await loadSheet(ready, dependencies, { ...caller, ...query })
        const headers = { 'Content-Security-Policy': createSheetPolicy(sheet) }
        const fileName = `ficha-${params.id}.html`
        return { type: html, fileName, inline: true, headers, pieces: inOnePiece(renderSheetHtml(sheet)) }
      },
    }),
    downloadRoute({
      path: '/fichas/{id}/sheet.pdf',
      operation: 'getFichaPdf',
      tag,
      summary: 'Retrieve a property sheet as a PDF',
      scope: 'fichas:read',
      params,
      query: SheetQuery,
      types: { [pdf]: { description: 'A PDF on A4.', isBinary: true } },
      errors: [fichaNotReady],
      async download({ params, query, caller, database, signal }) {
        const ready = await database.readTenant(caller, tx => readReadyFicha(tx, params.id, dependencies))
        const sheet = await loadSheet(ready, dependencies, { ...caller, ...query })
        const bytes = await renderSheetPdf(sheet, { ...caller, signal })
        return { type: pdf, fileName: `ficha-${params.id}.pdf`, inline: true, pieces: inOnePiece(bytes) }
      },
    }),
    downloadRoute({
      path: '/fichas/{id}/qr.svg',
      operation: 'getFichaQr',
      tag,
      summary: 'Retrieve a QR code of the public link to a property sheet',
      scope: 'fichas:read',
      params,
      types: {
        [svg]: { description: 'A QR code.', example: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>' },
      },
      errors: [fichaNotShared],
      async download({ params, caller, database }) {
        const { share } = await database.readTenant(caller, tx => getFicha(tx, params.id))
        const link = await toShare(share, toShareOptions(sharedSheet, dependencies))
        const drawing = link && drawQr(link.url, link.url)
        if (!drawing) throw new Problem(fichaNotShared, fichaNotShared.example)
        return { type: svg, fileName: `ficha-${params.id}.svg`, inline: true, pieces: inOnePiece(drawing) }
      },
    }),
    ...shareRoutes(
      sharedSheet,
      {
        tag,
        scope: 'fichas:write',
        operations: { share: 'shareFicha', revoke: 'revokeFichaShare' },
        subject: 'a property sheet',
        note: 'With the setting `advertisingGate: block`, a sheet that lacks what the law requires is not shared.',
        params,
        body: NewFichaShare,
        reply: FichaShare,
        example: shareExample,
        errors: [fichaNotReady, advertisingIncomplete],
        lock: lockFicha,
        async assertShareable(tx, row) {
          assertReady(row)
          await assertAdvertisable(tx, row.content)
        },
      },
      dependencies,
    ),
  ]
}

/** Public pages, served below the base path beside the API. */
export function sheetPages(dependencies: SheetDependencies): PublicRoute[] {
  return [
    ...sharedPages<ReadyFicha>(
      sharedSheet,
      {
        find: (tx, fichaId) => findReadyFicha(tx, fichaId, dependencies),
        async loadFingerprint(ready, query) {
          const { row, sheet } = ready
          const language = toLanguage(query)
          return [language, row.content, row.photos, sheet, await loadMap(ready, dependencies, language)]
        },
        async renderPage(ready, { tenantId, query, token, url, pdfPath }) {
          const sheet = await linkSheet(ready, dependencies, { tenantId, language: toLanguage(query), token })
          const body = renderSheetHtml(sheet, { pdfPath, canonicalUrl: url })
          return { body, policy: createSheetPolicy(sheet) }
        },
        async renderPdf(ready, { query, ...reader }) {
          const language = toLanguage(query)
          const sheet = await loadSheet(ready, dependencies, { tenantId: reader.tenantId, language })
          return renderSheetPdf({ ...sheet, warnings: [] }, reader)
        },
      },
      dependencies,
    ),
    publicRoute({
      path: '/share/fichas/{token}/photos/{photo}',
      kind: 'file',
      // A page shows up to forty photos.
      limits: { address: 1200, token: 3000 },
      // The photos have a limit of their own, beside that of the page.
      findResource: findShared(fichaObjectKind, fichaId => `photos of ${fichaId}`),
      async get({ database, resource: { tenantId, objectId }, params }) {
        const row = await database.readTenant({ tenantId }, tx => findFicha(tx, objectId))
        const blobId = row?.content ? findPhotoBlob(row as ReadyFicha['row'], params.photo!) : null
        if (!blobId) return null
        const bytes = await buffer(await dependencies.blobs.read(tenantId, blobId))
        const headers = { 'Cache-Control': 'private, max-age=300' }
        return { type: 'image/jpeg', bytes, headers, etag: toWeakETag(blobId) }
      },
    }),
  ]
}

/** `3-960.jpg`: the photo with the number 3, 960 px wide. Null if the sheet does not show it. */
function findPhotoBlob(row: ReadyFicha['row'], name: string): string | null {
  const [, number, width] = /^(\d{1,2})-(\d{1,4})\.jpg$/.exec(name) ?? []
  const shown = choosePhotos(row).find(({ photo }) => photo.number === Number(number))
  return shown?.photo.sizes.find(({ widthPx }) => widthPx === Number(width))?.blobId ?? null
}

async function findReadyFicha(
  tx: Tx,
  fichaId: string,
  dependencies: SheetDependencies,
): Promise<ReadyFicha | null> {
  return (await findFicha(tx, fichaId)) && readReadyFicha(tx, fichaId, dependencies)
}

/** Undefined: the language of the sheet. */
function toLanguage(query: URLSearchParams): SheetLanguage | undefined {
  return sheetLanguages.find(language => language === query.get('language'))
}
