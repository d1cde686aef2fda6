// The search pages of portal_b: thirty adverts in the state, of which the first five are drawn before the scripts run.
import type { Advert } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import { CITIES } from '../places.ts'
import type { Variant } from '../portal.ts'
import type { Search } from '../search.ts'
import { thousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { assignment, SITE_STATE, page as wholePage } from './chrome.ts'
import { cardState, itemState } from './state.ts'
import {
  detailPath,
  nounOf,
  OPERATION_WORDS,
  PROPERTY_WORDS,
  photoPath,
  priceText,
  streetOf,
} from './words.ts'

const ADVERTS_PER_PAGE = 30
const CARDS_DRAWN = 5

export interface SearchPage {
  search: Search
  /** From 1. */
  page: number
  url: URL
  /** `empty` keeps the promise of adverts and leaves out the adverts. */
  variant: Variant
}

export function renderSearchPage(world: World, origin: string, request: SearchPage): Buffer {
  const { search, page, variant } = request
  const found = world.select(search)
  const first = variant === 'loop' ? 0 : (page - 1) * ADVERTS_PER_PAGE
  const shown = variant === 'empty' ? [] : found.slice(first, first + ADVERTS_PER_PAGE)
  const adverts = shown.map(world.advert)
  const heading = `${thousands(found.length)} ${PROPERTY_WORDS[search.propertyType].label} en ${OPERATION_WORDS[search.operation].label} en ${placeOf(search)}`
  const hasNext = variant === 'loop' || first + ADVERTS_PER_PAGE < found.length
  const links = linksOf(request, origin, hasNext)
  const props = propsOf(world, origin, request, { adverts, count: found.length, heading, links })
  return wholePage(
    `<title>${heading} | Portal B</title>
<meta name="description" content="${thousands(found.length)} anuncios de ${heading.toLowerCase()} con fotos.">
<link rel="canonical" href="${escapeHtml(links[0]!.href)}">
`,
    `<main class="re-SearchPage"><h1 class="re-SearchTitle text-headline-1">${heading}</h1>
<section class="re-SearchResult" data-testid="re-SearchResult" id="main-content">
${adverts.slice(0, CARDS_DRAWN).map(card).join('\n')}
${adverts
  .slice(CARDS_DRAWN)
  .map(() => PLACEHOLDER)
  .join('\n')}
</section></main>`,
    `<script id="sui-scripts">
${assignment('__INITIAL_DATA__', SITE_STATE)}${assignment('__INITIAL_PROPS__', props)}${assignment('__INITIAL_CONTEXT_VALUE__', { innerUrl: request.url.href, language: 'es' })}        </script>
`,
  )
}

interface Results {
  adverts: readonly Advert[]
  count: number
  heading: string
  links: readonly { rel: string; href: string }[]
}

function propsOf(
  world: World,
  origin: string,
  { search, page, url }: SearchPage,
  { adverts, count, heading, links }: Results,
) {
  const params = {
    combinedLocationIds: url.searchParams.get('combinedLocationIds') ?? '',
    culture: 'es-ES',
    isMapView: false,
    language: 'es',
    locationLiteral: placeOf(search),
    pageNumber: page,
    pathname: url.pathname,
    propertyTypeId: PROPERTY_WORDS[search.propertyType].id,
    sortOrderDesc: true,
    sortType: 'publicationDate',
    transactionTypeId: OPERATION_WORDS[search.operation].id,
    userId: null,
  }
  return {
    __IMAGES_TO_PRELOAD__: adverts
      .slice(0, 1)
      .map(({ id }) => ({ as: 'image', href: origin + photoPath(id, 1) })),
    counters: { realEstates: count, newConstructionCounter: 0 },
    initialSearch: {
      params,
      result: {
        adjacentRealEstates: [],
        count,
        counters: { realEstates: count, newConstructionCounter: 0 },
        locationLiteral: placeOf(search),
        // What is advertised beside the results is no result.
        promotionClassifieds: adverts.slice(-1).map(advert => ({
          ...cardState(advert, origin, world.asOf),
          id: 20_000_000 + adverts.length,
          isPromotion: true,
          rawPrice: 0,
        })),
        realEstates: adverts.map(advert => cardState(advert, origin, world.asOf)),
        breadcrumbs: [{ combinedName: 'country', text: '' }],
        locationUpperLevel: 3,
        hasResults: adverts.length > 0,
        resultsV2: {
          page: { number: page, size: ADVERTS_PER_PAGE },
          totalItems: count,
          items: adverts.map(advert => itemState(advert, origin)),
        },
      },
    },
    seo: { title: heading, meta: [{ name: 'description', content: heading }], link: links },
    searchContext: params,
  }
}

/** The page's own address, and those before and after it; the first has no number. */
function linksOf({ page, url }: SearchPage, origin: string, hasNext: boolean) {
  const base = url.pathname.replace(/\/l\/\d+$/, '/l')
  const address = (number: number) => `${origin}${base}${number > 1 ? `/${number}` : ''}${url.search}`
  return [
    { rel: 'canonical', href: address(page) },
    ...(page > 1 ? [{ rel: 'prev', href: address(page - 1) }] : []),
    ...(hasNext ? [{ rel: 'next', href: address(page + 1) }] : []),
  ]
}

function placeOf({ city }: Search): string {
  return CITIES.find(({ slug }) => slug === city)?.name ?? 'tu zona de búsqueda'
}

const PLACEHOLDER =
  '<article class="@container w-full"><div class="sui-PerfDynamicRendering-placeholder" style="height:289px"></div></article>'

function card(advert: Advert): string {
  const address = detailPath(advert)
  const where = escapeHtml(`${streetOf(advert)}, ${advert.neighbourhood}`)
  const rooms = advert.bedrooms ? `<li>${advert.bedrooms} habs</li>` : ''
  return `<article class="@container w-full"><div class="flex flex-col overflow-hidden rounded-lg shadow-md w-full @xs:flex-row">
<div class="relative group flex overflow-hidden cursor-pointer"><button aria-label="Marcar como favorito" class="relative z-raised p-md" type="button" aria-pressed="false" data-panot-component="toggle"></button><a class="inline-flex items-center px-md text-body-2" href="${address}?from=list&amp;multimedia=image">1<!-- -->/<!-- -->${advert.photoCount}</a><picture><img alt="${nounOf(advert)} en ${OPERATION_WORDS[advert.operation].label} en ${where}" src="${photoPath(advert.id, 1)}" class="object-cover size-full" decoding="sync" loading="eager"></picture></div>
<div class="relative px-mdp pt-mdp pb-lg @xs:flex-1 space-y-md" data-panot-component="link-box"><div class="flex items-center gap-mdp text-display-3"><span>${priceText(advert)}</span></div>
<h3 class="text-subhead line-clamp-2"><a class="static no-underline" href="${address}" data-panot-component="link-box-link"><span><strong>${nounOf(advert)}</strong> en ${where}</span></a></h3>
<ul class="flex gap-md">${rooms}<li>${thousands(advert.squareMeters)} m²</li></ul><p class="hidden">${escapeHtml(advert.description)}</p></div></div></article>`
}
