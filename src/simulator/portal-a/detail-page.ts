// The page of one advert in portal_a: figures in schema.org data, condition, floor and features in the markup alone.
import type { Advert } from '../advert.ts'
import { spanishPhone } from '../advertisers.ts'
import { escapeHtml, scriptJson } from '../html.ts'
import { longDate, thousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { page } from './chrome.ts'
import {
  detailLines,
  energyText,
  listingPath,
  OPERATION_WORDS,
  PROPERTY_WORDS,
  photoPath,
  priceText,
  searchPath,
} from './words.ts'

const RELATED = 6
const PHOTO_SUBJECTS = ['Salón', 'Cocina', 'Dormitorio', 'Baño', 'Vistas', 'Fachada', 'Entrada', 'Detalle']

const SAFETY_TIPS = `<section class="tips margin-top-4"><h2>Consejos de seguridad</h2><ul>
<li>Desconfía de precios muy por debajo de los de la zona y de quien pida dinero antes de la visita.</li>
<li>No envíes copias de tu documentación por mensaje a personas que no conoces.</li>
<li>Comprueba en el Registro de la Propiedad quién es el titular antes de firmar unas arras.</li>
<li>Visita siempre el inmueble, de día a ser posible, y pregunta por los gastos de comunidad.</li>
</ul></section>`

export function renderDetailPage(world: World, origin: string, index: number): Buffer {
  const advert = world.advert(index)
  const title = escapeHtml(advert.title)
  const price = priceText(advert)
  const description = escapeHtml(advert.description.slice(0, 155).replaceAll('\n', ' '))
  return page(
    `<title>${title} — ${price} | Portal A</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${origin}${listingPath(advert.id)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Portal A">
<meta property="og:locale" content="es_ES">
<meta property="og:title" content="${title} — ${price}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${listingPath(advert.id)}">
<meta property="og:image" content="${origin}${photoPath(advert.id, 1)}">
<script type="application/ld+json">${scriptJson(structuredData(advert, origin))}</script>
`,
    `<main id="main-content" data-listing-id="${advert.id}">
${breadcrumb(advert)}
${gallery(advert)}
<h1 class="main-info__title">${title}</h1>
<p class="main-info__address">${escapeHtml(advert.address)}, ${advert.postcode} ${advert.city}</p>
<p class="info-data"><span class="info-data-price">${price}</span></p>
${pricePerSquareMeter(advert)}
<section class="comment"><h2>Comentario del anunciante</h2>${paragraphs(advert.description)}</section>
<section class="details"><h2>Características</h2><ul class="details-property">
${propertyItems(advert)}</ul></section>
${contact(advert)}
${advert.operation === 'sale' ? mortgage(advert) : ''}
<p class="stats-text">Anuncio actualizado el ${longDate(advert.updatedAt.getTime())}</p>
${SAFETY_TIPS}
${related(world, index)}
</main>`,
  )
}

function structuredData(advert: Advert, origin: string) {
  const url = origin + listingPath(advert.id)
  const isPrivate = advert.advertiser.type === 'private'
  const offer = {
    '@type': 'Offer',
    price: advert.price,
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
    businessFunction: `http://purl.org/goodrelations/v1#${advert.operation === 'sale' ? 'Sell' : 'LeaseOut'}`,
    offeredBy: {
      '@type': isPrivate ? 'Person' : 'RealEstateAgent',
      name: advert.advertiser.name,
      telephone: spanishPhone(advert.advertiser.phone),
    },
  }
  const listing = {
    '@type': 'RealEstateListing',
    '@id': url,
    url,
    name: advert.title,
    description: advert.description,
    datePosted: advert.publishedAt.toISOString(),
    dateModified: advert.updatedAt.toISOString(),
    inLanguage: 'es',
    image: Array.from({ length: advert.photoCount }, (_, photo) => origin + photoPath(advert.id, photo + 1)),
    mainEntity: { '@id': `${url}#inmueble` },
    offers: offer,
  }
  return {
    '@context': 'https://schema.org',
    '@graph': [listing, property(advert, url), trail(advert, origin)],
  }
}

function property(advert: Advert, url: string) {
  return {
    '@type': advert.propertyType === 'homes' ? 'Apartment' : 'Accommodation',
    '@id': `${url}#inmueble`,
    address: {
      '@type': 'PostalAddress',
      streetAddress: advert.address,
      addressLocality: advert.city,
      addressRegion: advert.province,
      postalCode: advert.postcode,
      addressCountry: 'ES',
    },
    geo: { '@type': 'GeoCoordinates', latitude: advert.latitude, longitude: advert.longitude },
    floorSize: { '@type': 'QuantitativeValue', value: advert.squareMeters, unitCode: 'MTK' },
    ...(advert.bedrooms === null
      ? {}
      : { numberOfRooms: advert.bedrooms, numberOfBedrooms: advert.bedrooms }),
    ...(advert.bathrooms === null ? {} : { numberOfBathroomsTotal: advert.bathrooms }),
  }
}

function trail(advert: Advert, origin: string) {
  const steps = [
    { name: 'Portal A', item: `${origin}/` },
    {
      name: searchName(advert),
      item: origin + searchPath(advert.operation, advert.propertyType, advert.citySlug),
    },
    { name: advert.neighbourhood },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, at) => ({ '@type': 'ListItem', position: at + 1, ...step })),
  }
}

