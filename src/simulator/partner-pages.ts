/** The few web pages of portals that are read through a feed or an API. */

import { escapeHtml } from './html.ts'
import type { SimulatedListing } from './listing.ts'
import { formatLongDate, formatThousands } from './spanish.ts'

/** The page at the address of a listing. */
export function renderListingPage(portalName: string, listing: SimulatedListing): Buffer {
  const { price, operation, squareMeters, publishedAt } = listing
  return renderPage(
    `${listing.title} | ${portalName}`,
    `<h1>${escapeHtml(listing.title)}</h1>
<p class="price">${formatThousands(price)} €${operation === 'rent' ? '/mes' : ''} · ${formatThousands(squareMeters)} m²</p>
${listing.description
  .split('\n\n')
  .map(paragraph => `<p>${escapeHtml(paragraph)}</p>`)
  .join('\n')}
<p>Publicado el ${formatLongDate(publishedAt.getTime())} por ${escapeHtml(listing.advertiser.name)}</p>`,
  )
}

/** The sign-in page of partners. */
export function renderPartnerLoginPage(portalName: string): Buffer {
  return renderPage(
    `Acceso para socios | ${portalName}`,
    `<h1>Inicia sesión</h1><form method="post" action="/acceso/">
<label>Usuario <input name="usuario" autocomplete="username"></label>
<label>Contraseña <input name="clave" type="password"></label><button>Entrar</button></form>`,
  )
}

function renderPage(title: string, main: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="es"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><main>${main}</main></body></html>
`)
}
