// The page of one advert in portal_b: all of it in the state, in the markup what people see first.
import { slugOf } from '../../domain/slug.ts'
import type { Advert } from '../advert.ts'
import { escapeHtml, scriptJson } from '../html.ts'
import { CITIES } from '../places.ts'
import { counted, thousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { messagePage, page } from './chrome.ts'
import { detailEntityState, detailState } from './state.ts'
import { detailPath, OPERATION_WORDS, PROPERTY_WORDS, photoPath, priceText, titleOf } from './words.ts'

export function renderDetailPage(world: World, origin: string, index: number): Buffer {
  const advert = world.advert(index)
  const title = escapeHtml(titleOf(advert))
  const rooms = advert.bedrooms === null ? '' : `<li>${counted(advert.bedrooms, 'hab.', 'habs.')}</li>`
  const bathrooms = advert.bathrooms === null ? '' : `<li>${counted(advert.bathrooms, 'baño', 'baños')}</li>`
  return page(
    `<title>${title} | Portal B</title>
<link rel="canonical" href="${origin}${detailPath(advert)}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:image" content="${origin}${photoPath(advert.id, 1)}">
`,
    `<main class="re-DetailPage"><section class="re-DetailHeader"><h1 class="text-headline-1">${title}</h1>
<span class="re-DetailHeader-price text-display-2">${priceText(advert)}</span>
<ul class="re-DetailHeader-features flex gap-lg">${rooms}${bathrooms}<li>${thousands(advert.squareMeters)} m²</li></ul></section>
<section class="re-DetailDescription"><h2>Descripción</h2><p>${escapeHtml(advert.description).replaceAll('\n', '<br>')}</p></section>
<section class="re-DetailFeatures"><div class="sui-PerfDynamicRendering-placeholder" style="height:420px"></div></section>
<section class="re-DetailMap"><div class="sui-PerfDynamicRendering-placeholder" style="height:300px"></div></section></main>`,
    stateScript({
      __IMAGES_TO_PRELOAD__: [{ as: 'image', href: origin + photoPath(advert.id, 1), rel: 'preload' }],
      breadcrumb: breadcrumbOf(advert),
      browserLanguage: 'es-ES',
      propertyTitle: titleOf(advert).split(` en ${advert.neighbourhood}`)[0],
      realEstateAdDetailEntityV2: detailEntityState(advert, origin),
      realEstate: detailState(advert, origin, world.asOf),
      seo: { title: titleOf(advert), link: [{ rel: 'canonical', href: origin + detailPath(advert) }] },
      seoFooter: seoFooter(),
      seoTitle: titleOf(advert),
    }),
  )
}

/** Where an advert was that is not advertised any more: the portal answers as if all were well. */
export function renderGonePage(): Buffer {
  return messagePage(
    'Este anuncio ya no está disponible',
    'Echa un vistazo a otros anuncios de la zona.',
    stateScript({
      realEstate: null,
      realEstateAdDetailEntityV2: null,
      seoTitle: 'Este anuncio ya no está disponible',
    }),
  )
}

function stateScript(pageProps: object): string {
  const data = {
    props: { pageProps, __N_SSP: true },
    page: '/[lang]/[operation]/[...detail]',
    query: {},
    buildId: 'b7Qm2x',
    isFallback: false,
    gssp: true,
    scriptLoader: [],
  }
  return `<script id="__NEXT_DATA__" type="application/json">${scriptJson(data)}</script>\n`
}

function breadcrumbOf({ operation, propertyType, province, city, citySlug, neighbourhood }: Advert) {
  const path = `/es/${OPERATION_WORDS[operation].slug}/${PROPERTY_WORDS[propertyType].slug}`
  return [
    { text: province, url: `${path}/${slugOf(province)}-provincia/todas-las-zonas/l` },
    { text: city, url: `${path}/${citySlug}/todas-las-zonas/l` },
    { text: neighbourhood, url: null },
  ]
}

function seoFooter() {
  const items = CITIES.map(({ name, slug }) => ({
    literal: `Viviendas en ${name}`,
    title: `Viviendas en venta en ${name}`,
    url: `/es/comprar/viviendas/${slug}/todas-las-zonas/l`,
  }))
  return [
    { layout: 'tabs', activeTabId: 'rating', tabs: [{ id: 'rating', title: 'Búsquedas frecuentes', items }] },
  ]
}
