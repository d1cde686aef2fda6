// The search pages of portal_a: thirty cards, the total, and a numbered pager.
import type { Advert } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import { CITIES } from '../places.ts'
import type { Variant } from '../portal.ts'
import type { Search } from '../search.ts'
import { counted, longDate, thousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { messagePage, page as wholePage } from './chrome.ts'
import {
  floorText,
  listingPath,
  OPERATION_WORDS,
  PROPERTY_WORDS,
  photoPath,
  priceText,
  searchPath,
} from './words.ts'

const CARDS_PER_PAGE = 30

export interface SearchPage {
  search: Search
  /** From 1. */
  page: number
  /** The filters as they came, for the links of the pager. */
  query: URLSearchParams
  /** `empty` keeps the promise of adverts and leaves out the adverts. */
  variant: Variant
}

export function renderSearchPage(
  world: World,
  origin: string,
  { search, page, query, variant }: SearchPage,
): Buffer {
  const found = world.select(search)
  const pages = Math.ceil(found.length / CARDS_PER_PAGE)
  if (page > pages && page > 1 && variant !== 'loop') {
    return messagePage('No hay resultados', 'No hay resultados en esta página de la búsqueda.', 'no-results')
  }
  const heading = headingOf(search)
  const total = found.length === 1 ? '1 anuncio' : `${thousands(found.length)} anuncios`
  const address = (number: number) => pageAddress(search, query, number)
  const first = variant === 'loop' ? 0 : (page - 1) * CARDS_PER_PAGE
  const shown = variant === 'empty' ? [] : found.slice(first, first + CARDS_PER_PAGE)
  const hasNext = page < pages || variant === 'loop'
  const none =
    found.length === 0 ? '<p class="no-results">No hay anuncios que coincidan con tu búsqueda.</p>' : ''
  return wholePage(
    `<title>${heading} - ${total} | Portal A</title>
<meta name="description" content="${total}: ${heading.toLowerCase()}. Compra y alquila con Portal A.">
<link rel="canonical" href="${origin}${address(page)}">
${page > 1 ? `<link rel="prev" href="${address(page - 1)}">` : ''}
${hasNext ? `<link rel="next" href="${address(page + 1)}">` : ''}
`,
    `<main id="main-content">
<h1 class="listing-title" data-total="${found.length}"><span class="total">${total}</span> ${heading}</h1>
<section class="items-container">
${none}${shown.map(index => card(world.advert(index))).join('')}</section>
${pages > 1 ? pager(page, pages, address) : ''}
</main>`,
  )
}

function headingOf({ operation, propertyType, city }: Search): string {
  const name = CITIES.find(({ slug }) => slug === city)?.name ?? city
  return `${PROPERTY_WORDS[propertyType].label} en ${OPERATION_WORDS[operation].label.toLowerCase()} en ${name}`
}

/** The address of a page, already safe to stand in an attribute. */
function pageAddress(search: Search, query: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  if (page > 1) parameters.set('page', String(page))
  const text = parameters.size > 0 ? `?${parameters}` : ''
  return escapeHtml(searchPath(search.operation, search.propertyType, search.city) + text)
}

function pager(page: number, pages: number, address: (page: number) => string): string {
  const numbers = [1, page - 2, page - 1, page, page + 1, page + 2, pages]
  const shown = [...new Set(numbers)].filter(number => number >= 1 && number <= pages)
  const items = shown.map(number =>
    number === page
      ? `<li class="selected"><span aria-current="page">${number}</span></li>`
      : `<li><a href="${address(number)}">${number}</a></li>`,
  )
  const previous =
    page > 1 ? `<li><a class="prev" rel="prev" href="${address(page - 1)}">Anterior</a></li>` : ''
  const next =
    page < pages ? `<li><a class="next" rel="next" href="${address(page + 1)}">Siguiente</a></li>` : ''
  return `<nav class="pagination-nav" aria-label="Páginas"><ul class="pagination">${previous}${items.join('')}${next}</ul></nav>`
}

function card(advert: Advert): string {
  const title = escapeHtml(advert.title)
  const details = [
    advert.bedrooms === null ? '' : counted(advert.bedrooms, 'hab.', 'hab.'),
    `${thousands(advert.squareMeters)} m²`,
    floorText(advert),
  ]
  const { type, name } = advert.advertiser
  const badge = type === 'private' ? 'Particular' : escapeHtml(name)
  return `<article class="item" data-listing-id="${advert.id}">
<picture class="item-gallery"><img src="${photoPath(advert.id, 1)}" alt="${title}" loading="lazy" width="260" height="195"><span class="item-photos">${advert.photoCount} fotos</span></picture>
<div class="item-info padding-3">
<a class="item-link" href="${listingPath(advert.id)}" title="${title}">${title}</a>
<div class="price-row"><span class="item-price">${priceText(advert)}</span></div>
<div class="item-detail-char">${details.map(text => (text ? `<span class="item-detail">${text}</span>` : '')).join('')}</div>
<div class="item-description"><p>${escapeHtml(excerpt(advert.description))}</p></div>
<div class="item-toolbar"><span class="item-advertiser ${type}">${badge}</span>
<time class="item-date" datetime="${advert.publishedAt.toISOString()}">${longDate(advert.publishedAt.getTime())}</time>
<button type="button" data-action="favourite" data-id="${advert.id}" aria-label="Guardar como favorito"><svg class="icon"><use href="#icono-corazon"/></svg></button></div>
</div>
</article>
`
}

/** The first words, as many as fit a card. */
function excerpt(text: string): string {
  if (text.length <= 170) return text
  return `${text.slice(0, text.lastIndexOf(' ', 170))}…`
}
