/** The detail page of portal_a: most facts in schema.org data; condition, floor and features only in the markup. */

import { formatSpanishPhone } from '../advertisers.ts'
import { escapeHtml, toScriptJson } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import { formatLongDate, formatThousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { renderPage } from './layout.ts'
import {
  formatEnergy,
  formatPrice,
  listDetailLines,
  operationWords,
  propertyWords,
  toListingPath,
  toPhotoPath,
  toSearchPath,
} from './words.ts'

const relatedMax = 6
const photoSubjects = ['Salón', 'Cocina', 'Dormitorio', 'Baño', 'Vistas', 'Fachada', 'Entrada', 'Detalle']

const safetyTips = `<section class="tips margin-top-4"><h2>Consejos de seguridad</h2><ul>
<li>Desconfía de precios muy por debajo de los de la zona y de quien pida dinero antes de la visita.</li>
<li>No envíes copias de tu documentación por mensaje a personas que no conoces.</li>
<li>Comprueba en el Registro de la Propiedad quién es el titular antes de firmar unas arras.</li>
<li>Visita siempre el inmueble, de día a ser posible, y pregunta por los gastos de comunidad.</li>
</ul></section>`

export function renderDetailPage(world: World, origin: string, index: number): Buffer {
  const listing = world.listing(index)
  const title = escapeHtml(listing.title)
  const price = formatPrice(listing)
  const description = escapeHtml(listing.description.slice(0, 155).replaceAll('\n', ' '))
  return renderPage(
    `<title>${title} — ${price} | Portal A</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${origin}${toListingPath(listing.id)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Portal A">
<meta property="og:locale" content="es_ES">
<meta property="og:title" content="${title} — ${price}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${toListingPath(listing.id)}">
<meta property="og:image" content="${origin}${toPhotoPath(listing.id, 1)}">
<script type="application/ld+json">${toScriptJson(buildStructuredData(listing, origin))}</script>
`,
    `<main id="main-content" data-listing-id="${listing.id}">
${renderBreadcrumb(listing)}
${renderGallery(listing)}
<h1 class="main-info__title">${title}</h1>
<p class="main-info__address">${escapeHtml(listing.address)}, ${listing.postcode} ${listing.city}</p>
<p class="info-data"><span class="info-data-price">${price}</span></p>
${renderPricePerSquareMeter(listing)}
<section class="comment"><h2>Comentario del anunciante</h2>${renderParagraphs(listing.description)}</section>
<section class="details"><h2>Características</h2><ul class="details-property">
${renderDetails(listing)}</ul></section>
${renderContact(listing)}
${listing.operation === 'sale' ? renderMortgage(listing) : ''}
<p class="stats-text">Anuncio actualizado el ${formatLongDate(listing.updatedAt.getTime())}</p>
${safetyTips}
${renderSimilar(world, index)}
</main>`,
  )
}

function buildStructuredData(listing: SimulatedListing, origin: string) {
  const url = origin + toListingPath(listing.id)
  const isPrivate = listing.advertiser.type === 'private'
  const offer = {
    '@type': 'Offer',
    price: listing.price,
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
    businessFunction: `http://purl.org/goodrelations/v1#${listing.operation === 'sale' ? 'Sell' : 'LeaseOut'}`,
    offeredBy: {
      '@type': isPrivate ? 'Person' : 'RealEstateAgent',
      name: listing.advertiser.name,
      telephone: formatSpanishPhone(listing.advertiser.phone),
    },
  }
  const listingNode = {
    '@type': 'RealEstateListing',
    '@id': url,
    url,
    name: listing.title,
    description: listing.description,
    datePosted: listing.publishedAt.toISOString(),
    dateModified: listing.updatedAt.toISOString(),
    inLanguage: 'es',
    image: Array.from(
      { length: listing.photoCount },
      (_, photo) => origin + toPhotoPath(listing.id, photo + 1),
    ),
    mainEntity: { '@id': `${url}#inmueble` },
    offers: offer,
  }
  return {
    '@context': 'https://schema.org',
    '@graph': [listingNode, buildProperty(listing, url), buildBreadcrumbList(listing, origin)],
  }
}

function buildProperty(listing: SimulatedListing, url: string) {
  return {
    '@type': listing.propertyType === 'homes' ? 'Apartment' : 'Accommodation',
    '@id': `${url}#inmueble`,
    address: {
      '@type': 'PostalAddress',
      streetAddress: listing.address,
      addressLocality: listing.city,
      addressRegion: listing.province,
      postalCode: listing.postcode,
      addressCountry: 'ES',
    },
    geo: { '@type': 'GeoCoordinates', latitude: listing.latitude, longitude: listing.longitude },
    floorSize: { '@type': 'QuantitativeValue', value: listing.squareMeters, unitCode: 'MTK' },
    ...(listing.bedrooms === null
      ? {}
      : { numberOfRooms: listing.bedrooms, numberOfBedrooms: listing.bedrooms }),
    ...(listing.bathrooms === null ? {} : { numberOfBathroomsTotal: listing.bathrooms }),
  }
}

function buildBreadcrumbList(listing: SimulatedListing, origin: string) {
  const steps = [
    { name: 'Portal A', item: `${origin}/` },
    {
      name: formatSearchName(listing),
      item: origin + toSearchPath(listing.operation, listing.propertyType, listing.citySlug),
    },
    { name: listing.neighbourhood },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, at) => ({ '@type': 'ListItem', position: at + 1, ...step })),
  }
}

