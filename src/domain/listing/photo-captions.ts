/** Finds what a page says that its photos show. */
import { findAttribute, toPlainText } from './html.ts'
import { toAbsoluteUrl } from './values.ts'

const imagesMax = 1000
const tagLengthMax = 5000
const captionLengthMax = 300
const urlAttributes = ['src', 'data-src', 'data-lazy-src', 'data-lazy', 'data-original']
/** `— foto 3 de 12`. */
const position =
  /[\s,:|·–—-]{0,3}(?<![\p{L}\d])(?:(?:foto|fotograf[ií]a|imagen|imatge|imagem|immagine|image|photo|picture|bild|argazkia)\s*)?(?:n[.º°]*\s*)?\d{1,3}(?:\s*(?:de|of|di|von|sur|\/)\s*\d{1,3})?$/iu
const noCaption =
  /^(?:foto|fotograf[ií]a|imagen|imatge|imagem|immagine|image|photo|picture|bild|argazkia)?$|\.(?:jpe?g|png|webp|avif)$/i

/**
 * By the URL of the photo. Captions that say nothing about one photo are left out: the title of the listing, a text that
 * most photos have, the position among the photos.
 */
export function findPhotoCaptions(
  html: string,
  { url: pageUrl, title, photoUrls }: { url: string; title: string | null; photoUrls: readonly string[] },
): Map<string, string> {
  const wanted = new Set(photoUrls)
  const captions = new Map<string, string>()
  let end = 0
  for (let count = 0; count < imagesMax; count++) {
    const start = html.indexOf('<img', end)
    end = start === -1 ? -1 : html.indexOf('>', start)
    if (end === -1) break
    const tag = html.slice(start, Math.min(end, start + tagLengthMax))
    const caption = toCaption(findAttribute(tag, 'alt'), title)
    if (caption === null) continue
    for (const attribute of urlAttributes) {
      const url = toAbsoluteUrl(findAttribute(tag, attribute) ?? '', pageUrl)
      if (url !== null && wanted.has(url) && !captions.has(url)) captions.set(url, caption)
    }
  }
  const repeated = Map.groupBy(captions.values(), caption => caption)
  return new Map(
    [...captions].filter(([, caption]) => {
      const times = repeated.get(caption)!.length
      return times < 3 || times * 2 <= photoUrls.length
    }),
  )
}

function toCaption(alt: string | null, title: string | null): string | null {
  if (alt === null || alt.length > captionLengthMax) return null
  const caption = toPlainText(alt).replace(/\s+/g, ' ').trim().replace(position, '').trim()
  if (caption.length < 3 || noCaption.test(caption)) return null
  const isTitle = title !== null && caption.toLowerCase().includes(title.toLowerCase().trim())
  return isTitle ? null : caption
}
