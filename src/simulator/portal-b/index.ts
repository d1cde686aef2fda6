// portal_b: pages drawn by scripts from a state that is embedded in them, thirty adverts to a page of results.
import { OPERATIONS } from '../advert.ts'
import { drawPhoto } from '../photo.ts'
import { CITIES } from '../places.ts'
import type { Portal, Reply, RequestKind, Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { messagePage, page } from './chrome.ts'
import { renderDetailPage, renderGonePage } from './detail-page.ts'
import { readQuery, readSearchPath } from './query.ts'
import { renderSearchPage } from './search-page.ts'
import { advertIdOf, detailPath, OPERATION_WORDS } from './words.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-cache' }
const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
const PHOTO_ADDRESS = /^\/images\/ads\/(\w+)-(\d{1,2})$/
const PNG = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
const DETAIL_ADDRESS = /^\/es\/[a-z]+\/[a-z-]+\/[a-z-]+\/[a-z0-9-]+\/(\w+)\/d$/

/** The portal over `world`; `origin` is its own address, without a slash at the end. */
export function createPortalB(world: World, origin: string): Portal {
  return {
    answer({ url, method, variant }) {
      if (method === 'POST')
        return fixed('other', 405, { ...TEXT, allow: 'GET, HEAD' }, () => Buffer.alloc(0))
      const reply = answer(world, origin, url, variant)
      return variant === 'layout' ? redesigned(reply) : reply
    },
  }
}

function answer(world: World, origin: string, url: URL, variant: Variant): Reply {
  const path = url.pathname
  const listing = DETAIL_ADDRESS.exec(path)
  if (listing) return detail(world, origin, path, listing[1]!)
  const photo = PHOTO_ADDRESS.exec(path)
  if (photo) return photoOf(world, photo[1]!, Number(photo[2]))
  const search = readSearchPath(path)
  if (search) return searchReply(world, origin, { url, variant, path: search })
  if (path === '/robots.txt') return fixed('robots', 200, TEXT, () => Buffer.from(ROBOTS))
  if (path === '/' || path === '/es/') return fixed('other', 200, HTML, homePage)
  if (path === '/acceso/') return fixed('other', 200, HTML, loginPage)
  if (/^\/(api|perfil)\//.test(path)) return notFound('disallowed')
  return notFound('other')
}

interface SearchCall {
  url: URL
  variant: Variant
  path: NonNullable<ReturnType<typeof readSearchPath>>
}

function searchReply(world: World, origin: string, { url, variant, path }: SearchCall): Reply {
  try {
    const { search, page } = readQuery(path, url.searchParams)
    return {
      kind: 'search',
      status: 200,
      headers: HTML,
      etag: `"${world.key}-${world.revision()}"`,
      render: () => renderSearchPage(world, origin, { search, page, url, variant }),
    }
  } catch (error) {
    const text = `No entendemos un filtro de la búsqueda (${(error as Error).message}).`
    return fixed('search', 400, HTML, () => messagePage('Búsqueda no válida', text))
  }
}

function detail(world: World, origin: string, path: string, listingId: string): Reply {
  const index = world.find(advertIdOf(listingId) ?? '')
  if (index === undefined || world.figures(index).city.country !== 'ES') return notFound('detail')
  if (world.isWithdrawn(index)) return fixed('detail', 200, HTML, renderGonePage)
  // Words in an address may be out of date: its number is what counts.
  const address = detailPath(world.advert(index))
  if (address !== path) return fixed('detail', 301, { ...HTML, location: address }, () => Buffer.alloc(0))
  const { updatedAt } = world.figures(index)
  return {
    kind: 'detail',
    status: 200,
    headers: HTML,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    render: () => renderDetailPage(world, origin, index),
  }
}

function photoOf(world: World, listingId: string, number: number): Reply {
  const index = world.find(advertIdOf(listingId) ?? '')
  if (index === undefined || number < 1 || number > world.advert(index).photoCount) return notFound('photo')
  return {
    kind: 'photo',
    status: 200,
    headers: PNG,
    etag: `"${world.key}-${index}-${number}"`,
    lastModified: world.figures(index).publishedAt,
    render: () => drawPhoto(world.seed, index, number),
  }
}

function notFound(kind: RequestKind): Reply {
  return fixed(kind, 404, HTML, () =>
    messagePage('Ups, no encontramos esta página', 'Puede que la dirección haya cambiado.'),
  )
}

function fixed(
  kind: RequestKind,
  status: number,
  headers: Record<string, string>,
  render: () => Buffer,
): Reply {
  return { kind, status, headers, render }
}

/** The same after a redesign: the scripts fetch what they draw, and every class has another name. */
function redesigned(reply: Reply): Reply {
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

const ROBOTS = `# Portal B (simulado)
User-agent: *
Disallow: /api/
Disallow: /perfil/
Disallow: /es/*/mapa$
Allow: /es/
Allow: /images/
`

function homePage(): Buffer {
  const cities = CITIES.map(({ slug, name }) => {
    const links = OPERATIONS.map(
      operation =>
        `<a href="/es/${OPERATION_WORDS[operation].slug}/viviendas/${slug}/todas-las-zonas/l">Viviendas en ${OPERATION_WORDS[operation].label}</a>`,
    )
    return `<li><strong>${name}</strong> ${links.join(' · ')}</li>`
  })
  return page(
    '<title>Portal B: tu próxima casa</title>',
    `<main><h1>Encuentra tu casa</h1><ul>${cities.join('\n')}</ul></main>`,
  )
}

function loginPage(): Buffer {
  return page(
    '<title>Inicia sesión | Portal B</title><meta name="robots" content="noindex">',
    `<main class="re-Login"><h1>Inicia sesión</h1><p>Identifícate para seguir.</p>
<form method="post" action="/acceso/"><label>Correo electrónico <input name="email" type="email"></label>
<label>Contraseña <input name="password" type="password"></label><button>Entrar</button></form></main>`,
  )
}