function formatSearchName({ operation, propertyType, city }: SimulatedListing): string {
  return `${propertyWords[propertyType].label} en ${operationWords[operation].label.toLowerCase()} en ${city}`
}

function renderBreadcrumb(listing: SimulatedListing): string {
  const path = toSearchPath(listing.operation, listing.propertyType, listing.citySlug)
  return `<nav aria-label="Ruta"><ol class="breadcrumb"><li><a href="/">Portal A</a></li><li><a href="${path}">${formatSearchName(listing)}</a></li><li>${escapeHtml(listing.neighbourhood)}</li></ol></nav>`
}

function renderGallery(listing: SimulatedListing): string {
  const photos = Array.from({ length: listing.photoCount }, (_, photo) => {
    const alt = `${photoSubjects[photo % photoSubjects.length]} — foto ${photo + 1} de ${listing.photoCount}`
    return `<figure class="gallery-photo"><img src="${toPhotoPath(listing.id, photo + 1)}" alt="${alt}" width="400" height="300" loading="${photo < 4 ? 'eager' : 'lazy'}"><figcaption>${alt}</figcaption></figure>\n`
  })
  return `<section class="gallery" aria-label="Fotos">\n${photos.join('')}</section>`
}

function renderPricePerSquareMeter({ price, squareMeters, operation }: SimulatedListing): string {
  const value =
    operation === 'sale'
      ? formatThousands(Math.round(price / squareMeters))
      : (price / squareMeters).toFixed(1)
  return `<p class="price-meter">${value.replace(/\.(\d)$/, ',$1')} €/m²</p>`
}

function renderParagraphs(text: string): string {
  return text
    .split('\n\n')
    .map(paragraph => `<p>${escapeHtml(paragraph)}</p>`)
    .join('')
}

function renderDetails(listing: SimulatedListing): string {
  const lines = listDetailLines(listing).map(line => `<li>${line}</li>\n`)
  if (listing.energy === null) return lines.join('')
  const label = `<span class="energy energy-${listing.energy.toLowerCase()}">${formatEnergy(listing.energy)}</span>`
  return `${lines.join('')}<li>Certificado energético: ${label}</li>\n`
}

function renderContact({ id, advertiser }: SimulatedListing): string {
  const kind = advertiser.type === 'private' ? 'Particular' : 'Profesional'
  return `<aside class="contact"><h2>Contacta con el anunciante</h2>
<p class="advertiser-type">${kind}</p><p class="advertiser-name">${escapeHtml(advertiser.name)}</p>
<p><a class="phone" href="tel:${advertiser.phone}">${formatSpanishPhone(advertiser.phone)}</a></p>
<form method="post" action="/private/contacto/${id}/"><label>Tu nombre <input name="nombre" autocomplete="name"></label>
<label>Tu teléfono <input name="telefono" type="tel"></label><label>Mensaje <textarea name="mensaje" rows="4">Hola, me interesa este inmueble y me gustaría hacer una visita.</textarea></label>
<label><input type="checkbox" name="acepto"> He leído y acepto la política de privacidad</label><button>Contactar</button></form></aside>`
}

function renderMortgage({ price }: SimulatedListing): string {
  return `<section class="tools margin-top-4"><h2>Calcula tu hipoteca</h2><form class="mortgage">
<label>Precio <input name="price" type="number" value="${price}"></label>
<label>Ahorro aportado <input name="saved" type="number" value="${Math.round(price * 0.2)}"></label>
<label>Plazo en años <input name="years" type="number" value="30"></label>
<label>Interés <input name="rate" type="number" step="0.05" value="2.9"></label><output></output></form></section>`
}

/** Listings of the same type and city, by title only, so that a change of one listing does not alter other pages. */
function renderSimilar(world: World, index: number): string {
  const group = world.getGroup(index)
  const nearby = Array.from({ length: Math.min(relatedMax + 1, group.length) }, (_, step) => {
    return group[(index * 31 + step) % group.length]!
  })
  const otherListings = nearby.filter(other => other !== index).slice(0, relatedMax)
  const cards = otherListings.map(other => renderSimilarCard(world.listing(other)))
  return `<section class="margin-top-4"><h2>Anuncios parecidos</h2><div class="related">\n${cards.join('')}</div></section>`
}

function renderSimilarCard({ id, title }: SimulatedListing): string {
  return `<article class="related-item"><a href="${toListingPath(id)}"><img src="${toPhotoPath(id, 1)}" alt="" loading="lazy" width="400" height="300"><span>${escapeHtml(title)}</span></a></article>\n`
}
