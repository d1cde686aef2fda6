/** The detail page of portal_f: OpenGraph in the head, schema.org microdata in the body, no data in scripts. */

import { escapeHtml } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import type { World } from '../world.ts'
import { renderPage } from './layout.ts'
import {
  formatItalianPhone,
  formatLongDate,
  formatPrice,
  listDetailLines,
  toFeatureLabels,
  toListingPath,
  toPhotoPath,
} from './words.ts'

export function renderDetailPage(world: World, origin: string, index: number): Buffer {
  const listing = world.listing(index)
  const title = escapeHtml(listing.title)
  const description = escapeHtml(listing.description.slice(0, 150).replaceAll('\n', ' '))
  return renderPage(
    `<title>${title} | Portal F</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${origin}${toListingPath(listing.id)}">
<meta property="og:type" content="product">
<meta property="og:site_name" content="Portal F">
<meta property="og:locale" content="it_IT">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${toListingPath(listing.id)}">
<meta property="og:image" content="${origin}${toPhotoPath(listing.id, 1)}">
<meta property="og:locality" content="${listing.city}">
<meta property="place:location:latitude" content="${listing.latitude}">
<meta property="place:location:longitude" content="${listing.longitude}">
<meta property="product:price:amount" content="${listing.price}">
<meta property="product:price:currency" content="EUR">
`,
    `<ol itemscope itemtype="https://schema.org/BreadcrumbList">
<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a itemprop="item" href="/"><span itemprop="name">Portal F</span></a><meta itemprop="position" content="1"></li>
<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><span itemprop="name">${listing.city}</span><meta itemprop="position" content="2"></li></ol>
<main class="in-main" itemscope itemtype="https://schema.org/Product">
<link itemprop="url" href="${origin}${toListingPath(listing.id)}">
<h1 class="im-titleBlock__title" itemprop="name">${title}</h1>
<div class="im-gallery">${renderGallery(listing)}</div>
${renderOffer(listing)}
<section class="im-features"><h2>Caratteristiche</h2><dl class="im-features__list">
${listDetailLines(listing)
  .map(
    ([label, value]) =>
      `<dt class="im-features__title">${label}</dt><dd class="im-features__value">${value}</dd>`,
  )
  .join('\n')}
</dl><ul class="im-tags">${toFeatureLabels(listing)
      .map(label => `<li>${label}</li>`)
      .join('')}</ul></section>
<section><h2>Descrizione</h2><div class="im-description" itemprop="description">${escapeHtml(listing.description).replaceAll('\n', '<br>')}</div></section>
<p class="im-date">Annuncio pubblicato il ${formatLongDate(listing.publishedAt.getTime())}</p>
${renderSimilar(world, index)}
</main>`,
  )
}

function renderOffer(listing: SimulatedListing): string {
  const { type, name, phone } = listing.advertiser
  const seller = type === 'private' ? 'Person' : 'RealEstateAgent'
  return `<div class="im-mainFeatures" itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<span class="im-mainFeatures__price" itemprop="price" content="${listing.price}">${formatPrice(listing)}</span><meta itemprop="priceCurrency" content="EUR">
<link itemprop="businessFunction" href="http://purl.org/goodrelations/v1#${listing.operation === 'sale' ? 'Sell' : 'LeaseOut'}">
<div class="im-location" itemprop="availableAtOrFrom" itemscope itemtype="https://schema.org/Place">
<p itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">${escapeHtml(listing.address)}</span>, <span itemprop="postalCode">${listing.postcode}</span> <span itemprop="addressLocality">${listing.city}</span> (<span itemprop="addressRegion">${listing.province}</span>)<meta itemprop="addressCountry" content="IT"></p>
<div itemprop="geo" itemscope itemtype="https://schema.org/GeoCoordinates"><meta itemprop="latitude" content="${listing.latitude}"><meta itemprop="longitude" content="${listing.longitude}"></div></div>
<div class="im-lead" itemprop="seller" itemscope itemtype="https://schema.org/${seller}"><strong itemprop="name">${escapeHtml(name)}</strong>
<a href="tel:${phone}" data-evento="telefono"><span itemprop="telephone">${formatItalianPhone(phone)}</span></a>
<form method="post" action="/messaggio/"><input name="email" type="email" placeholder="La tua e-mail"><textarea name="testo"></textarea><button>Contatta</button></form></div>
</div>`
}

function renderGallery({ id, photoCount, title }: SimulatedListing): string {
  return Array.from(
    { length: photoCount },
    (_, position) =>
      `<img itemprop="image" src="${toPhotoPath(id, position + 1)}" alt="${escapeHtml(title)}, foto ${position + 1}" width="400" height="300"${position > 0 ? ' loading="lazy"' : ''}>`,
  ).join('\n')
}

/** Similar listings, without microdata. */
function renderSimilar(world: World, index: number): string {
  const otherListings = world.getGroup(index).filter(other => other !== index && !world.isWithdrawn(other))
  const cards = otherListings.slice(0, 6).map(other => {
    const listing = world.listing(other)
    return `<a class="in-card" href="${toListingPath(listing.id)}"><img src="${toPhotoPath(listing.id, 1)}" alt="" loading="lazy"><strong>${formatPrice(listing)}</strong> ${escapeHtml(listing.title)}</a>`
  })
  return `<section class="in-related"><h2>Annunci simili</h2>${cards.join('\n')}</section>`
}
