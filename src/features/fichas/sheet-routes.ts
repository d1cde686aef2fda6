/** The documents of a sheet over HTTP: with an API key, and by a public link. */
import { buffer } from 'node:stream/consumers'
import { drawQr } from '../../documents/qr.ts'
import type { Tx } from '../../kit/db/index.ts'
import { Problem } from '../../kit/problem.ts'
import { type PublicRoute, publicRoute } from '../../kit/public-route.ts'
import { downloadRoute, inOnePiece, type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import {
  checkExpiry,
  findSharedObject,
  recordView,
  revokeShares,
  shareObject,
  toShare,
} from '../shares/service.ts'
import { assertAdvertisable } from './advertising.ts'
import { shareExample } from './examples.ts'
import { fichaObjectKind } from './operation.ts'
import { advertisingIncomplete, fichaNotReady, fichaNotShared } from './problems.ts'
import { findFicha, getFicha, lockFicha } from './queries.ts'
import { type ReplyDependencies, toShareOptions } from './reply.ts'
import { FichaShare, NewFichaShare, SheetQuery } from './schemas.ts'
import { createSheetPolicy, renderSheetHtml, renderSheetPdf } from './sheet/document.ts'
import { type SheetLanguage, sheetLanguages } from './sheet/sheet.ts'
import {
  assertReady,
  choosePhotos,
  linkSheet,
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
  const { cipher } = dependencies
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
        const link = await toShare(share, toShareOptions(dependencies))
        const drawing = link && drawQr(link.url, link.url)
        if (!drawing) throw new Problem(fichaNotShared, fichaNotShared.example)
        return { type: svg, fileName: `ficha-${params.id}.svg`, inline: true, pieces: inOnePiece(drawing) }
      },
    }),
    route({
      method: 'POST',
      path: '/fichas/{id}/share',
      operation: 'shareFicha',
      tag,
      summary: 'Create a public link to a property sheet',
      description:
        'The link needs no key. If a link exists, its URL stays the same and only its expiry changes; to get another URL, revoke the link first. With the setting `advertisingGate: block`, a sheet that lacks what the law requires is not shared.',
      scope: 'fichas:write',
      params,
      body: NewFichaShare,
      check: ({ body, now }) => checkExpiry(body, now),
      example: { expiresAt: '2099-12-31T23:00:00Z' },
      status: 201,
      reply: FichaShare,
      replyExample: shareExample,
      errors: [fichaNotReady, advertisingIncomplete],
      async handle({ params, body, tx }) {
        const row = await lockFicha(tx, params.id)
        assertReady(row)
        await assertAdvertisable(tx, row.content)
        await shareObject(tx, cipher, toShared(params.id), body)
        const { share } = await getFicha(tx, params.id)
        return (await toShare(share, toShareOptions(dependencies)))!
      },
    }),
    route({
      method: 'DELETE',
      path: '/fichas/{id}/share',
      operation: 'revokeFichaShare',
      tag,
      summary: 'Revoke the public link to a property sheet',
      description: 'The link stops working at once. If there is no link, nothing happens.',
      scope: 'fichas:write',
      params,
      status: 204,
      reply: Type.Null(),
      async handle({ params, tx }) {
        await lockFicha(tx, params.id)
        await revokeShares(tx, fichaObjectKind, [params.id])
        return null
      },
    }),
  ]
}

const toShared = (fichaId: string) => ({ kind: fichaObjectKind, objectId: fichaId })

/** Public pages, served below the base path beside the API. */
export function sheetPages(dependencies: SheetDependencies): PublicRoute[] {
  return [
    publicRoute({
      path: '/share/fichas/{token}',
      kind: 'page',
      findResource: findSharedFicha,
      async get({ database, resource: { tenantId, fichaId, token }, query, isVisit }) {
        const ready = await database.withTenant({ tenantId }, async tx => {
          if (isVisit) await recordView(tx, toShared(fichaId))
          return findReadyFicha(tx, fichaId, dependencies)
        })
        if (!ready) return null
        const language = toLanguage(query.get('language'))
        const sheet = await linkSheet(ready, dependencies, { tenantId, language, token })
        const headers = { 'Content-Security-Policy': createSheetPolicy(sheet) }
        // Relative to the page, which may be served under any base path.
        const canonicalUrl = `${toShareOptions(dependencies).baseUrl}/${token}`
        const body = renderSheetHtml(sheet, { pdfPath: `${token}/sheet.pdf`, canonicalUrl })
        return { type: html, headers, body }
      },
    }),
    publicRoute({
      path: '/share/fichas/{token}/sheet.pdf',
      kind: 'page',
      findResource: findSharedFicha,
      async get({ database, resource: { tenantId, fichaId }, query, signal }) {
        const ready = await database.readTenant({ tenantId }, tx => findReadyFicha(tx, fichaId, dependencies))
        if (!ready) return null
        const language = toLanguage(query.get('language'))
        const sheet = { ...(await loadSheet(ready, dependencies, { tenantId, language })), warnings: [] }
        // A link shares the PDF queue of its workspace as if it were an API key.
        const reader = { tenantId, keyId: `link ${fichaId}`, signal }
        return { type: pdf, body: await renderSheetPdf(sheet, reader) }
      },
    }),
    publicRoute({
      path: '/share/fichas/{token}/photos/{photo}',
      kind: 'file',
      // A page shows up to forty photos.
      limits: { address: 1200, token: 3000 },
      findResource: findSharedPhotos,
      async get({ database, resource: { tenantId, fichaId }, params }) {
        const row = await database.readTenant({ tenantId }, tx => findFicha(tx, fichaId))
        const blobId = row?.content ? findPhotoBlob(row as ReadyFicha['row'], params.photo!) : null
        if (!blobId) return null
        const bytes = await buffer(await dependencies.blobs.read(tenantId, blobId))
        return { type: 'image/jpeg', bytes, headers: { 'Cache-Control': 'private, max-age=300' } }
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

/** The photos have a limit of their own, beside that of the page. */
async function findSharedPhotos(...[database, token]: Parameters<PublicRoute['findResource']>) {
  const shared = await findSharedFicha(database, token)
  return shared && { ...shared, name: `photos of ${shared.fichaId}` }
}

async function findSharedFicha(...[database, token]: Parameters<PublicRoute['findResource']>) {
  const shared = await findSharedObject(database, fichaObjectKind, token)
  return shared && { tenantId: shared.tenantId, fichaId: shared.objectId, token, name: shared.objectId }
}

async function findReadyFicha(
  tx: Tx,
  fichaId: string,
  dependencies: SheetDependencies,
): Promise<ReadyFicha | null> {
  return (await findFicha(tx, fichaId)) && readReadyFicha(tx, fichaId, dependencies)
}

function toLanguage(text: string | null): SheetLanguage | undefined {
  return sheetLanguages.find(language => language === text)
}
