/** The search pages of portal_b: thirty listings in the state, the first five also in the markup. */

import { escapeHtml } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import { spanishCities } from '../places.ts'
import type { Variant } from '../portal.ts'
import type { Search } from '../search.ts'
import { formatThousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { renderAssignment, renderPage, siteState } from './layout.ts'
import { toCardState, toItemState } from './state.ts'
import {
  formatPrice,
  operationWords,
  propertyWords,
  toDetailPath,
  toNoun,
  toPhotoPath,
  toStreet,
} from './words.ts'

const listingsPerPage = 30
const cardsRendered = 5

export interface SearchPage {
  search: Search
  /** From 1. */
  page: number
  url: URL
  /** `empty` keeps the total and omits the listings. */
  variant: Variant
}

export function renderSearchPage(world: World, origin: string, request: SearchPage): Buffer {
  const { search, page, variant } = request
  const found = world.select(search)
  const first = variant === 'loop' ? 0 : (page - 1) * listingsPerPage
  const shown = variant === 'empty' ? [] : found.slice(first, first + listingsPerPage)
  const listings = shown.map(world.listing)
  const heading = `${formatThousands(found.length)} ${propertyWords[search.propertyType].label} en ${operationWords[search.operation].label} en ${toPlaceName(search)}`
  const hasNext = variant === 'loop' || first + listingsPerPage < found.length
  const links = buildLinks(request, origin, hasNext)
  const props = buildProps(world, origin, request, { listings, count: found.length, heading, links })
  return renderPage(
    `<title>${heading} | Portal B</title>
<meta name="description" content="${formatThousands(found.length)} anuncios de ${heading.toLowerCase()} con fotos.">
<link rel="canonical" href="${escapeHtml(links[0]!.href)}">
`,
    `<main class="re-SearchPage"><h1 class="re-SearchTitle text-headline-1">${heading}</h1>
<section class="re-SearchResult" data-testid="re-SearchResult" id="main-content">
${listings.slice(0, cardsRendered).map(renderCard).join('\n')}
${listings
  .slice(cardsRendered)
  .map(() => placeholder)
  .join('\n')}
</section></main>`,
    `<script id="sui-scripts">
${renderAssignment('__INITIAL_DATA__', siteState)}${renderAssignment('__INITIAL_PROPS__', props)}${renderAssignment('__INITIAL_CONTEXT_VALUE__', { innerUrl: request.url.href, language: 'es' })}        </script>
`,
  )
}

interface Results {
  listings: readonly SimulatedListing[]
  count: number
  heading: string
  links: readonly { rel: string; href: string }[]
}

function buildProps(
  world: World,
  origin: string,
  { search, page, url }: SearchPage,
  { listings, count, heading, links }: Results,
) {
  const params = {
    combinedLocationIds: url.searchParams.get('combinedLocationIds') ?? '',
    culture: 'es-ES',
    isMapView: false,
    language: 'es',
    locationLiteral: toPlaceName(search),
    pageNumber: page,
    pathname: url.pathname,
    propertyTypeId: propertyWords[search.propertyType].id,
    sortOrderDesc: true,
    sortType: 'publicationDate',
    transactionTypeId: operationWords[search.operation].id,
    userId: null,
  }
  return {
    __IMAGES_TO_PRELOAD__: listings
      .slice(0, 1)
      .map(({ id }) => ({ as: 'image', href: origin + toPhotoPath(id, 1) })),
    counters: { realEstates: count, newConstructionCounter: 0 },
    initialSearch: {
      params,
      result: {
        adjacentRealEstates: [],
        count,
        counters: { realEstates: count, newConstructionCounter: 0 },
        locationLiteral: toPlaceName(search),
        // Promoted listings beside the results are not results.
        promotionClassifieds: listings.slice(-1).map(listing => ({
          ...toCardState(listing, origin, world.asOf),
          id: 20_000_000 + listings.length,
          isPromotion: true,
          rawPrice: 0,
        })),
        realEstates: listings.map(listing => toCardState(listing, origin, world.asOf)),
        breadcrumbs: [{ combinedName: 'country', text: '' }],
        locationUpperLevel: 3,
        hasResults: listings.length > 0,
        resultsV2: {
          page: { number: page, size: listingsPerPage },
          totalItems: count,
          items: listings.map(listing => toItemState(listing, origin)),
        },
      },
    },
    seo: { title: heading, meta: [{ name: 'description', content: heading }], link: links },
    searchContext: params,
  }
}

/** The URLs of this, the previous and the next page; the first page has no number. */
function buildLinks({ page, url }: SearchPage, origin: string, hasNext: boolean) {
  const base = url.pathname.replace(/\/l\/\d+$/, '/l')
  const toSearchUrl = (number: number) => `${origin}${base}${number > 1 ? `/${number}` : ''}${url.search}`
  return [
    { rel: 'canonical', href: toSearchUrl(page) },
    ...(page > 1 ? [{ rel: 'prev', href: toSearchUrl(page - 1) }] : []),
    ...(hasNext ? [{ rel: 'next', href: toSearchUrl(page + 1) }] : []),
  ]
}

function toPlaceName({ city }: Search): string {
  return spanishCities.find(({ slug }) => slug === city)?.name ?? 'tu zona de búsqueda'
}

const placeholder =
  '<article class="@container w-full"><div class="sui-PerfDynamicRendering-placeholder" style="height:289px"></div></article>'

function renderCard(listing: SimulatedListing): string {
  const detailPath = toDetailPath(listing)
  const where = escapeHtml(`${toStreet(listing)}, ${listing.neighbourhood}`)
  const rooms = listing.bedrooms ? `<li>${listing.bedrooms} habs</li>` : ''
  return `<article class="@container w-full"><div class="flex flex-col overflow-hidden rounded-lg shadow-md w-full @xs:flex-row">
<div class="relative group flex overflow-hidden cursor-pointer"><button aria-label="Marcar como favorito" class="relative z-raised p-md" type="button" aria-pressed="false" data-panot-component="toggle"></button><a class="inline-flex items-center px-md text-body-2" href="${detailPath}?from=list&amp;multimedia=image">1<!-- -->/<!-- -->${listing.photoCount}</a><picture><img alt="${toNoun(listing)} en ${operationWords[listing.operation].label} en ${where}" src="${toPhotoPath(listing.id, 1)}" class="object-cover size-full" decoding="sync" loading="eager"></picture></div>
<div class="relative px-mdp pt-mdp pb-lg @xs:flex-1 space-y-md" data-panot-component="link-box"><div class="flex items-center gap-mdp text-display-3"><span>${formatPrice(listing)}</span></div>
<h3 class="text-subhead line-clamp-2"><a class="static no-underline" href="${detailPath}" data-panot-component="link-box-link"><span><strong>${toNoun(listing)}</strong> en ${where}</span></a></h3>
<ul class="flex gap-md">${rooms}<li>${formatThousands(listing.squareMeters)} m²</li></ul><p class="hidden">${escapeHtml(listing.description)}</p></div></div></article>`
}
