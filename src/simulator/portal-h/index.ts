/** portal_h: alerts as Atom feeds, and a small page for each listing. */
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind } from '../portal.ts'
import type { World } from '../world.ts'
import { renderAlert } from './alert.ts'
import { renderHomePage, renderListingPage, renderLoginPage, renderMessagePage } from './pages.ts'
import { parseQuery } from './query.ts'

const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache' }
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const atomHeaders = {
  'content-type': 'application/atom+xml; charset=utf-8',
  'cache-control': 'private, max-age=300',
}

/** Creates the portal over `world`. `origin` is its base URL, without a slash at the end. */
export function createPortalH(world: World, origin: string): Portal {
  return {
    answer(call) {
      const path = call.url.pathname
      if (call.method === 'POST')
        return fixedReply('other', 405, { ...textHeaders, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      if (path === '/alertas.atom') return alertReply(world, origin, call)
      const listing = /^\/anuncio\/AL([\w-]+)\/$/.exec(path)
      if (listing) return detailReply(world, origin, listing[1]!, call)
      const photo = /^\/imagen\/AL([\w-]+)-(\d{1,2})\.png$/.exec(path)
      if (photo) return photoReply(world, photo[1]!, Number(photo[2]))
      if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots))
      if (path === '/') return fixedReply('other', 200, htmlHeaders, renderHomePage)
      if (path === '/acceso/') return fixedReply('other', 200, htmlHeaders, renderLoginPage)
      if (/^\/anuncio\/AL[\w-]+$/.test(path))
        return fixedReply('other', 301, { ...htmlHeaders, location: `${path}/` }, () => Buffer.alloc(0))
      return notFoundReply(/^\/(mensajes|alertas)\//.test(path) ? 'disallowed' : 'other')
    },
  }
}

function alertReply(world: World, origin: string, { url, variant }: PortalCall): Reply {
  try {
    const { search, page } = parseQuery(url.searchParams)
    return {
      kind: 'search',
      status: 200,
      headers: atomHeaders,
      etag: `"${world.key}-${world.revision()}"`,
      lastModified: world.asOf + world.revision() * 1000,
      render: () => renderAlert(world, origin, { search, page, query: url.searchParams, variant }),
    }
  } catch (error) {
    const text = `No entendemos tu búsqueda (${(error as Error).message}).`
    return fixedReply('search', 400, htmlHeaders, () => renderMessagePage('Búsqueda no válida', text))
  }
}

function detailReply(world: World, origin: string, id: string, { variant }: PortalCall): Reply {
  const index = findIndex(world, id)
  if (index === undefined) return notFoundReply('detail')
  if (world.isWithdrawn(index))
    return fixedReply('detail', 410, htmlHeaders, () =>
      renderMessagePage(
        'Anuncio retirado',
        'Quien lo publicó ya no lo anuncia. Crea una alerta con tu búsqueda.',
      ),
    )
  const { updatedAt } = world.attributes(index)
  const render = () => renderListingPage(world.listing(index), origin)
  return {
    kind: 'detail',
    status: 200,
    headers: htmlHeaders,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: variant === 'layout' ? () => redesign(render()) : render,
  }
}

/** The same content in another layout: other names, and no OpenGraph. */
function redesign(html: Buffer): Buffer {
  return Buffer.from(
    html
      .toString()
      .replace(/<meta property=[^>]*>\n/g, '')
      .replace(/ class="/g, ' class="r7-'),
  )
}

function findIndex(world: World, id: string): number | undefined {
  const index = world.findIndex(id)
  return index !== undefined && world.attributes(index).city.country === 'ES' ? index : undefined
}

function photoReply(world: World, id: string, number: number): Reply {
  const index = findIndex(world, id)
  if (index === undefined || number < 1 || number > world.listing(index).photoCount)
    return notFoundReply('photo')
  return {
    kind: 'photo',
    status: 200,
    headers: pngHeaders,
    etag: `"${world.key}-${index}-${number}"`,
    lastModified: world.attributes(index).publishedAt,
    render: () => drawPhoto(world.seed, index, number),
  }
}

function notFoundReply(kind: RequestKind): Reply {
  const text = 'La página que buscas no está aquí.'
  return fixedReply(kind, 404, htmlHeaders, () => renderMessagePage('No encontrado', text))
}

function fixedReply(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

const robots = `# Portal H (simulado)
User-agent: *
Disallow: /mensajes/
Disallow: /alertas/
Allow: /alertas.atom
Allow: /anuncio/
`
