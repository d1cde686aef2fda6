/** portal_d: Portuguese classifieds in windows-1252 and plain HTML; the phone needs a second request. */
import { createHash } from 'node:crypto'
import { drawPhoto } from '../photo.ts'
import type { Portal, PortalCall, Reply, RequestKind } from '../portal.ts'
import type { World } from '../world.ts'
import { renderDetailPage, renderPhone } from './detail-page.ts'
import { renderMessagePage, renderPage } from './layout.ts'
import { parseQuery } from './query.ts'
import { renderSearchPage } from './search-page.ts'
import { encodeWindows1252 } from './windows-1252.ts'
import { toListingPath, toWorldId } from './words.ts'

// The page itself declares the encoding, the header does not.
const htmlHeaders = { 'content-type': 'text/html', 'cache-control': 'private' }
const textHeaders = { 'content-type': 'text/plain' }
const pngHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000' }

const robots = `User-agent: *
Disallow: /publicar.asp
Disallow: /acesso.asp
Disallow: /mensagem.asp
Disallow: /mapa.asp
`

/** Creates the portal over `world`. */
export function createPortalD(world: World): Portal {
  return {
    answer(call) {
      const reply = call.method === 'POST' ? answerPost(world, call) : answerGet(world, call)
      return call.variant === 'layout' ? redesign(reply) : reply
    },
  }
}

function answerGet(world: World, { url, variant }: PortalCall): Reply {
  const path = url.pathname
  if (path === '/pesquisa.asp') return searchReply(world, url, variant)
  const listing = /^\/anuncio\/[a-z-]+-ID([0-9A-Z]+)\.htm$/.exec(path)
  if (listing) return detailReply(world, listing[1]!, path)
  const photo = /^\/fotos\/([0-9A-Z]+)_(\d{1,2})\.png$/.exec(path)
  if (photo) return photoReply(world, photo[1]!, Number(photo[2]))
  if (path === '/robots.txt') return fixedReply('robots', 200, textHeaders, () => Buffer.from(robots))
  if (path === '/') {
    return fixedReply('other', 200, htmlHeaders, () =>
      renderPage(world.asOf, 'Anúncios de imóveis', '<h1>Anúncios de imóveis</h1>'),
    )
  }
  if (path === '/acesso.asp' || path === '/acceso/')
    return fixedReply('other', 200, htmlHeaders, renderLoginPage)
  const isDisallowed = /^\/(publicar|mensagem|mapa)\.asp$/.test(path)
  return notFoundReply(world, isDisallowed ? 'disallowed' : 'other')
}

/** `POST /ajax/telefone` with the id and token of a listing's page. */
function answerPost(world: World, { url, body }: PortalCall): Reply {
  if (url.pathname !== '/ajax/telefone') return notFoundReply(world, 'other')
  const form = new URLSearchParams(body)
  const index = findIndex(world, form.get('id') ?? '')
  if (index === undefined || form.get('token') !== toToken(world, index)) {
    return fixedReply('contact', 403, htmlHeaders, () =>
      renderMessagePage(
        world.asOf,
        'Pedido inválido',
        'erro',
        'A sua sessão expirou. Volte ao anúncio e tente de novo.',
      ),
    )
  }
  return fixedReply('contact', 200, htmlHeaders, () => renderPhone(world.listing(index)))
}

function searchReply(world: World, url: URL, variant: PortalCall['variant']): Reply {
  try {
    const query = parseQuery(url.searchParams)
    return {
      kind: 'search',
      status: 200,
      headers: htmlHeaders,
      etag: `"${world.key}-${world.revision()}"`,
      render: () => renderSearchPage(world, query, url.searchParams, variant),
    }
  } catch (error) {
    const text = `Critério de pesquisa inválido (${(error as Error).message}).`
    return fixedReply('search', 400, htmlHeaders, () =>
      renderMessagePage(world.asOf, 'Pesquisa inválida', 'erro', text),
    )
  }
}

function detailReply(world: World, listingId: string, path: string): Reply {
  const index = findIndex(world, listingId)
  if (index === undefined || toListingPath(world.listing(index)) !== path)
    return notFoundReply(world, 'detail')
  // As on such portals, the page of a withdrawn listing has status 200.
  if (world.isWithdrawn(index)) {
    return fixedReply('detail', 200, htmlHeaders, () =>
      renderMessagePage(
        world.asOf,
        'Anúncio indisponível',
        'indisponivel',
        'Este anúncio já não está disponível.',
      ),
    )
  }
  const { updatedAt } = world.attributes(index)
  return {
    kind: 'detail',
    status: 200,
    headers: htmlHeaders,
    etag: `"${world.key}-${index}-${updatedAt}"`,
    lastModified: updatedAt,
    render: () => renderDetailPage(world, index, toToken(world, index)),
  }
}

function photoReply(world: World, listingId: string, number: number): Reply {
  const index = findIndex(world, listingId)
  if (index === undefined || number < 1 || number > world.listing(index).photoCount)
    return notFoundReply(world, 'photo')
  return {
    kind: 'photo',
    status: 200,
    headers: pngHeaders,
    etag: `"${world.key}-${index}-${number}"`,
    lastModified: world.attributes(index).publishedAt,
    render: () => drawPhoto(world.seed, index, number),
  }
}

function findIndex(world: World, listingId: string): number | undefined {
  const index = world.findIndex(toWorldId(listingId))
  return index !== undefined && world.attributes(index).city.country === 'PT' ? index : undefined
}

function toToken(world: World, index: number): string {
  return createHash('sha1').update(`${world.key} ${index}`).digest('hex').slice(0, 20)
}

function notFoundReply(world: World, kind: RequestKind): Reply {
  return fixedReply(kind, 404, htmlHeaders, () =>
    renderMessagePage(world.asOf, 'Página não encontrada', 'erro', 'A página que procura não existe.'),
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

/** The same content in another layout: every class and id has another name. */
function redesign(reply: Reply): Reply {
  if (reply.headers['content-type'] !== 'text/html') return reply
  const render = () =>
    Buffer.from(
      reply
        .render()
        .toString('latin1')
        .replace(
          / (class|id)="([^"]*)"/g,
          (_, name: string, words: string) => ` ${name}="${words.replace(/\S+/g, 'v2_$&')}"`,
        ),
      'latin1',
    )
  return { kind: reply.kind, status: reply.status, headers: reply.headers, render }
}

function renderLoginPage(): Buffer {
  return encodeWindows1252(`<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252">
<title>Acesso - Portal D</title></head><body><h1>Acesso à sua conta</h1><p>Para continuar tem de entrar.</p>
<form method="post" action="/acesso.asp">E-mail <input name="email"> Palavra-passe <input name="password" type="password"><input type="submit" value="Entrar"></form></body></html>`)
}
