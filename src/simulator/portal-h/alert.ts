/** An alert of portal_h: an Atom feed of the newest listings of a search, fifty to a page and four pages at most. */

import { escapeHtml } from '../html.ts'
import type { SimulatedListing } from '../listing.ts'
import type { Variant } from '../portal.ts'
import type { Search } from '../search.ts'
import { formatCount, formatThousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { operationWords, typeWords } from './query.ts'

const entriesPerPage = 50
const pagesMax = 4
const excerptLength = 220

export interface Alert {
  search: Search
  /** From 1. */
  page: number
  query: URLSearchParams
  variant: Variant
}

export function renderAlert(world: World, origin: string, { search, page, query, variant }: Alert): Buffer {
  const found = world.select(search)
  const pages = Math.min(Math.ceil(found.length / entriesPerPage), pagesMax)
  const first = variant === 'loop' ? 0 : (page - 1) * entriesPerPage
  const end = Math.min(first + entriesPerPage, pagesMax * entriesPerPage)
  const shown = variant === 'empty' ? [] : found.slice(first, end)
  const toAlertUrl = (number: number) => toPageUrl(origin, query, number)
  const updated = new Date(world.asOf + world.revision() * 1000).toISOString()
  const next =
    page < pages || variant === 'loop'
      ? `<link rel="next" type="application/atom+xml" href="${toAlertUrl(page + 1)}"/>`
      : ''
  const xml = `<?xml version="1.0" encoding="utf-8"?>
<?xml-stylesheet type="text/xsl" href="/alertas.xsl"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xml:lang="es-ES">
<id>${toAlertUrl(1)}</id>
<title>Portal H: novedades de tu búsqueda</title>
<subtitle type="html">Los anuncios m&amp;aacute;s recientes &lt;b&gt;primero&lt;/b&gt;</subtitle>
<updated>${updated}</updated>
<generator uri="${origin}/" version="4.2">Alertas de Portal H</generator>
<rights>© Portal H. Uso personal.</rights>
<link rel="self" type="application/atom+xml" href="${toAlertUrl(page)}"/>
${next}
<opensearch:totalResults>${found.length}</opensearch:totalResults>
<opensearch:itemsPerPage>${entriesPerPage}</opensearch:itemsPerPage>
${shown.map(index => renderEntry(world.listing(index), origin)).join('')}</feed>
`
  return Buffer.from(variant === 'layout' ? redesign(xml) : xml)
}

function toPageUrl(origin: string, query: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('pag')
  if (page > 1) parameters.set('pag', String(page))
  return escapeHtml(`${origin}/alertas.atom?${parameters}`)
}

function renderEntry(listing: SimulatedListing, origin: string): string {
  const path = `/anuncio/AL${listing.id}/`
  const { type, name } = listing.advertiser
  return `<entry>
<id>tag:portal-h.example,${listing.publishedAt.toISOString().slice(0, 10)}:anuncio/AL${listing.id}</id>
<title type="text">${escapeHtml(listing.title)}</title>
<link rel="alternate" type="text/html" href="${origin}${path}"/>
<link rel="enclosure" type="image/png" href="${origin}/imagen/AL${listing.id}-1.png"/>
<published>${formatMadridTime(listing.publishedAt)}</published>
<updated>${formatMadridTime(listing.updatedAt)}</updated>
<author><name>${type === 'private' ? 'Particular' : escapeHtml(name)}</name></author>
<category scheme="${origin}/vocabulario/operacion" term="${operationWords[listing.operation]}"/>
<category scheme="${origin}/vocabulario/tipo" term="${typeWords[listing.propertyType]}"/>
<category scheme="${origin}/vocabulario/municipio" term="${listing.city}"/>
<georss:point>${listing.latitude} ${listing.longitude}</georss:point>
<summary type="html">${escapeHtml(formatSummary(listing, `${origin}${path}`))}</summary>
</entry>
`
}

/** `2026-10-20T04:47:00+02:00`. */
function formatMadridTime(date: Date): string {
  const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('Europe/Madrid')
  return local.toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

function formatSummary(listing: SimulatedListing, url: string): string {
  const price = `${formatThousands(listing.price)}&nbsp;€${listing.operation === 'rent' ? '/mes' : ''}`
  const attributesText = [`${formatThousands(listing.squareMeters)} m²`]
  if (listing.bedrooms !== null)
    attributesText.push(formatCount(listing.bedrooms, 'dormitorio', 'dormitorios'))
  if (listing.bathrooms !== null) attributesText.push(formatCount(listing.bathrooms, 'baño', 'baños'))
  const text = listing.description.replaceAll('\n\n', ' ')
  const excerpt =
    text.length > excerptLength ? `${text.slice(0, text.lastIndexOf(' ', excerptLength))}…` : text
  return `<p><strong>${price}</strong></p><p>${attributesText.join(' &middot; ')}</p><p>${escapeHtml(excerpt)}</p><p><a href="${url}">Ver el anuncio</a></p>`
}

/** The same listings with other element names. */
function redesign(xml: string): string {
  return xml.replace(/<(\/?)(entry|title|link|summary|category)\b/g, '<$1r7:$2-v2')
}
