/** The web pages of portal_h: small, with OpenGraph in the head and a list of facts in the body. */

import { formatSpanishPhone } from '../advertisers.ts'
import { escapeHtml } from '../html.ts'
import type { Condition, Feature, SimulatedListing } from '../listing.ts'
import { capitalize, formatCount, formatThousands } from '../spanish.ts'
import { operationWords, typeWords } from './query.ts'

const styles = `:root{--tinta:#1d1d2b;--acento:#c2410c;--linea:#e5e7eb}*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--tinta)}header,main,footer{max-width:64rem;margin:0 auto;padding:1rem}
.ficha-fotos{display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.25rem}.ficha-fotos img{width:100%;display:block}
.ficha-precio{font-size:1.75rem;font-weight:700;color:var(--acento)}.ficha-datos{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
.ficha-datos dt{color:#6b7280}.ficha-datos dd{margin:0}.ficha-extras{columns:2}.ficha-contacto{border:1px solid var(--linea);padding:1rem;border-radius:.5rem}
nav a{margin-right:1rem}.cookies{position:fixed;bottom:0;left:0;right:0;background:#fff;border-top:1px solid var(--linea);padding:.5rem 1rem}`

const pageScript = `(function(w,d){w.dataLayer=w.dataLayer||[];w.dataLayer.push({event:'pageview',path:location.pathname});
var b=d.querySelector('[data-alerta]');if(b)b.addEventListener('click',function(){fetch('/alertas/nueva',{method:'POST',body:new FormData(b.form)}).then(function(r){b.textContent=r.ok?'Alerta creada':'Inténtalo más tarde'})});
var c=d.querySelector('.cookies button');if(c)c.addEventListener('click',function(){d.cookie='consentimiento=si;path=/;max-age=15552000';c.parentNode.remove()});
})(window,document);`

const conditionWords: Record<Condition, string> = {
  new: 'Obra nueva',
  good: 'Buen estado',
  to_renovate: 'A reformar',
}

const featureWords: Record<Feature, string> = {
  lift: 'Con ascensor',
  terrace: 'Terraza',
  balcony: 'Balcón',
  parking: 'Plaza de garaje',
  pool: 'Piscina',
  garden: 'Jardín',
  air_conditioning: 'Aire acondicionado',
  storage_room: 'Trastero',
  fitted_wardrobes: 'Armarios empotrados',
  concierge: 'Conserje',
  exterior: 'Exterior',
  interior: 'Interior',
  top_floor: 'Última planta',
}

function renderPage(title: string, head: string, content: string): Buffer {
  return Buffer.from(`<!DOCTYPE html>
<html lang="es" prefix="og: https://ogp.me/ns#">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}<link rel="icon" href="/favicon.ico">
<style>${styles}</style>
<script async src="/estaticos/medicion.js"></script>
</head>
<body>
<header><a href="/"><b>Portal H</b></a><nav><a href="/venta/">Comprar</a><a href="/alquiler/">Alquilar</a><a href="/alertas/">Mis alertas</a><a href="/acceso/">Iniciar sesión</a></nav></header>
<main>${content}</main>
<footer><p>Portal H es un portal simulado: sus anuncios no existen.</p><nav><a href="/aviso-legal/">Aviso legal</a><a href="/privacidad/">Privacidad</a></nav></footer>
<div class="cookies">Usamos cookies propias y de terceros. <button>Aceptar</button></div>
<script>${pageScript}</script>
</body>
</html>
`)
}

