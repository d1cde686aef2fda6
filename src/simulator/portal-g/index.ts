/** portal_g: a multiple listing service with a RESO Web API (OData 4) and a bearer token. */
import { renderListingPage, renderPartnerLoginPage } from '../partner-pages.ts'
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind, Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { createFields, type Field, toId, toKey } from './fields.ts'
import { createToken, parseQuery, type Query, selectIndexes, toPageStart } from './query.ts'
import { createRows, type Row, type Rows } from './rows.ts'

const name = 'Portal G'
const token = 'testigo-reso'
const odataHeaders = {
  'content-type': 'application/json;odata.metadata=minimal;charset=utf-8',
  'odata-version': '4.01',
  'cache-control': 'private, no-cache',
}
const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache' }
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const recentQueriesMax = 16

interface Serving {
  world: World
  origin: string
  fields: Record<string, Field>
  rows: Rows
  /** Cached positions of a query, so that its next pages need no new search. */
  recent: Map<string, number[]>
}

/**
 * Creates the portal over `world`. `origin` is its base URL, without a slash at the end; `now` returns milliseconds
 * since the Unix epoch.
 */
export function createPortalG(world: World, origin: string, { now = Date.now } = {}): Portal {
  const fields = createFields(world.asOf, origin)
  const serving = { world, origin, fields, rows: createRows(world, now), recent: new Map() }
  return { credentials: `:${token}`, answer: call => answer(serving, call) }
}

function answer(serving: Serving, call: PortalCall): Reply {
  const path = call.url.pathname
  if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots))
  if (path === '/acceso/') return fixedReply('other', 200, htmlHeaders, () => renderPartnerLoginPage(name))
  if (!path.startsWith('/odata/')) return pageReply(serving, path)
  if (call.method === 'POST')
    return problemReply('search', 405, 'MethodNotAllowed', 'This service is read only.')
  if (call.headers.authorization !== `Bearer ${token}`)
    return problemReply('search', 401, 'Unauthorized', 'A valid bearer token is required.', {
      'www-authenticate': 'Bearer realm="reso"',
    })
  if (path === '/odata/Property') return searchReply(serving, call)
  const key = /^\/odata\/Property\((?:'|%27)([\w-]+)(?:'|%27)\)$/.exec(path)?.[1]
  const index = findIndex(serving.world, key ?? '')
  if (index !== undefined) return entityReply(serving, index)
  return problemReply('other', 404, 'NotFound', `There is no resource '${path.slice('/odata/'.length)}'.`)
}

function searchReply(serving: Serving, { url, variant }: PortalCall): Reply {
  const { world, fields } = serving
  try {
    const query = parseQuery(url.searchParams, fields)
    const found = selectCached(serving, query)
    const reply = jsonReply('search', 200, () => toCollection(serving, url, query, found, variant))
    return { ...reply, etag: `"${world.key}-${world.revision()}"` }
  } catch (error) {
    return problemReply('search', 400, 'BadRequest', (error as Error).message)
  }
}

function toCollection(serving: Serving, url: URL, query: Query, found: number[], variant: Variant): object {
  const { origin, fields, rows: all } = serving
  const start = variant === 'loop' ? 0 : toPageStart(found, all, query, fields)
  const rows = found.slice(start, start + query.top).map(all.row)
  const last = rows.at(-1)
  const hasNext = variant === 'loop' || start + rows.length < found.length
  const shown = variant === 'empty' ? [] : rows.map(row => toEntity(row, query, serving))
  return {
    '@odata.context': `${origin}/odata/$metadata#Property(${query.select.join(',')})`,
    ...(query.includesCount ? { '@odata.count': found.length } : {}),
    value: variant === 'layout' ? shown.map(renameFields) : shown,
    ...(hasNext && last ? { '@odata.nextLink': toNextLink(url, createToken(last, query, fields)) } : {}),
  }
}

function toEntity(
  row: Row,
  { select, includesMedia }: Pick<Query, 'select' | 'includesMedia'>,
  { origin, fields }: Serving,
): object {
  const entity: Record<string, unknown> = {}
  for (const name of select) {
    const field = fields[name]!
    entity[name] = field.type === 'date' ? new Date(field.read(row)).toISOString() : field.read(row)
  }
  if (includesMedia)
    entity.Media = Array.from({ length: row.listing.photoCount }, (_, photo) => ({
      MediaURL: `${origin}/media/${toKey(row.attributes.id)}/${photo + 1}.png`,
      Order: photo,
    }))
  return entity
}

/** A listing by its key, withdrawn or not. */
function entityReply(serving: Serving, index: number): Reply {
  const query = { select: Object.keys(serving.fields), includesMedia: true }
  return jsonReply('detail', 200, () => toEntity(serving.rows.row(index), query, serving))
}

function toNextLink(url: URL, token: string): string {
  const next = new URL(url)
  next.searchParams.set('$skiptoken', token)
  return next.href
}

/** Positions of the listings that match a query. */
function selectCached({ world, rows, fields, recent }: Serving, query: Query): number[] {
  const key = `${world.revision()} ${JSON.stringify([query.filter, query.order])}`
  const known = recent.get(key)
  if (known) return known
  const found = selectIndexes(rows, query, fields)
  if (recent.size === recentQueriesMax) recent.delete(recent.keys().next().value!)
  recent.set(key, found)
  return found
}

/** The same values under other names, like after a change of software. */
function renameFields(entity: object): object {
  return Object.fromEntries(Object.entries(entity).map(([name, value]) => [`X_${name.toLowerCase()}`, value]))
}

function pageReply({ world }: Serving, path: string): Reply {
  const [, folder, key = '', photo] = /^\/(propiedad|media)\/([\w-]+)(?:\/(\d{1,2})\.png)?$/.exec(path) ?? []
  const index = findIndex(world, key)
  if (folder === undefined || index === undefined)
    return notFoundReply(/^\/(private|admin)\//.test(path) ? 'disallowed' : 'other', 404)
  if (folder === 'propiedad')
    return world.isWithdrawn(index)
      ? notFoundReply('other', 410)
      : fixedReply('other', 200, htmlHeaders, () => renderListingPage(name, world.listing(index)))
  const number = Number(photo ?? 0)
  if (number < 1 || number > world.listing(index).photoCount) return notFoundReply('photo', 404)
  return fixedReply('photo', 200, pngHeaders, () => drawPhoto(world.seed, index, number))
}

function findIndex(world: World, key: string): number | undefined {
  const index = world.findIndex(toId(key) ?? '')
  return index !== undefined && world.attributes(index).city.country === 'ES' ? index : undefined
}

function notFoundReply(kind: RequestKind, status: number): Reply {
  return fixedReply(kind, status, textHeaders, () => Buffer.from('No encontrado\n'))
}

/** OData JSON Format 4.01, section 21.1. */
function problemReply(
  kind: RequestKind,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Reply {
  return jsonReply(kind, status, () => ({ error: { code, message } }), headers)
}

function jsonReply(
  kind: RequestKind,
  status: number,
  value: () => object,
  headers: Record<string, string> = {},
): Reply {
  return fixedReply(kind, status, { ...odataHeaders, ...headers }, () => Buffer.from(JSON.stringify(value())))
}

function fixedReply(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

const robots = `# Portal G (simulado)
User-agent: *
Disallow: /private/
Disallow: /admin/
`
