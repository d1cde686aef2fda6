/** The search pages of portal_a: thirty cards, the total, and a numbered pager. */

import { escapeHtml } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import { spanishCities } from '../places.ts'
import type { Variant } from '../portal.ts'
import type { Search } from '../search.ts'
import { formatCount, formatLongDate, formatThousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { renderMessagePage, renderPage } from './layout.ts'
import {
  formatFloor,
  formatPrice,
  operationWords,
  propertyWords,
  toListingPath,
  toPhotoPath,
  toSearchPath,
} from './words.ts'

const cardsPerPage = 30

export interface SearchPage {
  search: Search
  /** From 1. */
  page: number
  /** The filters of the request, for the links of the pager. */
  query: URLSearchParams
  /** `empty` keeps the total and omits the listings. */
  variant: Variant
}

export function renderSearchPage(
  world: World,
  origin: string,
  { search, page, query, variant }: SearchPage,
): Buffer {
  const found = world.select(search)
  const pages = Math.ceil(found.length / cardsPerPage)
  if (page > pages && page > 1 && variant !== 'loop') {
    return renderMessagePage(
      'No hay resultados',
      'No hay resultados en esta página de la búsqueda.',
      'no-results',
    )
  }
  const heading = formatHeading(search)
  const total = found.length === 1 ? '1 anuncio' : `${formatThousands(found.length)} anuncios`
  const toSearchUrl = (number: number) => toPageUrl(search, query, number)
  const first = variant === 'loop' ? 0 : (page - 1) * cardsPerPage
  const shown = variant === 'empty' ? [] : found.slice(first, first + cardsPerPage)
  const hasNext = page < pages || variant === 'loop'
  const emptyMessage =
    found.length === 0 ? '<p class="no-results">No hay anuncios que coincidan con tu búsqueda.</p>' : ''
  return renderPage(
    `<title>${heading} - ${total} | Portal A</title>
<meta name="description" content="${total}: ${heading.toLowerCase()}. Compra y alquila con Portal A.">
<link rel="canonical" href="${origin}${toSearchUrl(page)}">
${page > 1 ? `<link rel="prev" href="${toSearchUrl(page - 1)}">` : ''}
${hasNext ? `<link rel="next" href="${toSearchUrl(page + 1)}">` : ''}
`,
    `<main id="main-content">
<h1 class="listing-title" data-total="${found.length}"><span class="total">${total}</span> ${heading}</h1>
<section class="items-container">
${emptyMessage}${shown.map(index => renderCard(world.listing(index))).join('')}</section>
${pages > 1 ? renderPager(page, pages, toSearchUrl) : ''}
</main>`,
  )
}

function formatHeading({ operation, propertyType, city }: Search): string {
  const name = spanishCities.find(({ slug }) => slug === city)?.name ?? city
  return `${propertyWords[propertyType].label} en ${operationWords[operation].label.toLowerCase()} en ${name}`
}

/** The URL of a page, escaped for an attribute. */
function toPageUrl(search: Search, query: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  if (page > 1) parameters.set('page', String(page))
  const text = parameters.size > 0 ? `?${parameters}` : ''
  return escapeHtml(toSearchPath(search.operation, search.propertyType, search.city) + text)
}

function renderPager(page: number, pages: number, toSearchUrl: (page: number) => string): string {
  const numbers = [1, page - 2, page - 1, page, page + 1, page + 2, pages]
  const shown = [...new Set(numbers)].filter(number => number >= 1 && number <= pages)
  const items = shown.map(number =>
    number === page
      ? `<li class="selected"><span aria-current="page">${number}</span></li>`
      : `<li><a href="${toSearchUrl(number)}">${number}</a></li>`,
  )
  const previous =
    page > 1 ? `<li><a class="prev" rel="prev" href="${toSearchUrl(page - 1)}">Anterior</a></li>` : ''
  const next =
    page < pages ? `<li><a class="next" rel="next" href="${toSearchUrl(page + 1)}">Siguiente</a></li>` : ''
  return `<nav class="pagination-nav" aria-label="Páginas"><ul class="pagination">${previous}${items.join('')}${next}</ul></nav>`
}

function renderCard(listing: SimulatedListing): string {
  const title = escapeHtml(listing.title)
  const details = [
    listing.bedrooms === null ? '' : formatCount(listing.bedrooms, 'hab.', 'hab.'),
    `${formatThousands(listing.squareMeters)} m²`,
    formatFloor(listing),
  ]
  const { type, name } = listing.advertiser
  const badge = type === 'private' ? 'Particular' : escapeHtml(name)
  return `<article class="item" data-listing-id="${listing.id}">
<picture class="item-gallery"><img src="${toPhotoPath(listing.id, 1)}" alt="${title}" loading="lazy" width="260" height="195"><span class="item-photos">${listing.photoCount} fotos</span></picture>
<div class="item-info padding-3">
<a class="item-link" href="${toListingPath(listing.id)}" title="${title}">${title}</a>
<div class="price-row"><span class="item-price">${formatPrice(listing)}</span></div>
<div class="item-detail-char">${details.map(text => (text ? `<span class="item-detail">${text}</span>` : '')).join('')}</div>
<div class="item-description"><p>${escapeHtml(toExcerpt(listing.description))}</p></div>
<div class="item-toolbar"><span class="item-advertiser ${type}">${badge}</span>
<time class="item-date" datetime="${listing.publishedAt.toISOString()}">${formatLongDate(listing.publishedAt.getTime())}</time>
<button type="button" data-action="favourite" data-id="${listing.id}" aria-label="Guardar como favorito"><svg class="icon"><use href="#icono-corazon"/></svg></button></div>
</div>
</article>
`
}

/** The first words that fit into a card. */
function toExcerpt(text: string): string {
  if (text.length <= 170) return text
  return `${text.slice(0, text.lastIndexOf(' ', 170))}…`
}
