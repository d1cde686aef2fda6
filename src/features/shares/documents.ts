/** Documents that can be shared: the routes that create and revoke the link, and the page and the PDF that it opens. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createByteCache } from '../../kit/byte-cache.ts'
import type { Cipher } from '../../kit/crypto.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { isNotModified, toWeakETag } from '../../kit/etag.ts'
import type { ProblemType } from '../../kit/problem.ts'
import { type PublicRoute, publicRoute } from '../../kit/public-route.ts'
import { type Route, route } from '../../kit/route.ts'
import { type TObject, Type } from '../../kit/schema.ts'
import type { Scope } from '../../kit/scope.ts'
import { createSharedWork } from '../../kit/shared-work.ts'
import { checkExpiry, findSharedObject, recordView, revokeShares, shareObject, toShare } from './links.ts'
import { findShares } from './queries.ts'
import type { newShareSchema, Share, shareSchema } from './schemas.ts'

export interface ShareDependencies {
  cipher: Cipher
  /** The public URL of the deployment, without a slash at its end. */
  baseUrl: string
}

/** The names of a kind of documents. */
export interface SharedKind {
  /** The kind of object that the links open, such as `valuation`. */
  kind: string
  /** In paths: `/valuations/{id}/share` and `/share/valuations/{token}`. */
  collection: string
  /** The path of the pages, instead of `/share/valuations`. */
  pagePath?: string
}

export interface SharedDocument extends SharedKind {
  /** The file name of the PDF, below the page. */
  pdfName: string
}

/** The options for creating and reading the links of a kind. */
export const toShareOptions = (
  { collection, pagePath = `/share/${collection}` }: SharedKind,
  { cipher, baseUrl }: ShareDependencies,
) => ({ cipher, baseUrl: baseUrl + pagePath })

interface ShareRoutes<P extends TObject, L> {
  tag: string
  scope: Scope
  /** The names of the operations. */
  operations: { share: string; revoke: string }
  /** What the link opens, such as `a report`. */
  subject: string
  /** Completes the description of the route that shares. */
  note?: string
  params: P
  body: ReturnType<typeof newShareSchema>
  reply: ReturnType<typeof shareSchema>
  example: Share
  errors?: ProblemType[]
  /** Locks the object against other changes and links. Throws 404 if there is none. */
  lock(tx: Tx, objectId: string): Promise<L>
  /** Throws if the locked object cannot be shared. */
  assertShareable?(tx: Tx, locked: L): Promise<void>
}

/** The routes, with a key, that create, change and revoke the link of an object. */
export function shareRoutes<P extends TObject, L>(
  shared: SharedKind,
  definition: ShareRoutes<P, L>,
  dependencies: ShareDependencies,
): Route[] {
  const { kind, collection } = shared
  const { tag, scope, params, operations, subject, note, lock, assertShareable } = definition
  const getId = (values: unknown) => (values as { id: string }).id
  const path = `/${collection}/{id}/share`
  return [
    route({
      method: 'POST',
      path,
      operation: operations.share,
      tag,
      summary: `Create a public link to ${subject}`,
      description: [
        'The link needs no key. If a link exists, its URL stays the same and only its expiry changes; to get another URL, revoke the link first.',
        ...(note ? [note] : []),
      ].join(' '),
      scope,
      params,
      body: definition.body,
      check: ({ body, now }) => checkExpiry(body, now),
      example: { expiresAt: '2099-12-31T23:00:00Z' },
      status: 201,
      reply: definition.reply,
      replyExample: definition.example,
      errors: definition.errors ?? [],
      async handle({ params, body, tx }) {
        const objectId = getId(params)
        const locked = await lock(tx, objectId)
        await assertShareable?.(tx, locked)
        await shareObject(tx, dependencies.cipher, { kind, objectId }, body)
        const links = await findShares(tx, kind, [objectId])
        return (await toShare(links.get(objectId), toShareOptions(shared, dependencies)))!
      },
    }),
    route({
      method: 'DELETE',
      path,
      operation: operations.revoke,
      tag,
      summary: `Revoke the public link to ${subject}`,
      description: 'The link stops working at once. If there is no link, nothing happens.',
      scope,
      params,
      status: 204,
      reply: Type.Null(),
      async handle({ params, tx }) {
        await lock(tx, getId(params))
        await revokeShares(tx, kind, [getId(params)])
        return null
      },
    }),
  ]
}

