// The page of one advert in portal_d: labels and values in plain elements; the telephone is a request away.
import type { Advert } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import type { World } from '../world.ts'
import { page } from './chrome.ts'
import { dateText } from './dates.ts'
import {
  detailLines,
  featureLabels,
  listingIdOf,
  OPERATION_LABELS,
  photoPath,
  portuguesePhone,
  priceText,
} from './words.ts'

/** `token` is what the portal wants to see again when it is asked for the telephone. */
export function renderDetailPage(world: World, index: number, token: string): Buffer {
  const advert = world.advert(index)
  const title = escapeHtml(advert.title)
  const lines = detailLines(advert).map(
    ([label, value]) =>
      `<div class="linha"><div class="rot">${label}:</div><div class="val">${value}</div></div>`,
  )
  return page(
    world.asOf,
    title,
    `<div class="ficha">
<h1 class="tit_lista">${title}</h1>
<div class="preco">${priceText(advert)}</div>
${gallery(advert)}
<div class="linha"><div class="rot">Negócio:</div><div class="val">${OPERATION_LABELS[advert.operation]}</div></div>
<div class="linha"><div class="rot">Morada:</div><div class="val morada">${escapeHtml(advert.address)}, ${advert.postcode} ${advert.city}</div></div>
<div class="linha"><div class="rot">Distrito:</div><div class="val distrito">${advert.province}</div></div>
${lines.join('\n')}
<div class="linha"><div class="rot">Publicado:</div><div class="val publicado">${dateText(advert.publishedAt.getTime(), world.asOf)}</div></div>
<a href="#" class="mapa" onclick="return abreMapa('${advert.latitude}','${advert.longitude}')">Ver no mapa</a>
<ul class="extras">${featureLabels(advert)
      .map(label => `<li>${label}</li>`)
      .join('')}</ul>
<div class="descricao">${escapeHtml(advert.description).replaceAll('\n', '<br>\n')}</div>
${contact(advert, token)}
</div>`,
  )
}

/** What the second request answers. */
export function renderPhone(advert: Advert): Buffer {
  return Buffer.from(`<span class="telefone">${portuguesePhone(advert.advertiser.phone)}</span>`)
}

function gallery({ id, photoCount }: Advert): string {
  const small = Array.from({ length: photoCount }, (_, at) => {
    const path = photoPath(id, at + 1)
    return `<a href="${path}" onclick="return trocaFoto('${path}')"><img class="mini" src="${path}" width="60" height="45" alt="Foto ${at + 1}"></a>`
  })
  return `<div class="fotos"><img id="grande" src="${photoPath(id, 1)}" width="400" height="300" alt="">${small.join('\n')}</div>`
}

function contact({ id, advertiser }: Advert, token: string): string {
  const type = advertiser.type === 'private' ? 'Particular' : 'Agência imobiliária'
  const hidden = `${portuguesePhone(advertiser.phone).slice(0, 2)}* *** ***`
  return `<div class="contacto"><b>Contacto</b><br>
<span class="tipo">${type}</span>: <span class="nome">${escapeHtml(advertiser.name)}</span><br>
<form name="ftel" action="/ajax/telefone" method="post" onsubmit="return verTelefone(this)">
<input type="hidden" name="id" value="${listingIdOf(id)}"><input type="hidden" name="token" value="${token}">
Telefone: <span id="tel">${hidden}</span> <input type="submit" value="Ver telefone"></form>
<form name="fmsg" action="/mensagem.asp" method="post"><input type="hidden" name="id" value="${listingIdOf(id)}">
Nome: <input name="nome"> E-mail: <input name="email"> <textarea name="texto" rows="4" cols="40"></textarea><input type="submit" value="Enviar"></form></div>`
}
