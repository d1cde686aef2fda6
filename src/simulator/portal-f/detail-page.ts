// The page of one advert in portal_f: OpenGraph in its head, schema.org microdata in its elements, no script with data.
import type { Advert } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import type { World } from '../world.ts'
import { page } from './chrome.ts'
import {
  detailLines,
  featureLabels,
  italianPhone,
  listingPath,
  longDate,
  photoPath,
  priceText,
} from './words.ts'

export function renderDetailPage(world: World, origin: string, index: number): Buffer {
  const advert = world.advert(index)
  const title = escapeHtml(advert.title)
  const description = escapeHtml(advert.description.slice(0, 150).replaceAll('\n', ' '))
  return page(
    `<title>${title} | Portal F</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${origin}${listingPath(advert.id)}">
<meta property="og:type" content="product">
<meta property="og:site_name" content="Portal F">
<meta property="og:locale" content="it_IT">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${listingPath(advert.id)}">
<meta property="og:image" content="${origin}${photoPath(advert.id, 1)}">
<meta property="og:locality" content="${advert.city}">
<meta property="place:location:latitude" content="${advert.latitude}">
<meta property="place:location:longitude" content="${advert.longitude}">
<meta property="product:price:amount" content="${advert.price}">
<meta property="product:price:currency" content="EUR">
`,
    `<ol itemscope itemtype="https://schema.org/BreadcrumbList">
<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a itemprop="item" href="/"><span itemprop="name">Portal F</span></a><meta itemprop="position" content="1"></li>
<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><span itemprop="name">${advert.city}</span><meta itemprop="position" content="2"></li></ol>
<main class="in-main" itemscope itemtype="https://schema.org/Product">
<link itemprop="url" href="${origin}${listingPath(advert.id)}">
<h1 class="im-titleBlock__title" itemprop="name">${title}</h1>
<div class="im-gallery">${gallery(advert)}</div>
${offer(advert)}
<section class="im-features"><h2>Caratteristiche</h2><dl class="im-features__list">
${detailLines(advert)
  .map(
    ([label, value]) =>
      `<dt class="im-features__title">${label}</dt><dd class="im-features__value">${value}</dd>`,
  )
  .join('\n')}
</dl><ul class="im-tags">${featureLabels(advert)
      .map(label => `<li>${label}</li>`)
      .join('')}</ul></section>
<section><h2>Descrizione</h2><div class="im-description" itemprop="description">${escapeHtml(advert.description).replaceAll('\n', '<br>')}</div></section>
<p class="im-date">Annuncio pubblicato il ${longDate(advert.publishedAt.getTime())}</p>
${related(world, index)}
</main>`,
  )
}

function offer(advert: Advert): string {
  const { type, name, phone } = advert.advertiser
  const seller = type === 'private' ? 'Person' : 'RealEstateAgent'
  return `<div class="im-mainFeatures" itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<span class="im-mainFeatures__price" itemprop="price" content="${advert.price}">${priceText(advert)}</span><meta itemprop="priceCurrency" content="EUR">
<link itemprop="businessFunction" href="http://purl.org/goodrelations/v1#${advert.operation === 'sale' ? 'Sell' : 'LeaseOut'}">
<div class="im-location" itemprop="availableAtOrFrom" itemscope itemtype="https://schema.org/Place">
<p itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">${escapeHtml(advert.address)}</span>, <span itemprop="postalCode">${advert.postcode}</span> <span itemprop="addressLocality">${advert.city}</span> (<span itemprop="addressRegion">${advert.province}</span>)<meta itemprop="addressCountry" content="IT"></p>
<div itemprop="geo" itemscope itemtype="https://schema.org/GeoCoordinates"><meta itemprop="latitude" content="${advert.latitude}"><meta itemprop="longitude" content="${advert.longitude}"></div></div>
<div class="im-lead" itemprop="seller" itemscope itemtype="https://schema.org/${seller}"><strong itemprop="name">${escapeHtml(name)}</strong>
<a href="tel:${phone}" data-evento="telefono"><span itemprop="telephone">${italianPhone(phone)}</span></a>
<form method="post" action="/messaggio/"><input name="email" type="email" placeholder="La tua e-mail"><textarea name="testo"></textarea><button>Contatta</button></form></div>
</div>`
}

function gallery({ id, photoCount, title }: Advert): string {
  return Array.from(
    { length: photoCount },
    (_, at) =>
      `<img itemprop="image" src="${photoPath(id, at + 1)}" alt="${escapeHtml(title)}, foto ${at + 1}" width="400" height="300"${at > 0 ? ' loading="lazy"' : ''}>`,
  ).join('\n')
}

/** Other adverts of the same shelf, of which nothing is marked. */
function related(world: World, index: number): string {
  const others = world.shelfOf(index).filter(other => other !== index && !world.isWithdrawn(other))
  const cards = others.slice(0, 6).map(other => {
    const advert = world.advert(other)
    return `<a class="in-card" href="${listingPath(advert.id)}"><img src="${photoPath(advert.id, 1)}" alt="" loading="lazy"><strong>${priceText(advert)}</strong> ${escapeHtml(advert.title)}</a>`
  })
  return `<section class="in-related"><h2>Annunci simili</h2>${cards.join('\n')}</section>`
}
