/** The sitemaps of portal_f: an index of parts by operation, type and place, each with the addresses of listings. */
import { gzipSync } from 'node:zlib'
import { escapeHtml } from '../html.ts'
import type { Operation, PropertyType } from '../listing.ts'
import { operations, propertyTypes } from '../listing.ts'
import type { Variant } from '../portal.ts'
import type { World } from '../world.ts'
import {
  formatZonedInstant,
  operationWords,
  placeSlugs,
  toListingPath,
  toPhotoPath,
  typeWords,
} from './words.ts'

const urlsPerSitemap = 200
const namespaces =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

interface Part {
  operation: Operation
  propertyType: PropertyType
  city: string
}

const sitemapParts: Part[] = operations.flatMap(operation =>
  propertyTypes.flatMap(propertyType =>
    Object.keys(placeSlugs).map(city => ({ operation, propertyType, city })),
  ),
)
const partsByName = new Map(sitemapParts.map(part => [toPartName(part), part]))

/** `annunci-vendita-case-roma-rm`. */
function toPartName({ operation, propertyType, city }: Part): string {
  return `annunci-${operationWords[operation]}-${typeWords[propertyType]}-${placeSlugs[city]}`
}

/** The largest parts, homes for sale, are gzipped. */
function isPacked({ operation, propertyType }: Part): boolean {
  return operation === 'sale' && propertyType === 'homes'
}

/** In the variant `loop` the index lists one file too many for every part. */
export function renderIndex(world: World, origin: string, variant: Variant): Buffer {
  const entries = sitemapParts.flatMap(part => {
    const found = world.select(part)
    const files = Math.ceil(found.length / urlsPerSitemap) + (variant === 'loop' ? 1 : 0)
    const newest = Math.max(...found.map(index => world.attributes(index).updatedAt), 0)
    return Array.from({ length: files }, (_, position) => {
      const address = `${origin}/sitemaps/${toPartName(part)}-${position + 1}.xml${isPacked(part) ? '.gz' : ''}`
      return `  <sitemap>\n    <loc>${address}</loc>\n    <lastmod>${formatZonedInstant(newest)}</lastmod>\n  </sitemap>`
    })
  })
  const otherPages = ['guide', 'agenzie', 'quotazioni'].map(
    name => `  <sitemap>\n    <loc>${origin}/sitemaps/${name}.xml</loc>\n  </sitemap>`,
  )
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<!-- sitemap di Portal F, generata ogni ora -->
<sitemapindex ${namespaces}>
${[...entries, ...otherPages].join('\n')}
</sitemapindex>
`)
}

/** Builds the file at `path`; undefined if it does not exist. */
export function buildSitemap(
  world: World,
  origin: string,
  path: string,
  variant: Variant,
): { isPacked: boolean; render(): Buffer } | undefined {
  const [, name = '', digits = '', ending = ''] = /^\/sitemaps\/([a-z-]+)-(\d+)\.xml(\.gz)?$/.exec(path) ?? []
  const part = partsByName.get(name)
  if (!part || isPacked(part) !== (ending === '.gz')) return undefined
  const found = world.select(part)
  const first = variant === 'loop' ? 0 : (Number(digits) - 1) * urlsPerSitemap
  if (first < 0 || first >= found.length) return undefined
  const shown = variant === 'empty' ? [] : found.slice(first, first + urlsPerSitemap)
  const render = () => {
    const xml = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<urlset ${namespaces}>
${shown.map((index, position) => renderEntry(world, origin, index, position)).join('\n')}
</urlset>
`)
    return isPacked(part) ? gzipSync(xml) : xml
  }
  return { isPacked: isPacked(part), render }
}

function renderEntry(world: World, origin: string, index: number, position: number): string {
  const { id, updatedAt } = world.attributes(index)
  const address = `${origin}${toListingPath(id)}`
  // Real sitemaps use both forms.
  const location = position % 7 === 6 ? `<![CDATA[${address}]]>` : address
  const title = escapeHtml(world.listing(index).title)
  return `  <url>
    <loc>${location}</loc>
    <lastmod>${formatZonedInstant(updatedAt)}</lastmod>
    <changefreq>weekly</changefreq>
    <image:image><image:loc>${origin}${toPhotoPath(id, 1)}</image:loc><image:title>${title}</image:title></image:image>
  </url>`
}
