/** portal_c: a partner interface in JSON with tokens, fifty listings per page and an hourly quota. */
import type { Operation, PropertyType } from '../listing.ts'
import { renderListingPage, renderPartnerLoginPage } from '../partner-pages.ts'
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind, Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { type Access, clientId, clientSecret, createAccess, tokenSeconds } from './access.ts'
import { toElement, toId, toProperty } from './element.ts'
import { parseQuery, type Query, selectIndexes } from './query.ts'

const name = 'Portal C'
const jsonHeaders = {
  'content-type': 'application/json;charset=UTF-8',
  'cache-control': 'private, no-cache',
}
const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache' }
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const defaultRequestsPerHour = 20_000
const operationWords: Record<Operation, string> = { sale: 'Comprar', rent: 'Alquilar' }
const typeWords: Record<PropertyType, string> = {
  homes: 'Viviendas',
  offices: 'Oficinas',
  premises: 'Locales o naves',
  garages: 'Garajes',
}

export interface PortalC extends Portal {
  /** Revokes all issued tokens. */
  expireTokens(): void
}

interface Serving {
  world: World
  origin: string
  access: Access
}

/** Creates the portal over `world`. `origin` is its base URL, without a slash at the end. */
export function createPortalC(
  world: World,
  origin: string,
  { requestsPerHour = defaultRequestsPerHour, now = Date.now } = {},
): PortalC {
  const access = createAccess({ requestsPerHour, now })
  const serving = { world, origin, access }
  return {
    credentials: `${clientId}:${clientSecret}`,
    answer: call => answer(serving, call),
    expireTokens: access.expireTokens,
  }
}

function answer(serving: Serving, call: PortalCall): Reply {
  const { world } = serving
  const path = call.url.pathname
  if (path === '/oauth/token') return tokenReply(serving.access, call)
  if (path.startsWith('/3.5/')) return interfaceReply(serving, call)
  if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots))
  if (path === '/acceso/') return fixedReply('other', 200, htmlHeaders, () => renderPartnerLoginPage(name))
  const photo = /^\/WEB_LISTING\/(\w+)\/(\d{1,2})\.png$/.exec(path)
  const index = findIndex(world, photo?.[1] ?? /^\/inmueble\/(\w+)\/$/.exec(path)?.[1] ?? '')
  if (index === undefined || world.isWithdrawn(index)) {
    const kind = /^\/(private|admin)\//.test(path) ? 'disallowed' : 'other'
    return fixedReply(kind, index === undefined ? 404 : 410, textHeaders, () =>
      Buffer.from('No encontrado\n'),
    )
  }
  if (!photo)
    return fixedReply('other', 200, htmlHeaders, () => renderListingPage(name, world.listing(index)))
  const number = Number(photo[2])
  if (number < 1 || number > world.listing(index).photoCount)
    return fixedReply('photo', 404, textHeaders, () => Buffer.from('No encontrado\n'))
  return fixedReply('photo', 200, pngHeaders, () => drawPhoto(world.seed, index, number))
}

/** RFC 6749, sections 4.4 and 5. */
function tokenReply(access: Access, { method, headers, body }: PortalCall): Reply {
  if (method !== 'POST')
    return problemReply('token', 405, 'method_not_allowed', 'Use POST', { allow: 'POST' })
  if (new URLSearchParams(body).get('grant_type') !== 'client_credentials')
    return problemReply('token', 400, 'unsupported_grant_type', 'Unsupported grant type')
  const token = access.issue(getHeader(headers.authorization))
  if (token === null)
    return problemReply('token', 401, 'invalid_client', 'Bad client credentials', {
      'www-authenticate': 'Basic realm="api"',
    })
  const granted = { access_token: token, token_type: 'bearer', expires_in: tokenSeconds, scope: 'read' }
  return jsonReply('token', 200, () => granted, { 'cache-control': 'no-store' })
}

