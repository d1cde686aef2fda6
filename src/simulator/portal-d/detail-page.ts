/** The detail page of portal_d: labels and values in plain HTML; the phone needs a second request. */

import { escapeHtml } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import type { World } from '../world.ts'
import { formatDate } from './dates.ts'
import { renderPage } from './layout.ts'
import {
  formatPortuguesePhone,
  formatPrice,
  listDetailLines,
  operationLabels,
  toFeatureLabels,
  toListingId,
  toPhotoPath,
} from './words.ts'

/** `token` is required by the request for the phone. */
export function renderDetailPage(world: World, index: number, token: string): Buffer {
  const listing = world.listing(index)
  const title = escapeHtml(listing.title)
  const lines = listDetailLines(listing).map(
    ([label, value]) =>
      `<div class="linha"><div class="rot">${label}:</div><div class="val">${value}</div></div>`,
  )
  return renderPage(
    world.asOf,
    title,
    `<div class="ficha">
<h1 class="tit_lista">${title}</h1>
<div class="preco">${formatPrice(listing)}</div>
${renderGallery(listing)}
<div class="linha"><div class="rot">Negócio:</div><div class="val">${operationLabels[listing.operation]}</div></div>
<div class="linha"><div class="rot">Morada:</div><div class="val morada">${escapeHtml(listing.address)}, ${listing.postcode} ${listing.city}</div></div>
<div class="linha"><div class="rot">Distrito:</div><div class="val distrito">${listing.province}</div></div>
${lines.join('\n')}
<div class="linha"><div class="rot">Publicado:</div><div class="val publicado">${formatDate(listing.publishedAt.getTime(), world.asOf)}</div></div>
<a href="#" class="mapa" onclick="return abreMapa('${listing.latitude}','${listing.longitude}')">Ver no mapa</a>
<ul class="extras">${toFeatureLabels(listing)
      .map(label => `<li>${label}</li>`)
      .join('')}</ul>
<div class="descricao">${escapeHtml(listing.description).replaceAll('\n', '<br>\n')}</div>
${renderContact(listing, token)}
</div>`,
  )
}

/** The reply of the second request. */
export function renderPhone(listing: SimulatedListing): Buffer {
  return Buffer.from(`<span class="telefone">${formatPortuguesePhone(listing.advertiser.phone)}</span>`)
}

function renderGallery({ id, photoCount }: SimulatedListing): string {
  const small = Array.from({ length: photoCount }, (_, position) => {
    const path = toPhotoPath(id, position + 1)
    return `<a href="${path}" onclick="return trocaFoto('${path}')"><img class="mini" src="${path}" width="60" height="45" alt="Foto ${position + 1}"></a>`
  })
  return `<div class="fotos"><img id="grande" src="${toPhotoPath(id, 1)}" width="400" height="300" alt="">${small.join('\n')}</div>`
}

function renderContact({ id, advertiser }: SimulatedListing, token: string): string {
  const type = advertiser.type === 'private' ? 'Particular' : 'Agência imobiliária'
  const hidden = `${formatPortuguesePhone(advertiser.phone).slice(0, 2)}* *** ***`
  return `<div class="contacto"><b>Contacto</b><br>
<span class="tipo">${type}</span>: <span class="nome">${escapeHtml(advertiser.name)}</span><br>
<form name="ftel" action="/ajax/telefone" method="post" onsubmit="return verTelefone(this)">
<input type="hidden" name="id" value="${toListingId(id)}"><input type="hidden" name="token" value="${token}">
Telefone: <span id="tel">${hidden}</span> <input type="submit" value="Ver telefone"></form>
<form name="fmsg" action="/mensagem.asp" method="post"><input type="hidden" name="id" value="${toListingId(id)}">
Nome: <input name="nome"> E-mail: <input name="email"> <textarea name="texto" rows="4" cols="40"></textarea><input type="submit" value="Enviar"></form></div>`
}
