/** The detail page of portal_b: all facts in the script state, the most visible ones in the markup. */
import { toSlug } from '../../domain/slug.ts'
import { escapeHtml, toScriptJson } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import { spanishCities } from '../places.ts'
import { formatCount, formatThousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { renderMessagePage, renderPage } from './layout.ts'
import { toDetailEntityState, toDetailState } from './state.ts'
import {
  formatPrice,
  formatTitle,
  operationWords,
  propertyWords,
  toDetailPath,
  toPhotoPath,
} from './words.ts'

export function renderDetailPage(world: World, origin: string, index: number): Buffer {
  const listing = world.listing(index)
  const title = escapeHtml(formatTitle(listing))
  const rooms = listing.bedrooms === null ? '' : `<li>${formatCount(listing.bedrooms, 'hab.', 'habs.')}</li>`
  const bathrooms =
    listing.bathrooms === null ? '' : `<li>${formatCount(listing.bathrooms, 'baño', 'baños')}</li>`
  return renderPage(
    `<title>${title} | Portal B</title>
<link rel="canonical" href="${origin}${toDetailPath(listing)}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:image" content="${origin}${toPhotoPath(listing.id, 1)}">
`,
    `<main class="re-DetailPage"><section class="re-DetailHeader"><h1 class="text-headline-1">${title}</h1>
<span class="re-DetailHeader-price text-display-2">${formatPrice(listing)}</span>
<ul class="re-DetailHeader-features flex gap-lg">${rooms}${bathrooms}<li>${formatThousands(listing.squareMeters)} m²</li></ul></section>
<section class="re-DetailDescription"><h2>Descripción</h2><p>${escapeHtml(listing.description).replaceAll('\n', '<br>')}</p></section>
<section class="re-DetailFeatures"><div class="sui-PerfDynamicRendering-placeholder" style="height:420px"></div></section>
<section class="re-DetailMap"><div class="sui-PerfDynamicRendering-placeholder" style="height:300px"></div></section></main>`,
    renderStateScript({
      __IMAGES_TO_PRELOAD__: [{ as: 'image', href: origin + toPhotoPath(listing.id, 1), rel: 'preload' }],
      breadcrumb: buildBreadcrumb(listing),
      browserLanguage: 'es-ES',
      propertyTitle: formatTitle(listing).split(` en ${listing.neighbourhood}`)[0],
      realEstateAdDetailEntityV2: toDetailEntityState(listing, origin),
      realEstate: toDetailState(listing, origin, world.asOf),
      seo: {
        title: formatTitle(listing),
        link: [{ rel: 'canonical', href: origin + toDetailPath(listing) }],
      },
      seoFooter: buildSeoFooter(),
      seoTitle: formatTitle(listing),
    }),
  )
}

/** The page of a withdrawn listing: the portal answers 200. */
export function renderWithdrawnPage(): Buffer {
  return renderMessagePage(
    'Este anuncio ya no está disponible',
    'Echa un vistazo a otros anuncios de la zona.',
    renderStateScript({
      realEstate: null,
      realEstateAdDetailEntityV2: null,
      seoTitle: 'Este anuncio ya no está disponible',
    }),
  )
}

function renderStateScript(pageProps: object): string {
  const data = {
    props: { pageProps, __N_SSP: true },
    page: '/[lang]/[operation]/[...detail]',
    query: {},
    buildId: 'b7Qm2x',
    isFallback: false,
    gssp: true,
    scriptLoader: [],
  }
  return `<script id="__NEXT_DATA__" type="application/json">${toScriptJson(data)}</script>\n`
}

function buildBreadcrumb({
  operation,
  propertyType,
  province,
  city,
  citySlug,
  neighbourhood,
}: SimulatedListing) {
  const path = `/es/${operationWords[operation].slug}/${propertyWords[propertyType].slug}`
  return [
    { text: province, url: `${path}/${toSlug(province)}-provincia/todas-las-zonas/l` },
    { text: city, url: `${path}/${citySlug}/todas-las-zonas/l` },
    { text: neighbourhood, url: null },
  ]
}

function buildSeoFooter() {
  const items = spanishCities.map(({ name, slug }) => ({
    literal: `Viviendas en ${name}`,
    title: `Viviendas en venta en ${name}`,
    url: `/es/comprar/viviendas/${slug}/todas-las-zonas/l`,
  }))
  return [
    { layout: 'tabs', activeTabId: 'rating', tabs: [{ id: 'rating', title: 'Búsquedas frecuentes', items }] },
  ]
}
