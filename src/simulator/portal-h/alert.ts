// An alert of portal_h: an Atom feed of the newest adverts of a search, fifty to a page and four pages at most.
import type { Advert } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import type { Variant } from '../portal.ts'
import type { Search } from '../search.ts'
import { counted, thousands } from '../spanish.ts'
import type { World } from '../world.ts'
import { OPERATION_WORDS, TYPE_WORDS } from './query.ts'

const ENTRIES_PER_PAGE = 50
const MAX_PAGES = 4
const EXCERPT_LENGTH = 220

export interface Alert {
  search: Search
  /** From 1. */
  page: number
  query: URLSearchParams
  variant: Variant
}

export function renderAlert(world: World, origin: string, { search, page, query, variant }: Alert): Buffer {
  const found = world.select(search)
  const pages = Math.min(Math.ceil(found.length / ENTRIES_PER_PAGE), MAX_PAGES)
  const first = variant === 'loop' ? 0 : (page - 1) * ENTRIES_PER_PAGE
  const end = Math.min(first + ENTRIES_PER_PAGE, MAX_PAGES * ENTRIES_PER_PAGE)
  const shown = variant === 'empty' ? [] : found.slice(first, end)
  const address = (number: number) => pageAddress(origin, query, number)
  const updated = new Date(world.asOf + world.revision() * 1000).toISOString()
  const next =
    page < pages || variant === 'loop'
      ? `<link rel="next" type="application/atom+xml" href="${address(page + 1)}"/>`
      : ''
  const xml = `<?xml version="1.0" encoding="utf-8"?>
<?xml-stylesheet type="text/xsl" href="/alertas.xsl"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xml:lang="es-ES">
<id>${address(1)}</id>
<title>Portal H: novedades de tu búsqueda</title>
<subtitle type="html">Los anuncios m&amp;aacute;s recientes &lt;b&gt;primero&lt;/b&gt;</subtitle>
<updated>${updated}</updated>
<generator uri="${origin}/" version="4.2">Alertas de Portal H</generator>
<rights>© Portal H. Uso personal.</rights>
<link rel="self" type="application/atom+xml" href="${address(page)}"/>
${next}
<opensearch:totalResults>${found.length}</opensearch:totalResults>
<opensearch:itemsPerPage>${ENTRIES_PER_PAGE}</opensearch:itemsPerPage>
${shown.map(index => entryOf(world.advert(index), origin)).join('')}</feed>
`
  return Buffer.from(variant === 'layout' ? redesigned(xml) : xml)
}

function pageAddress(origin: string, query: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('pag')
  if (page > 1) parameters.set('pag', String(page))
  return escapeHtml(`${origin}/alertas.atom?${parameters}`)
}

function entryOf(advert: Advert, origin: string): string {
  const path = `/anuncio/AL${advert.id}/`
  const { type, name } = advert.advertiser
  return `<entry>
<id>tag:portal-h.example,${advert.publishedAt.toISOString().slice(0, 10)}:anuncio/AL${advert.id}</id>
<title type="text">${escapeHtml(advert.title)}</title>
<link rel="alternate" type="text/html" href="${origin}${path}"/>
<link rel="enclosure" type="image/png" href="${origin}/imagen/AL${advert.id}-1.png"/>
<published>${madridTime(advert.publishedAt)}</published>
<updated>${madridTime(advert.updatedAt)}</updated>
<author><name>${type === 'private' ? 'Particular' : escapeHtml(name)}</name></author>
<category scheme="${origin}/vocabulario/operacion" term="${OPERATION_WORDS[advert.operation]}"/>
<category scheme="${origin}/vocabulario/tipo" term="${TYPE_WORDS[advert.propertyType]}"/>
<category scheme="${origin}/vocabulario/municipio" term="${advert.city}"/>
<georss:point>${advert.latitude} ${advert.longitude}</georss:point>
<summary type="html">${escapeHtml(summaryOf(advert, `${origin}${path}`))}</summary>
</entry>
`
}

/** `2026-10-20T04:47:00+02:00`. */
function madridTime(date: Date): string {
  const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('Europe/Madrid')
  return local.toString({ smallestUnit: 'second', timeZoneName: 'never' })
}

function summaryOf(advert: Advert, url: string): string {
  const price = `${thousands(advert.price)}&nbsp;€${advert.operation === 'rent' ? '/mes' : ''}`
  const figures = [`${thousands(advert.squareMeters)} m²`]
  if (advert.bedrooms !== null) figures.push(counted(advert.bedrooms, 'dormitorio', 'dormitorios'))
  if (advert.bathrooms !== null) figures.push(counted(advert.bathrooms, 'baño', 'baños'))
  const text = advert.description.replaceAll('\n\n', ' ')
  const excerpt =
    text.length > EXCERPT_LENGTH ? `${text.slice(0, text.lastIndexOf(' ', EXCERPT_LENGTH))}…` : text
  return `<p><strong>${price}</strong></p><p>${figures.join(' &middot; ')}</p><p>${escapeHtml(excerpt)}</p><p><a href="${url}">Ver el anuncio</a></p>`
}

/** The same adverts in elements of other names. */
function redesigned(xml: string): string {
  return xml.replace(/<(\/?)(entry|title|link|summary|category)\b/g, '<$1r7:$2-v2')
}
