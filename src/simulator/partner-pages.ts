// The few pages that people see of a portal whose adverts are read through an interface for programs.
import type { Advert } from './advert.ts'
import { escapeHtml } from './html.ts'
import { longDate, thousands } from './spanish.ts'

/** The page to which an advert's address leads. */
export function advertPage(portalName: string, advert: Advert): Buffer {
  const { price, operation, squareMeters, publishedAt } = advert
  return pageOf(
    `${advert.title} | ${portalName}`,
    `<h1>${escapeHtml(advert.title)}</h1>
<p class="price">${thousands(price)} €${operation === 'rent' ? '/mes' : ''} · ${thousands(squareMeters)} m²</p>
${advert.description
  .split('\n\n')
  .map(paragraph => `<p>${escapeHtml(paragraph)}</p>`)
  .join('\n')}
<p>Publicado el ${longDate(publishedAt.getTime())} por ${escapeHtml(advert.advertiser.name)}</p>`,
  )
}

/** Where partners sign in. */
export function partnerLoginPage(portalName: string): Buffer {
  return pageOf(
    `Acceso para socios | ${portalName}`,
    `<h1>Inicia sesión</h1><form method="post" action="/acceso/">
<label>Usuario <input name="usuario" autocomplete="username"></label>
<label>Contraseña <input name="clave" type="password"></label><button>Entrar</button></form>`,
  )
}

function pageOf(title: string, main: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="es"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><main>${main}</main></body></html>
`)
}
