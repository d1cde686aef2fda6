/** Renders a sheet as one HTML page, without scripts and files of other servers. */
import { createHash } from 'node:crypto'
import type { Fact } from '../../../documents/blocks.ts'
import { parseLogo } from '../../../documents/logo.ts'
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { createPalette } from '../../../documents/palette.ts'
import { drawQr } from '../../../documents/qr.ts'
import { type SheetContent, toContent } from './content.ts'
import { toImages, toJsonLd } from './json-ld.ts'
import { renderGallery, renderHero, toDataUrl } from './photo-html.ts'
import type { Sheet } from './sheet.ts'
import { createSheetStyle } from './style.ts'

export interface SheetHtmlOptions {
  /** The path of the PDF, for a link. */
  pdfPath?: string
  /** The absolute URL of the page, for messengers and search engines. */
  canonicalUrl?: string
}

/** Returns an HTML page. Serve it with `createSheetPolicy`. */
export function renderSheetHtml(sheet: Sheet, { pdfPath, canonicalUrl }: SheetHtmlOptions = {}): string {
  const content = toContent(sheet, toPrintable)
  const { title, kicker, place, letterhead } = content
  const plain = sheet.photos.length === 0 ? ' plain' : ''
  return `<!doctype html>
<html lang="${content.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeMarkup([title, letterhead.agency].filter(part => part).join(' · '))}</title>
${renderPreviewTags(sheet, content, canonicalUrl ?? null)}
<style>${createSheetStyle(createPalette(sheet.branding.color))}</style>
<script type="application/ld+json">${toJsonLd(sheet, content, canonicalUrl ?? null)}</script>
</head>
<body class="${sheet.layout}">
${renderWarnings(sheet, content)}${renderLetterhead(sheet, content)}
<main>
${renderHero(sheet, content)}
<div class="head${plain}">
<div>
${kicker === '' ? '' : `<p class="kicker">${escapeMarkup(kicker)}</p>\n`}<h1><bdi>${escapeMarkup(title)}</bdi></h1>
${place.length === 0 ? '' : `<p class="place">${place.map(part => `<bdi>${escapeMarkup(part)}</bdi>`).join(', ')}</p>`}
</div>
<p class="price"><strong>${escapeMarkup(content.price)}</strong>${content.perSquareMeter === null ? '' : `<span>${escapeMarkup(content.perSquareMeter)}</span>`}</p>
</div>
${content.highlights.length === 0 ? '' : `<dl class="highlights">${content.highlights.map(renderFact).join('')}</dl>`}
<div class="columns">
<div class="story">
${renderStory(content)}
</div>
<aside>
${[renderContact(sheet, content, pdfPath), renderEnergy(content), renderMap(sheet, content)].filter(part => part !== '').join('\n')}
</aside>
</div>
${renderGallery(sheet, content)}
</main>
${renderFooter(content)}
</body>
</html>
`
}

/**
 * Returns the `Content-Security-Policy` of the page: its own style, embedded images and fonts, and photos of the same
 * server.
 */