function interfaceReply(serving: Serving, call: PortalCall): Reply {
  const { access } = serving
  const code = /^\/3\.5\/es\/properties\/(\w+)$/.exec(call.url.pathname)?.[1]
  const kind = code === undefined ? 'search' : 'detail'
  if (!access.isAccepted(getHeader(call.headers.authorization)))
    return problemReply(kind, 401, 'invalid_token', 'Missing, invalid or expired access token', {
      'www-authenticate': 'Bearer realm="api", error="invalid_token"',
    })
  const waitSeconds = access.countRequest()
  if (waitSeconds > 0)
    return problemReply(kind, 429, 'quota_exceeded', 'Hourly request quota exceeded', {
      'retry-after': String(waitSeconds),
    })
  if (code !== undefined) return propertyReply(serving, call, code)
  if (call.url.pathname === '/3.5/es/search') return searchReply(serving, call)
  return problemReply('other', 404, 'not_found', 'No such resource')
}

function searchReply({ world, origin }: Serving, { method, url, body, variant }: PortalCall): Reply {
  const isPost = method === 'POST'
  try {
    const query = parseQuery(isPost ? new URLSearchParams(body) : url.searchParams)
    const reply = jsonReply('search', 200, () => toSearchEnvelope(world, origin, query, variant))
    return isPost ? reply : { ...reply, etag: `"${world.key}-${world.revision()}"` }
  } catch (error) {
    return problemReply('search', 400, 'invalid_parameter', `Invalid value of ${(error as Error).message}`)
  }
}

function toSearchEnvelope(world: World, origin: string, query: Query, variant: Variant): object {
  const { search, page, itemsPerPage } = query
  const found = selectIndexes(world, query)
  const start = variant === 'loop' ? 0 : (page - 1) * itemsPerPage
  const shown = variant === 'empty' ? [] : found.slice(start, start + itemsPerPage)
  const elements = shown.map(index => toElement(world.listing(index), origin))
  const pages = Math.ceil(found.length / itemsPerPage)
  const totalPages = variant === 'loop' ? Math.max(pages, page + 1) : pages
  const place = shown[0] === undefined ? search.city : world.attributes(shown[0]).city.name
  const paging = {
    total: found.length,
    totalPages,
    actualPage: page,
    itemsPerPage,
    lowerRangePosition: start,
    upperRangePosition: start + shown.length,
    numPaginations: 0,
    paginable: totalPages > 1,
    hiddenResults: false,
    alertName: `${typeWords[search.propertyType]} en ${place}`,
    summary: [operationWords[search.operation], typeWords[search.propertyType], place],
  }
  if (variant === 'layout') return { data: elements.map(renameFields), paging: renameFields(paging) }
  return { elementList: elements, ...paging }
}

function propertyReply({ world, origin }: Serving, { method, variant }: PortalCall, code: string): Reply {
  if (method === 'POST')
    return problemReply('detail', 405, 'method_not_allowed', 'Use GET', { allow: 'GET, HEAD' })
  const index = findIndex(world, code)
  if (index === undefined) return problemReply('detail', 404, 'not_found', 'No such property')
  if (world.isWithdrawn(index))
    return jsonReply('detail', 410, () => ({ propertyCode: code, state: 'deactivated' }))
  const { updatedAt } = world.attributes(index)
  const property = () => toProperty(world.listing(index), origin)
  return {
    ...jsonReply('detail', 200, variant === 'layout' ? () => ({ data: renameFields(property()) }) : property),
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
  }
}

/** The same values under other names, like a new version of the interface. */
function renameFields(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [`v4_${name}`, field]))
}

function findIndex(world: World, code: string): number | undefined {
  const id = toId(code)
  const index = id === undefined ? undefined : world.findIndex(id)
  return index !== undefined && world.attributes(index).city.country === 'ES' ? index : undefined
}

function getHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function problemReply(
  kind: RequestKind,
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): Reply {
  return jsonReply(kind, status, () => ({ error, error_description: description }), headers)
}

function jsonReply(
  kind: RequestKind,
  status: number,
  value: () => object,
  headers: Record<string, string> = {},
): Reply {
  return fixedReply(kind, status, { ...jsonHeaders, ...headers }, () => Buffer.from(JSON.stringify(value())))
}

function fixedReply(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

const robots = `# Portal C (simulado)
User-agent: *
Disallow: /private/
Disallow: /admin/
`
