/** The photographs of the listing in page order: the largest group of images of one kind, or that of the share image. */
import { toAbsoluteUrl } from '../../values.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns } from '../page-runs.ts'
import { collectMeta, type PageNode, type PageTree } from '../page-tree.ts'

const photosMax = 200
const imagesMax = 3000
const urlMax = 1000
const sizeMin = 120
const otherImages =
  /logo|icon|avatar|portrait|floor-?_?plan|grundriss|sprite|placeholder|flag|badge|banner|app-?store|google-?play|qr-?code|pixel|spinner|loader|energy|epc|blank|spacer|marker|staticmap|maps\.google|gravatar|emoji|button|agent-?photo|profile|thumb-?up|static\/img/i
const lazyAttributes = [
  'data-src',
  'data-lazy',
  'data-lazy-src',
  'data-original',
  'data-full',
  'data-large',
  'data-zoom-image',
  'data-image',
  'data-big',
  'data-url',
  'data-bg',
  'data-background',
  'data-flickity-lazyload',
  'data-splide-lazy',
  'content',
  'src',
]
const backgroundAttributes = lazyAttributes.slice(0, -2)
const styleMax = 2000
const photoFile = /\.(?:jpe?g|png|webp|avif)(?:$|[?#&/])/i

interface Photo {
  url: string
  /** The same for all sizes of a photograph. */
  key: string
  /** Host and folder: the photographs of a listing share it. */
  group: string
}

/** The photographs that the elements of the page show. */
export function readPhotos(tree: PageTree, page: PageRuns, pageUrl: string): Candidate[] {
  const photos = new Map<string, Photo>()
  for (const node of tree.nodes) {
    if (photos.size >= imagesMax) break
    for (const url of listUrls(node)) {
      const photo = toPhoto(url, node, pageUrl)
      if (photo === null || photos.has(photo.key) || page.isExcluded(node)) continue
      photos.set(photo.key, photo)
    }
  }
  const shared = collectMeta(tree).get('og:image')?.[0]
  const sharedPhoto = shared === undefined ? null : toPhoto(shared, null, pageUrl)
  const groups = Map.groupBy(photos.values(), ({ group }) => group)
  const [largest] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  const own = sharedPhoto === null ? undefined : groups.get(sharedPhoto.group)
  const chosen = own !== undefined && own.length * 3 >= (largest?.length ?? 0) ? own : largest
  if (chosen === undefined || (chosen !== own && chosen.length < 3)) return []
  const value = chosen.slice(0, photosMax).map(({ url }) => url)
  // The cover may only be in the head: the page draws it as a background.
  if (chosen === own && sharedPhoto !== null && !photos.has(sharedPhoto.key)) value.unshift(sharedPhoto.url)
  const weight = chosen === own ? 0.6 : 0.5
  return [{ field: 'images', value, source: 'text', where: chosen[0]!.group.slice(0, 60), weight }]
}

function listUrls({ name, attributes }: PageNode): string[] {
  if (name === 'a') {
    const href = attributes.href ?? ''
    return photoFile.test(href) ? [href] : []
  }
  if (name === 'img' || name === 'source') {
    const largest = findLargest(attributes['data-srcset'] ?? attributes.srcset ?? '')
    if (largest !== null) return [largest]
    const found = lazyAttributes.map(attribute => attributes[attribute] ?? '').find(isImageUrl)
    return found === undefined ? [] : [found]
  }
  const urls: string[] = []
  const { style } = attributes
  const background =
    style === undefined ? undefined : /url\(['"]?([^'")]+)['"]?\)/.exec(style.slice(0, styleMax))?.[1]
  if (background !== undefined && photoFile.test(background)) urls.push(background)
  for (const attribute of backgroundAttributes) {
    const url = attributes[attribute]
    if (url !== undefined && photoFile.test(url)) urls.push(url)
  }
  return urls
}

function isImageUrl(url: string): boolean {
  return url.length > 4 && url.length < urlMax && !url.startsWith('data:') && /[./]/.test(url)
}

/** The largest image of a `srcset`. */
function findLargest(srcset: string): string | null {
  let best: { url: string; size: number } | null = null
  for (const part of srcset.slice(0, 8000).split(/,\s+/)) {
    const [url = '', size = '1'] = part.trim().split(/\s+/)
    const width = Number.parseFloat(size)
    if (isImageUrl(url) && (best === null || width > best.size)) best = { url, size: width }
  }
  return best?.url ?? null
}

function toPhoto(source: string, node: PageNode | null, pageUrl: string): Photo | null {
  if (source.length > urlMax || source.startsWith('data:') || /\.(?:svg|gif)(?:$|[?#])/i.test(source))
    return null
  if (node !== null && isOtherImage(node)) return null
  const url = toAbsoluteUrl(source.trim(), pageUrl)
  const parsed = url === null ? null : URL.parse(url)
  if (url === null || parsed === null || otherImages.test(parsed.pathname)) return null
  const path = parsed.pathname.split('/')
  const file = path.at(-1) || parsed.search
  const key = `${file.replace(/[-_]\d{2,4}x\d{2,4}(?=\.|$)/, '')}`
  const id = key.replace(/\.\w+$/, '')
  const stem = id.length >= 6 ? id : parsed.pathname
  const folder = path
    .slice(1, -1)
    .filter(part => !/\d/.test(part))
    .slice(0, 3)
    .join('/')
  return { url, key: stem, group: `${parsed.host}/${folder}` }
}

function isOtherImage({ attributes }: PageNode): boolean {
  const { width = '', height = '', alt = '', class: classes = '' } = attributes
  const isSmall = [width, height].some(
    size => /^\d+(?:px)?$/.test(size) && Number.parseInt(size, 10) < sizeMin,
  )
  return isSmall || /logo|floor ?plan|grundriss|plattegrond|avatar/i.test(`${alt} ${classes}`.slice(0, 200))
}
