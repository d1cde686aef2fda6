/** The search pages of portal_d: twenty listings each in plain HTML, without data in scripts. */

import { escapeHtml } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import type { Variant } from '../portal.ts'
import { formatThousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { formatDate } from './dates.ts'
import { renderMessagePage, renderPage } from './layout.ts'
import type { PortalSearch } from './query.ts'
import {
  categoryLabels,
  formatFloor,
  formatPrice,
  getZoneName,
  operationLabels,
  toListingPath,
  toPhotoPath,
} from './words.ts'

const cardsPerPage = 20

export function renderSearchPage(
  world: World,
  { search, zone, page }: PortalSearch,
  query: URLSearchParams,
  variant: Variant,
): Buffer {
  const found = world.select(search)
  const pages = Math.ceil(found.length / cardsPerPage)
  if (page > pages && page > 1 && variant !== 'loop')
    return renderMessagePage(
      world.asOf,
      'Sem resultados',
      'sem_resultados',
      'Não há mais anúncios nesta pesquisa.',
    )
  const heading = `${categoryLabels[search.propertyType]} ${operationLabels[search.operation]} em ${escapeHtml(getZoneName(zone))}`
  const first = variant === 'loop' ? 0 : (page - 1) * cardsPerPage
  const shown = variant === 'empty' ? [] : found.slice(first, first + cardsPerPage)
  const total =
    found.length === 1
      ? '1</b> anúncio encontrado'
      : `${formatThousands(found.length)}</b> anúncios encontrados`
  const emptyMessage =
    found.length === 0
      ? '<div class="sem_resultados">Não foram encontrados anúncios com estes critérios.</div>'
      : ''
  const toSearchUrl = (number: number) => toPageUrl(query, number)
  const hasNext = page < pages || variant === 'loop'
  return renderPage(
    world.asOf,
    heading,
    `<h1 class="tit_lista">${heading}</h1>
<div class="resultados"><b>${total}</div>
${emptyMessage}${shown.map((index, position) => renderCard(world, world.listing(index), position)).join('\n')}
<div class="paginas">${renderPager(page, pages, toSearchUrl)}${hasNext ? `<a class="seguinte" href="${toSearchUrl(page + 1)}">Seguinte &raquo;</a>` : ''}</div>`,
  )
}

/** The URL of a page, escaped for an attribute. */
function toPageUrl(query: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(query)
  parameters.set('pag', String(page))
  return escapeHtml(`/pesquisa.asp?${parameters}`)
}

function renderPager(page: number, pages: number, toSearchUrl: (page: number) => string): string {
  const numbers = Array.from({ length: 9 }, (_, position) => page - 4 + position)
  return numbers
    .filter(number => number >= 1 && number <= pages)
    .map(number =>
      number === page ? `<b>${number}</b> ` : `<a href="${toSearchUrl(number)}">${number}</a> `,
    )
    .join('')
}

function renderCard(world: World, listing: SimulatedListing, position: number): string {
  const title = escapeHtml(listing.title)
  const path = toListingPath(listing)
  const characteristics = [
    listing.bedrooms === null ? '' : `T${listing.bedrooms}`,
    // Advertisers use both spellings.
    position % 3 === 0
      ? `${formatThousands(listing.squareMeters)} m2`
      : `${formatThousands(listing.squareMeters)} m²`,
    listing.floor === null ? '' : formatFloor(listing.floor),
  ]
  const { type, name } = listing.advertiser
  return `<div class="anuncio${position < 2 ? ' destaque' : ''}">
<div class="foto"><a href="${path}"><img src="${toPhotoPath(listing.id, 1)}" width="120" height="90" alt="${title}"></a></div>
<div class="dados"><div class="titulo"><a href="${path}">${title}</a></div>
<div class="preco">${formatPrice(listing)}</div>
<div class="carac">${characteristics.filter(Boolean).join(' | ')}</div>
<div class="texto">${escapeHtml(listing.description.slice(0, 120).replaceAll('\n', ' '))}...</div>
<div class="local">${escapeHtml(listing.neighbourhood)}, ${listing.city}</div>
<div class="data">${formatDate(listing.publishedAt.getTime(), world.asOf)}</div>
<div class="quem">${type === 'private' ? 'Particular' : `Agência: ${escapeHtml(name)}`}</div>
<a href="#" onclick="return guarda('${listing.id}')"><img src="/img/guardar.gif" width="16" height="16" alt="Guardar"></a></div>
</div>`
}
