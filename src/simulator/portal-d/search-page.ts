// The search pages of portal_d: twenty adverts each in plain elements, and nothing of them in any script.
import type { Advert } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import type { Variant } from '../portal.ts'
import { thousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { messagePage, page as wholePage } from './chrome.ts'
import { dateText } from './dates.ts'
import type { PortalSearch } from './query.ts'
import {
  CATEGORY_LABELS,
  floorText,
  listingPath,
  OPERATION_LABELS,
  photoPath,
  priceText,
  zoneName,
} from './words.ts'

const CARDS_PER_PAGE = 20

export function renderSearchPage(
  world: World,
  { search, zone, page }: PortalSearch,
  query: URLSearchParams,
  variant: Variant,
): Buffer {
  const found = world.select(search)
  const pages = Math.ceil(found.length / CARDS_PER_PAGE)
  if (page > pages && page > 1 && variant !== 'loop')
    return messagePage(world.asOf, 'Sem resultados', 'sem_resultados', 'Não há mais anúncios nesta pesquisa.')
  const heading = `${CATEGORY_LABELS[search.propertyType]} ${OPERATION_LABELS[search.operation]} em ${escapeHtml(zoneName(zone))}`
  const first = variant === 'loop' ? 0 : (page - 1) * CARDS_PER_PAGE
  const shown = variant === 'empty' ? [] : found.slice(first, first + CARDS_PER_PAGE)
  const total =
    found.length === 1 ? '1</b> anúncio encontrado' : `${thousands(found.length)}</b> anúncios encontrados`
  const none =
    found.length === 0
      ? '<div class="sem_resultados">Não foram encontrados anúncios com estes critérios.</div>'
      : ''
  const address = (number: number) => pageAddress(query, number)
  const hasNext = page < pages || variant === 'loop'
  return wholePage(
    world.asOf,
    heading,
    `<h1 class="tit_lista">${heading}</h1>
<div class="resultados"><b>${total}</div>
${none}${shown.map((index, at) => card(world, world.advert(index), at)).join('\n')}
<div class="paginas">${pager(page, pages, address)}${hasNext ? `<a class="seguinte" href="${address(page + 1)}">Seguinte &raquo;</a>` : ''}</div>`,
  )
}

/** The address of a page, already safe to stand in an attribute. */
function pageAddress(query: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(query)
  parameters.set('pag', String(page))
  return escapeHtml(`/pesquisa.asp?${parameters}`)
}

function pager(page: number, pages: number, address: (page: number) => string): string {
  const numbers = Array.from({ length: 9 }, (_, at) => page - 4 + at)
  return numbers
    .filter(number => number >= 1 && number <= pages)
    .map(number => (number === page ? `<b>${number}</b> ` : `<a href="${address(number)}">${number}</a> `))
    .join('')
}

function card(world: World, advert: Advert, at: number): string {
  const title = escapeHtml(advert.title)
  const path = listingPath(advert)
  const characteristics = [
    advert.bedrooms === null ? '' : `T${advert.bedrooms}`,
    // Typists differ.
    at % 3 === 0 ? `${thousands(advert.squareMeters)} m2` : `${thousands(advert.squareMeters)} m²`,
    advert.floor === null ? '' : floorText(advert.floor),
  ]
  const { type, name } = advert.advertiser
  return `<div class="anuncio${at < 2 ? ' destaque' : ''}">
<div class="foto"><a href="${path}"><img src="${photoPath(advert.id, 1)}" width="120" height="90" alt="${title}"></a></div>
<div class="dados"><div class="titulo"><a href="${path}">${title}</a></div>
<div class="preco">${priceText(advert)}</div>
<div class="carac">${characteristics.filter(Boolean).join(' | ')}</div>
<div class="texto">${escapeHtml(advert.description.slice(0, 120).replaceAll('\n', ' '))}...</div>
<div class="local">${escapeHtml(advert.neighbourhood)}, ${advert.city}</div>
<div class="data">${dateText(advert.publishedAt.getTime(), world.asOf)}</div>
<div class="quem">${type === 'private' ? 'Particular' : `Agência: ${escapeHtml(name)}`}</div>
<a href="#" onclick="return guarda('${advert.id}')"><img src="/img/guardar.gif" width="16" height="16" alt="Guardar"></a></div>
</div>`
}
