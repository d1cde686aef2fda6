// The sitemaps of portal_f: an index of parts by operation, kind and place, and in each the addresses of adverts.
import { gzipSync } from 'node:zlib'
import type { Operation, PropertyType } from '../advert.ts'
import { OPERATIONS, PROPERTY_TYPES } from '../advert.ts'
import { escapeHtml } from '../html.ts'
import type { Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { listingPath, OPERATION_WORDS, PLACES, photoPath, TYPE_WORDS, zonedInstant } from './words.ts'

const URLS_PER_SITEMAP = 200
const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

interface Part {
  operation: Operation
  propertyType: PropertyType
  city: string
}

const PARTS: Part[] = OPERATIONS.flatMap(operation =>
  PROPERTY_TYPES.flatMap(propertyType =>
    Object.keys(PLACES).map(city => ({ operation, propertyType, city })),
  ),
)
const PART_BY_NAME = new Map(PARTS.map(part => [nameOf(part), part]))

/** `annunci-vendita-case-roma-rm`. */
function nameOf({ operation, propertyType, city }: Part): string {
  return `annunci-${OPERATION_WORDS[operation]}-${TYPE_WORDS[propertyType]}-${PLACES[city]}`
}

/** Homes for sale, of which there are most, are packed. */
function isPacked({ operation, propertyType }: Part): boolean {
  return operation === 'sale' && propertyType === 'homes'
}

/** In the variant `loop` every part has one more file than it has. */
export function renderIndex(world: World, origin: string, variant: Variant): Buffer {
  const entries = PARTS.flatMap(part => {
    const found = world.select(part)
    const files = Math.ceil(found.length / URLS_PER_SITEMAP) + (variant === 'loop' ? 1 : 0)
    const newest = Math.max(...found.map(index => world.figures(index).updatedAt), 0)
    return Array.from({ length: files }, (_, at) => {
      const address = `${origin}/sitemaps/${nameOf(part)}-${at + 1}.xml${isPacked(part) ? '.gz' : ''}`
      return `  <sitemap>\n    <loc>${address}</loc>\n    <lastmod>${zonedInstant(newest)}</lastmod>\n  </sitemap>`
    })
  })
  const others = ['guide', 'agenzie', 'quotazioni'].map(
    name => `  <sitemap>\n    <loc>${origin}/sitemaps/${name}.xml</loc>\n  </sitemap>`,
  )
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<!-- sitemap di Portal F, generata ogni ora -->
<sitemapindex ${NAMESPACES}>
${[...entries, ...others].join('\n')}
</sitemapindex>
`)
}

/** Nothing for a file that does not exist. `path` is that of the file. */
export function sitemapOf(
  world: World,
  origin: string,
  path: string,
  variant: Variant,
): { isPacked: boolean; render(): Buffer } | undefined {
  const [, name = '', digits = '', ending = ''] = /^\/sitemaps\/([a-z-]+)-(\d+)\.xml(\.gz)?$/.exec(path) ?? []
  const part = PART_BY_NAME.get(name)
  if (!part || isPacked(part) !== (ending === '.gz')) return undefined
  const found = world.select(part)
  const first = variant === 'loop' ? 0 : (Number(digits) - 1) * URLS_PER_SITEMAP
  if (first < 0 || first >= found.length) return undefined
  const shown = variant === 'empty' ? [] : found.slice(first, first + URLS_PER_SITEMAP)
  const render = () => {
    const xml = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<urlset ${NAMESPACES}>
${shown.map((index, at) => entry(world, origin, index, at)).join('\n')}
</urlset>
`)
    return isPacked(part) ? gzipSync(xml) : xml
  }
  return { isPacked: isPacked(part), render }
}

function entry(world: World, origin: string, index: number, at: number): string {
  const { id, updatedAt } = world.figures(index)
  const address = `${origin}${listingPath(id)}`
  // Two generators, two habits.
  const location = at % 7 === 6 ? `<![CDATA[${address}]]>` : address
  const title = escapeHtml(world.advert(index).title)
  return `  <url>
    <loc>${location}</loc>
    <lastmod>${zonedInstant(updatedAt)}</lastmod>
    <changefreq>weekly</changefreq>
    <image:image><image:loc>${origin}${photoPath(id, 1)}</image:loc><image:title>${title}</image:title></image:image>
  </url>`
}
