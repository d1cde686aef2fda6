/** portal_b: pages rendered by scripts from an embedded state, thirty listings per page of results. */
import { operations } from '../listing.ts'
import { drawPhoto } from '../photo.ts'
import { spanishCities } from '../places.ts'
import type { Portal, Reply, RequestKind, Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { renderDetailPage, renderWithdrawnPage } from './detail-page.ts'
import { renderMessagePage, renderPage } from './layout.ts'
import { parseQuery, parseSearchPath } from './query.ts'
import { renderSearchPage } from './search-page.ts'
import { operationWords, toDetailPath, toWorldId } from './words.ts'

const htmlHeaders = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache' }
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const photoPath = /^\/images\/ads\/(\w+)-(\d{1,2})$/
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const detailPath = /^\/es\/[a-z]+\/[a-z-]+\/[a-z-]+\/[a-z0-9-]+\/(\w+)\/d$/

/** Creates the portal over `world`. `origin` is its base URL, without a slash at the end. */
export function createPortalB(world: World, origin: string): Portal {
  return {
    answer({ url, method, variant }) {
      if (method === 'POST')
        return fixedReply('other', 405, { ...textHeaders, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      const reply = answer(world, origin, url, variant)
      return variant === 'layout' ? redesign(reply) : reply
    },
  }
}

function answer(world: World, origin: string, url: URL, variant: Variant): Reply {
  const path = url.pathname
  const listing = detailPath.exec(path)
  if (listing) return detailReply(world, origin, path, listing[1]!)
  const photo = photoPath.exec(path)
  if (photo) return photoReply(world, photo[1]!, Number(photo[2]))
  const search = parseSearchPath(path)
  if (search) return searchReply(world, origin, { url, variant, path: search })
  if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots))
  if (path === '/' || path === '/es/') return fixedReply('other', 200, htmlHeaders, renderHomePage)
  if (path === '/acceso/') return fixedReply('other', 200, htmlHeaders, renderLoginPage)
  if (/^\/(api|perfil)\//.test(path)) return notFoundReply('disallowed')
  return notFoundReply('other')
}

interface SearchCall {
  url: URL
  variant: Variant
  path: NonNullable<ReturnType<typeof parseSearchPath>>
}

function searchReply(world: World, origin: string, { url, variant, path }: SearchCall): Reply {
  try {
    const { search, page } = parseQuery(path, url.searchParams)
    return {
      kind: 'search',
      status: 200,
      headers: htmlHeaders,
      etag: `"${world.key}-${world.revision()}"`,
      render: () => renderSearchPage(world, origin, { search, page, url, variant }),
    }
  } catch (error) {
    const text = `No entendemos un filtro de la búsqueda (${(error as Error).message}).`
    return fixedReply('search', 400, htmlHeaders, () => renderMessagePage('Búsqueda no válida', text))
  }
}

function detailReply(world: World, origin: string, path: string, listingId: string): Reply {
  const index = world.findIndex(toWorldId(listingId) ?? '')
  if (index === undefined || world.attributes(index).city.country !== 'ES') return notFoundReply('detail')
  if (world.isWithdrawn(index)) return fixedReply('detail', 200, htmlHeaders, renderWithdrawnPage)
  // The words of an address may be outdated: only its number counts.
  const address = toDetailPath(world.listing(index))
  if (address !== path)
    return fixedReply('detail', 301, { ...htmlHeaders, location: address }, () => Buffer.alloc(0))
  const { updatedAt } = world.attributes(index)
  return {
    kind: 'detail',
    status: 200,
    headers: htmlHeaders,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    render: () => renderDetailPage(world, origin, index),
  }
}

function photoReply(world: World, listingId: string, number: number): Reply {
  const index = world.findIndex(toWorldId(listingId) ?? '')
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
  return fixedReply(kind, 404, htmlHeaders, () =>
    renderMessagePage('Ups, no encontramos esta página', 'Puede que la dirección haya cambiado.'),
  )
}

function fixedReply(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

/** The same after a redesign: the scripts fetch their data, and every class has another name. */
function redesign(reply: Reply): Reply {
  if (!reply.headers['content-type']?.startsWith('text/html')) return reply
  const render = () => {
    const html = reply
      .render()
      .toString()
      .replace(/<script id="[^"]*"[^>]*>.*?<\/script>/gs, '<script src="/_app/entry.js" defer></script>')
      .replace(/ class="([^"]*)"/g, (_, names: string) => ` class="${names.replace(/\S+/g, 'n5-$&')}"`)
    return Buffer.from(html)
  }
  return { kind: reply.kind, status: reply.status, headers: reply.headers, render }
}

const robots = `# Portal B (simulado)
User-agent: *
Disallow: /api/
Disallow: /perfil/
Disallow: /es/*/mapa$
Allow: /es/
Allow: /images/
`

function renderHomePage(): Buffer {
  const cities = spanishCities.map(({ slug, name }) => {
    const links = operations.map(
      operation =>
        `<a href="/es/${operationWords[operation].slug}/viviendas/${slug}/todas-las-zonas/l">Viviendas en ${operationWords[operation].label}</a>`,
    )
    return `<li><strong>${name}</strong> ${links.join(' · ')}</li>`
  })
  return renderPage(
    '<title>Portal B: tu próxima casa</title>',
    `<main><h1>Encuentra tu casa</h1><ul>${cities.join('\n')}</ul></main>`,
  )
}

function renderLoginPage(): Buffer {
  return renderPage(
    '<title>Inicia sesión | Portal B</title><meta name="robots" content="noindex">',
    `<main class="re-Login"><h1>Inicia sesión</h1><p>Identifícate para seguir.</p>
<form method="post" action="/acceso/"><label>Correo electrónico <input name="email" type="email"></label>
<label>Contraseña <input name="password" type="password"></label><button>Entrar</button></form></main>`,
  )
}