/** The object that a token opens. */
export interface SharedResource {
  tenantId: string
  objectId: string
  token: string
  name: string
}

/** `name`: what the limits of the route count, by the object's id. Default: the id. */
export const findShared =
  (kind: string, toName = (objectId: string) => objectId) =>
  async (database: Database, token: string): Promise<SharedResource | null> => {
    const found = await findSharedObject(database, kind, token)
    return found && { ...found, token, name: toName(found.objectId) }
  }

interface View {
  tenantId: string
  query: URLSearchParams
}

interface SharedPages<D> {
  /** Reads what the document shows. Null: it has been deleted. */
  find(tx: Tx, objectId: string): Promise<D | null>
  /** Returns everything that the PDF depends on, also its map, as JSON. */
  loadFingerprint(document: D, query: URLSearchParams): Promise<unknown>
  /** `url`: the public URL. `pdfPath`: relative to the page, which may be served under any base path. */
  renderPage(
    document: D,
    view: View & { token: string; url: string; pdfPath: string },
  ): Promise<{ body: string; policy: string }>
  renderPdf(document: D, view: View & { keyId: string; signal: AbortSignal }): Promise<Uint8Array>
}

/** PDFs in memory: of all documents, for a short time. */
const pdfs = createByteCache<Uint8Array>({
  maxBytes: 32_000_000,
  ttlMs: 300_000,
  sizeOf: pdf => pdf.length,
})
const renderOnce = createSharedWork<Uint8Array>()

/** Another version of the program may render the same document in another way. */
const { version: programVersion } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)

/** The page and the PDF that a link opens, served below the base path beside the API. */
export function sharedPages<D>(
  shared: SharedDocument,
  { find, loadFingerprint, renderPage, renderPdf }: SharedPages<D>,
  dependencies: ShareDependencies,
): PublicRoute[] {
  const { kind, collection, pdfName } = shared
  const path = `/share/${collection}/{token}`
  const findResource = findShared(kind)
  return [
    publicRoute({
      path,
      kind: 'page',
      findResource,
      async get({ database, resource: { tenantId, objectId, token }, query, isVisit }) {
        const document = await database.withTenant({ tenantId }, async tx => {
          if (isVisit) await recordView(tx, { kind, objectId })
          return find(tx, objectId)
        })
        if (!document) return null
        const url = `${toShareOptions(shared, dependencies).baseUrl}/${token}`
        const view = { tenantId, query, token, url, pdfPath: `${token}/${pdfName}` }
        const { body, policy } = await renderPage(document, view)
        const headers = { 'Content-Security-Policy': policy }
        return { type: 'text/html', headers, body, etag: toWeakETag(hash(body)) }
      },
    }),
    publicRoute({
      path: `${path}/${pdfName}`,
      kind: 'page',
      findResource,
      async get({ database, resource: { tenantId, objectId }, query, headers, signal }) {
        const document = await database.readTenant({ tenantId }, tx => find(tx, objectId))
        if (!document) return null
        const fingerprint = await loadFingerprint(document, query)
        const version = hash(JSON.stringify([programVersion, tenantId, objectId, fingerprint], packNumbers))
        const etag = toWeakETag(version)
        // The reply will be 304 without a body.
        if (isNotModified(headers['if-none-match'], etag)) return { type: 'application/pdf', body: '', etag }
        // A link shares the PDF queue of its workspace as if it were an API key.
        const reader = { tenantId, query, keyId: `link ${objectId}` }
        const body =
          pdfs.find(version) ??
          (await renderOnce(version, signal, async signal => {
            const pdf = await renderPdf(document, { ...reader, signal })
            pdfs.store(version, pdf)
            return pdf
          }))
        return { type: 'application/pdf', body, etag }
      },
    }),
  ]
}

/** JSON would write each number of an array with its index. */
const packNumbers = (_key: string, value: unknown) =>
  value instanceof Float32Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    : value

const hash = (content: string) => createHash('sha256').update(content).digest('base64url')
