/** The photos of the page. A photo is a URL with several widths, or embedded in one width. */
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import type { SheetContent } from './content.ts'
import type { PhotoSource, Sheet, SheetPhoto } from './sheet.ts'

/** The photos beside the cover, in the layout `gallery`. */
const mosaicMax = 5
const compactHeroMax = 3

interface Placed {
  photo: SheetPhoto
  number: number
}

/** The cover, with other photos beside it if the layout or a portrait cover leaves room for them. */
export function renderHero(sheet: Sheet, content: SheetContent): string {
  const shown = toHeroPhotos(sheet)
  if (shown.length === 0) return ''
  const isTall = isPortrait(shown[0]!.photo)
  const images = shown.map((placed, at) =>
    renderPhoto(placed, content, sheet.photos.length, {
      widthPx: at === 0 ? 1600 : 960,
      sizes: at === 0 ? '(max-width: 80rem) 100vw, 80rem' : '40vw',
      isLazy: false,
    }),
  )
  return `<div class="hero n${shown.length}${isTall ? ' tall' : ''}">${images.join('')}</div>`
}

/** All photos that the cover does not show. */
export function renderGallery(sheet: Sheet, content: SheetContent): string {
  const shown = sheet.photos.map((photo, at) => ({ photo, number: at + 1 })).slice(toHeroPhotos(sheet).length)
  if (shown.length === 0) return ''
  const images = shown.map(placed =>
    renderPhoto(placed, content, sheet.photos.length, {
      widthPx: 960,
      sizes: '(max-width: 48rem) 50vw, 27rem',
      isLazy: true,
    }),
  )
  // Without portrait photos, the last row is filled.
  const isEven = !shown.some(({ photo }) => isPortrait(photo))
  const heading = escapeMarkup(content.words.photos)
  return `<section class="photos" aria-label="${heading}"><h2>${heading}</h2><div class="grid${isEven ? ' even' : ''}">${images.join('')}</div></section>`
}

function toHeroPhotos({ layout, photos }: Sheet): Placed[] {
  const first = photos[0]
  if (!first) return []
  const classic = isPortrait(first) ? 2 : 1
  const count = { classic, gallery: mosaicMax, compact: compactHeroMax }[layout]
  return photos.slice(0, count).map((photo, at) => ({ photo, number: at + 1 }))
}

function isPortrait({ widthPx, heightPx }: SheetPhoto): boolean {
  return heightPx > widthPx
}

interface Use {
  /** The width of an embedded photo. */
  widthPx: number
  /** The `sizes` of a photo with several URLs. */
  sizes: string
  isLazy: boolean
}

function renderPhoto({ photo, number }: Placed, content: SheetContent, count: number, use: Use): string {
  const { words, formats } = content
  const alt = toPrintable(photo.alt ?? '') || words.photo(formats.number(number), formats.number(count))
  const source = chooseSource(photo.sources, use.widthPx)
  if (!source) return ''
  const width = Math.min(source.widthPx, photo.widthPx)
  const height = Math.round((width * photo.heightPx) / Math.max(1, photo.widthPx))
  const urls = photo.sources.flatMap(one => ('url' in one ? [`${encodeURI(one.url)} ${one.widthPx}w`] : []))
  const responsive = urls.length > 1 ? ` srcset="${escapeMarkup(urls.join(', '))}" sizes="${use.sizes}"` : ''
  const lazy = use.isLazy && 'url' in source ? ' loading="lazy" decoding="async"' : ''
  const image = `<img src="${escapeMarkup(toUrl(source))}"${responsive} width="${width}" height="${height}" alt="${escapeMarkup(alt)}"${lazy}>`
  const largest = photo.sources.at(-1)
  const isLinked = largest !== undefined && 'url' in largest
  const shape = isPortrait(photo) ? ' class="portrait"' : ''
  return isLinked
    ? `<a${shape} href="${escapeMarkup(encodeURI(largest.url))}">${image}</a>`
    : `<span${shape}>${image}</span>`
}

/** Returns the narrowest source that is wide enough, or else the widest. */
export function chooseSource<T extends PhotoSource>(sources: T[], widthPx: number): T | undefined {
  return sources.find(source => source.widthPx >= widthPx) ?? sources.at(-1)
}

function toUrl(source: PhotoSource): string {
  return 'url' in source ? encodeURI(source.url) : toDataUrl(source.bytes, 'image/jpeg')
}

export function toDataUrl(bytes: Uint8Array, mediaType: string): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
}