export function renderMessagePage(title: string, text: string): Buffer {
  return renderPage(
    title,
    '<meta name="robots" content="noindex">\n',
    `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
  )
}

export function renderHomePage(): Buffer {
  return renderMessagePage(
    'Portal H: alertas de inmuebles',
    'Guarda tu búsqueda y recibe lo nuevo en tu lector.',
  )
}

export function renderLoginPage(): Buffer {
  return renderPage(
    'Inicia sesión | Portal H',
    '<meta name="robots" content="noindex">\n',
    `<h1>Inicia sesión</h1><p>Tus alertas te esperan.</p><form method="post" action="/acceso/">
<label>Correo <input name="correo" type="email"></label><label>Contraseña <input name="clave" type="password"></label><button>Entrar</button></form>`,
  )
}

export function renderListingPage(listing: SimulatedListing, origin: string): Buffer {
  const title = escapeHtml(listing.title)
  const price = `${formatThousands(listing.price)} €${listing.operation === 'rent' ? '/mes' : ''}`
  const photo = (number: number) => `${origin}/imagen/AL${listing.id}-${number}.png`
  const photos = Array.from({ length: listing.photoCount }, (_, index) => photo(index + 1))
  const paragraphs = listing.description.split('\n\n').map(text => `<p>${escapeHtml(text)}</p>`)
  const extras = listing.features.map(feature => `<li>${featureWords[feature]}</li>`)
  return renderPage(
    `${listing.title} · ${price} | Portal H`,
    `<link rel="canonical" href="${origin}/anuncio/AL${listing.id}/">
<meta property="og:type" content="product">
<meta property="og:site_name" content="Portal H">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${escapeHtml(listing.description.slice(0, 150).replaceAll('\n', ' '))}">
<meta property="og:url" content="${origin}/anuncio/AL${listing.id}/">
<meta property="og:image" content="${photo(1)}">
<meta property="product:price:amount" content="${listing.price}">
<meta property="product:price:currency" content="EUR">
<meta property="place:location:latitude" content="${listing.latitude}">
<meta property="place:location:longitude" content="${listing.longitude}">
`,
    `<h1>${title}</h1>
<div class="ficha-fotos">${photos.map(url => `<a href="${url}"><img src="${url}" alt="" loading="lazy"></a>`).join('\n')}</div>
<p class="ficha-precio">${price}</p>
<dl class="ficha-datos">${renderAttributes(listing)}</dl>
<ul class="ficha-extras">${extras.join('')}</ul>
<div class="ficha-texto">${paragraphs.join('\n')}</div>
${renderContact(listing)}`,
  )
}

function renderAttributes(listing: SimulatedListing): string {
  const { bedrooms, bathrooms, condition } = listing
  const rows: [string, string][] = [
    ['Operación', capitalize(operationWords[listing.operation])],
    ['Inmueble', capitalize(typeWords[listing.propertyType])],
    ['Superficie', `${formatThousands(listing.squareMeters)} m² construidos`],
    ['Dormitorios', bedrooms === null ? '' : formatCount(bedrooms, 'dormitorio', 'dormitorios')],
    ['Baños', bathrooms === null ? '' : formatCount(bathrooms, 'baño', 'baños')],
    ['Planta', formatFloor(listing.floor)],
    ['Estado', condition === null ? '' : conditionWords[condition]],
    ['Dirección', listing.address],
    ['Código postal', listing.postcode],
    ['Municipio', listing.city],
    ['Provincia', listing.province],
    ['Referencia', `AL${listing.id}`],
  ]
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('\n')
}

function formatFloor(floor: number | null): string {
  if (floor === null) return ''
  return floor > 0 ? `Planta ${floor}ª` : floor === 0 ? 'Planta baja' : 'Sótano'
}

function renderContact({ id, advertiser }: SimulatedListing): string {
  const kind = advertiser.type === 'private' ? 'Particular' : 'Profesional'
  return `<section class="ficha-contacto"><h2>Anunciante</h2><p><span class="tipo">${kind}</span> <strong>${escapeHtml(advertiser.name)}</strong></p>
<p>Llama al <a class="telefono" href="tel:${advertiser.phone}">${formatSpanishPhone(advertiser.phone)}</a> y di que lo viste en Portal H.</p>
<form method="post" action="/mensajes/AL${id}"><textarea name="mensaje"></textarea><button>Enviar</button></form>
<form><input type="hidden" name="anuncio" value="AL${id}"><button type="button" data-alerta>Avísame de anuncios parecidos</button></form></section>`
}
