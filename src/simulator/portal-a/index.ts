/** portal_a: server-rendered search pages of thirty cards, and one page with schema.org data for each listing. */
import { operations, propertyTypes } from '../listing.ts'
import { drawPhoto } from '../photo.ts'
import { spanishCities } from '../places.ts'
import type { Portal, Reply, RequestKind, Variant } from '../portal.ts'
import type { Search } from '../search.ts'
import type { World } from '../world.ts'
import { renderDetailPage } from './detail-page.ts'
import { renderMessagePage, renderPage } from './layout.ts'
import { parseQuery, parseSearchPath } from './query.ts'
import { renderSearchPage } from './search-page.ts'
import { operationWords, propertyWords, toSearchPath } from './words.ts'

const htmlHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, max-age=0, must-revalidate',
}
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const xmlHeaders = {
  'content-type': 'application/xml; charset=utf-8',
  'cache-control': 'public, max-age=3600',
}
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }

/** Creates the portal over `world`. `origin` is its base URL, without a slash at the end. */
export function createPortalA(world: World, origin: string): Portal {
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
  const listing = /^\/inmueble\/([\w-]+)\/$/.exec(path)
  if (listing) return detailReply(world, origin, listing[1]!)
  const photo = /^\/fotos\/([\w-]+)\/(\d{1,2})\.png$/.exec(path)
  if (photo) return photoReply(world, photo[1]!, Number(photo[2]))
  const search = parseSearchPath(path)
  if (search) return searchReply(world, origin, url, search, variant)
  if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots(origin)))
  if (path === '/sitemap.xml') return fixedReply('other', 200, xmlHeaders, () => Buffer.from(sitemap(origin)))
  if (path === '/') return fixedReply('other', 200, htmlHeaders, renderHomePage)
  if (path === '/acceso/') return fixedReply('other', 200, htmlHeaders, renderLoginPage)
  if (/^\/(private|admin|api)\//.test(path)) return notFoundReply('disallowed')
  // As on most portals, only the address with the slash is the page.
  if (parseSearchPath(`${path}/`) || /^\/inmueble\/[\w-]+$/.test(path)) {
    return fixedReply('other', 301, { ...htmlHeaders, location: `${path}/${url.search}` }, () =>
      Buffer.alloc(0),
    )
  }
  return notFoundReply('other')
}

function searchReply(world: World, origin: string, url: URL, base: Search, variant: Variant): Reply {
  try {
    const { search, page } = parseQuery(base, url.searchParams)
    return {
      kind: 'search',
      status: 200,
      headers: htmlHeaders,
      etag: `"${world.key}-${world.revision()}"`,
      render: () => renderSearchPage(world, origin, { search, page, query: url.searchParams, variant }),
    }
  } catch (error) {
    const text = `No entendemos un filtro de la búsqueda (${(error as Error).message}).`
    return fixedReply('search', 400, htmlHeaders, () => renderMessagePage('Búsqueda no válida', text))
  }
}

function detailReply(world: World, origin: string, id: string): Reply {
  const index = world.findIndex(id)
  if (index === undefined) return notFoundReply('detail')
  if (world.isWithdrawn(index)) {
    const text = 'Lo sentimos, este anuncio ya no está publicado.'
    return fixedReply('detail', 410, htmlHeaders, () =>
      renderMessagePage('Este anuncio ya no está publicado', text, 'withdrawn'),
    )
  }
  const { updatedAt } = world.attributes(index)
  return {
    kind: 'detail',
    status: 200,
    headers: htmlHeaders,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: () => renderDetailPage(world, origin, index),
  }
}

function photoReply(world: World, id: string, number: number): Reply {
  const index = world.findIndex(id)
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
  const text = 'La página que buscas no existe o ha cambiado de dirección.'
  return fixedReply(kind, 404, htmlHeaders, () => renderMessagePage('Página no encontrada', text))
}

function fixedReply(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

/** The same content in another layout: other names of classes and data attributes, and no embedded data. */
function redesign(reply: Reply): Reply {
  if (!reply.headers['content-type']?.startsWith('text/html')) return reply
  const render = () => {
    const html = reply
      .render()
      .toString()
      .replace(/<script type="application\/ld\+json">.*?<\/script>\n?/gs, '')
      .replace(/ class="([^"]*)"/g, (_, names: string) => ` class="${names.replace(/\S+/g, 'r7-$&')}"`)
      .replace(/ data-[a-z-]+="/g, ' data-r7="')
      .replace(/<(\/?)article/g, '<$1div')
    return Buffer.from(html)
  }
  return { kind: reply.kind, status: reply.status, headers: reply.headers, render }
}

function robots(origin: string): string {
  return `# Portal A (simulado)
User-agent: *
Disallow: /private/
Disallow: /admin/
Disallow: /api/
Allow: /venta/
Allow: /alquiler/
Allow: /inmueble/
Allow: /fotos/

Sitemap: ${origin}/sitemap.xml
`
}

function listSearchPaths(): string[] {
  return spanishCities.flatMap(city =>
    operations.flatMap(operation => propertyTypes.map(type => toSearchPath(operation, type, city.slug))),
  )
}

function sitemap(origin: string): string {
  const urls = listSearchPaths().map(path => `<url><loc>${origin}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

function renderHomePage(): Buffer {
  const cities = spanishCities.map(city => {
    const links = operations.map(operation => {
      const text = `${operationWords[operation].label} de ${propertyWords.homes.slug}`
      return `<a href="${toSearchPath(operation, 'homes', city.slug)}">${text}</a>`
    })
    return `<li><strong>${city.name}</strong> ${links.join(' · ')}</li>`
  })
  return renderPage(
    '<title>Portal A: casas, oficinas, locales y garajes</title>',
    `<main><h1>Encuentra tu próximo inmueble</h1><ul>${cities.join('\n')}</ul></main>`,
  )
}

function renderLoginPage(): Buffer {
  return renderPage(
    '<title>Accede a tu cuenta | Portal A</title><meta name="robots" content="noindex">',
    `<main class="login"><h1>Accede a tu cuenta</h1><p>Para seguir viendo anuncios tienes que iniciar sesión.</p>
<form method="post" action="/acceso/"><label>Correo electrónico <input name="email" type="email"></label>
<label>Contraseña <input name="password" type="password"></label><button>Entrar</button></form></main>`,
  )
}