export function createSheetPolicy({ branding: { color } }: Pick<Sheet, 'branding'>): string {
  const hash = createHash('sha256')
    .update(createSheetStyle(createPalette(color)))
    .digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/** The tags that messengers read for the preview of a link. */
function renderPreviewTags(sheet: Sheet, content: SheetContent, canonicalUrl: string | null): string {
  const description = [
    content.price,
    ...content.highlights.map(({ label, value }) => `${label}: ${value}`),
  ].join(' · ')
  const tags: [string, string | null][] = [
    ['og:type', 'website'],
    ['og:title', content.title],
    ['og:description', description],
    ['og:site_name', content.letterhead.agency],
    ['og:url', canonicalUrl],
    ['og:image', toImages(sheet, canonicalUrl)?.[0] ?? null],
  ]
  return [
    `<meta name="description" content="${escapeMarkup(description)}">`,
    ...tags.flatMap(([property, text]) =>
      text === null ? [] : [`<meta property="${property}" content="${escapeMarkup(text)}">`],
    ),
  ].join('\n')
}

function renderWarnings({ warnings }: Sheet, { words }: SheetContent): string {
  if (warnings.length === 0) return ''
  const items = warnings.map(
    ({ code, severity, law }) =>
      `<li><strong>${escapeMarkup(words.severity[severity])}</strong> ${escapeMarkup(words.missing[code])}${law ? ` <cite>${escapeMarkup(law.title)}</cite>` : ''}</li>`,
  )
  return `<section class="warnings" aria-label="${escapeMarkup(words.warnings)}"><p>${escapeMarkup(words.warnings)}</p><ul>${items.join('')}</ul></section>\n`
}

function renderLetterhead({ branding }: Sheet, { letterhead: { agency, contacts } }: SheetContent): string {
  const logo = parseLogo(branding.logo)
  const type = { png: 'image/png', jpeg: 'image/jpeg', svg: 'image/svg+xml' }
  const name = logo
    ? `<img src="${toDataUrl(logo.bytes, type[logo.format])}" alt="${escapeMarkup(agency ?? '')}">`
    : `<p class="agency"><bdi>${escapeMarkup(agency ?? '')}</bdi></p>`
  const spans = contacts.map(text => `<span>${escapeMarkup(text)}</span>`).join('')
  return `<header>${name}<p class="contacts">${spans}</p></header>`
}

function renderStory({ words, paragraphs, details, features }: SheetContent): string {
  const parts = [
    paragraphs.length > 0 &&
      `<section><h2>${escapeMarkup(words.description)}</h2>\n${paragraphs.map(text => `<p dir="auto">${escapeMarkup(text)}</p>`).join('\n')}</section>`,
    details.length > 0 &&
      `<section><h2>${escapeMarkup(words.details)}</h2><dl class="details">${details.map(renderFact).join('')}</dl></section>`,
    features.length > 0 &&
      `<section><h2>${escapeMarkup(words.facts.amenities)}</h2><ul class="features">${features.map(name => `<li>${escapeMarkup(name)}</li>`).join('')}</ul></section>`,
  ]
  return parts.filter(part => part).join('\n')
}

function renderFact({ label, value }: Fact): string {
  return `<div><dt>${escapeMarkup(label)}</dt><dd><bdi>${escapeMarkup(value)}</bdi></dd></div>`
}

function renderContact(sheet: Sheet, { words, contact }: SheetContent, pdfPath?: string): string {
  const { name, agency, licence, phone, email } = contact
  const photo = sheet.agent?.photo
    ? `<img src="${toDataUrl(sheet.agent.photo, 'image/jpeg')}" alt="" width="96" height="96">`
    : ''
  const names = [
    name && `<p class="name"><bdi>${escapeMarkup(name)}</bdi></p>`,
    agency && `<p><bdi>${escapeMarkup(agency)}</bdi></p>`,
    licence && `<p>${escapeMarkup(words.licence)} ${escapeMarkup(licence)}</p>`,
  ].filter(line => line)
  const links = [
    phone && `<p><a href="tel:${escapeMarkup(phone.replace(/[^\d+]/g, ''))}">${escapeMarkup(phone)}</a></p>`,
    email && `<p><a href="mailto:${escapeMarkup(encodeURI(email))}">${escapeMarkup(email)}</a></p>`,
  ].filter(line => line)
  const qr = sheet.shareUrl === null ? null : drawQr(sheet.shareUrl, words.viewOnline)
  const parts = [
    names.length > 0 && `<div class="card">${photo}<div>${names.join('')}</div></div>`,
    links.length > 0 && `<div class="links">${links.join('')}</div>`,
    pdfPath !== undefined && `<p><a class="button" href="${escapeMarkup(pdfPath)}">PDF</a></p>`,
    qr && `<figure class="qr">${qr}<figcaption>${escapeMarkup(words.viewOnline)}</figcaption></figure>`,
  ].filter(part => part)
  if (parts.length === 0) return ''
  return `<section class="contact"><h2>${escapeMarkup(words.contact)}</h2>\n${parts.join('\n')}</section>`
}

function renderEnergy({ words, energy }: SheetContent): string {
  if (!energy) return ''
  const label = energy.svg ?? `<p>${escapeMarkup(energy.text)}</p>`
  return `<section class="energy"><h2>${escapeMarkup(words.energy.heading)}</h2>${label}</section>`
}

function renderMap({ map }: Sheet, { words }: SheetContent): string {
  if (!map) return ''
  const heading = map.isApproximate ? words.approximateLocation : words.location
  return `<section class="map"><h2>${escapeMarkup(heading)}</h2>${map.svg}</section>`
}

function renderFooter({ legalText, issued }: SheetContent): string {
  const legal = legalText === null ? '' : `<p>${escapeMarkup(legalText)}</p>`
  return `<footer>${legal}<p>${escapeMarkup(issued)}</p></footer>`
}