function searchName({ operation, propertyType, city }: Advert): string {
  return `${PROPERTY_WORDS[propertyType].label} en ${OPERATION_WORDS[operation].label.toLowerCase()} en ${city}`
}

function breadcrumb(advert: Advert): string {
  const path = searchPath(advert.operation, advert.propertyType, advert.citySlug)
  return `<nav aria-label="Ruta"><ol class="breadcrumb"><li><a href="/">Portal A</a></li><li><a href="${path}">${searchName(advert)}</a></li><li>${escapeHtml(advert.neighbourhood)}</li></ol></nav>`
}

function gallery(advert: Advert): string {
  const photos = Array.from({ length: advert.photoCount }, (_, photo) => {
    const alt = `${PHOTO_SUBJECTS[photo % PHOTO_SUBJECTS.length]} — foto ${photo + 1} de ${advert.photoCount}`
    return `<figure class="gallery-photo"><img src="${photoPath(advert.id, photo + 1)}" alt="${alt}" width="400" height="300" loading="${photo < 4 ? 'eager' : 'lazy'}"><figcaption>${alt}</figcaption></figure>\n`
  })
  return `<section class="gallery" aria-label="Fotos">\n${photos.join('')}</section>`
}

function pricePerSquareMeter({ price, squareMeters, operation }: Advert): string {
  const value =
    operation === 'sale' ? thousands(Math.round(price / squareMeters)) : (price / squareMeters).toFixed(1)
  return `<p class="price-meter">${value.replace(/\.(\d)$/, ',$1')} €/m²</p>`
}

function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map(paragraph => `<p>${escapeHtml(paragraph)}</p>`)
    .join('')
}

function propertyItems(advert: Advert): string {
  const lines = detailLines(advert).map(line => `<li>${line}</li>\n`)
  if (advert.energy === null) return lines.join('')
  const label = `<span class="energy energy-${advert.energy.toLowerCase()}">${energyText(advert.energy)}</span>`
  return `${lines.join('')}<li>Certificado energético: ${label}</li>\n`
}

function contact({ id, advertiser }: Advert): string {
  const kind = advertiser.type === 'private' ? 'Particular' : 'Profesional'
  return `<aside class="contact"><h2>Contacta con el anunciante</h2>
<p class="advertiser-type">${kind}</p><p class="advertiser-name">${escapeHtml(advertiser.name)}</p>
<p><a class="phone" href="tel:${advertiser.phone}">${spanishPhone(advertiser.phone)}</a></p>
<form method="post" action="/private/contacto/${id}/"><label>Tu nombre <input name="nombre" autocomplete="name"></label>
<label>Tu teléfono <input name="telefono" type="tel"></label><label>Mensaje <textarea name="mensaje" rows="4">Hola, me interesa este inmueble y me gustaría hacer una visita.</textarea></label>
<label><input type="checkbox" name="acepto"> He leído y acepto la política de privacidad</label><button>Contactar</button></form></aside>`
}

function mortgage({ price }: Advert): string {
  return `<section class="tools margin-top-4"><h2>Calcula tu hipoteca</h2><form class="mortgage">
<label>Precio <input name="price" type="number" value="${price}"></label>
<label>Ahorro aportado <input name="saved" type="number" value="${Math.round(price * 0.2)}"></label>
<label>Plazo en años <input name="years" type="number" value="30"></label>
<label>Interés <input name="rate" type="number" step="0.05" value="2.9"></label><output></output></form></section>`
}

/** Others of the same kind and city; by title alone, so that a change of one advert leaves the pages of others as they are. */
function related(world: World, index: number): string {
  const shelf = world.shelfOf(index)
  const nearby = Array.from({ length: Math.min(RELATED + 1, shelf.length) }, (_, step) => {
    return shelf[(index * 31 + step) % shelf.length]!
  })
  const others = nearby.filter(other => other !== index).slice(0, RELATED)
  const cards = others.map(other => relatedCard(world.advert(other)))
  return `<section class="margin-top-4"><h2>Anuncios parecidos</h2><div class="related">\n${cards.join('')}</div></section>`
}

function relatedCard({ id, title }: Advert): string {
  return `<article class="related-item"><a href="${listingPath(id)}"><img src="${photoPath(id, 1)}" alt="" loading="lazy" width="400" height="300"><span>${escapeHtml(title)}</span></a></article>\n`
}
