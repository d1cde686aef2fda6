/** Renders a sheet as a PDF of one or two A4 pages, with Typst and `sheet.typ`. */
import { parseJpegFrame } from '../../../documents/jpeg.ts'
import { toLogoFileName } from '../../../documents/logo.ts'
import { createPalette } from '../../../documents/palette.ts'
import { renderWithLogo } from '../../../documents/pdf.ts'
import { createPlaceholders } from '../../../documents/pdf-photos.ts'
import { addBreaks, removeEmoji, shorten } from '../../../documents/pdf-text.ts'
import { drawQr } from '../../../documents/qr.ts'
import type { PdfClient } from '../../../documents/typst-pool.ts'
import { type SheetContent, toContent } from './content.ts'
import { fitPhotos } from './fit-photos.ts'
import { toPdfPhotos } from './pdf-photos.ts'
import type { Sheet } from './sheet.ts'

const titleMax = 240
/** The maximum length of the agent's name, the agency's name and the licence number. */
const nameMax = 80
/** The most features and details that are printed. */
const factsMax = 24
const sentencesMax = 300
/** A longer sentence may be cut, because many descriptions have no full stops. */
const pieces = /.{1,300}(?:\s|$)|\S{1,300}/gsu

/** A PDF is sent by e-mail and messengers. */
const pdfBytesMax = 1_450_000

/** Waits in the queues of PDFs and, for large photos, of images. Throws as `renderPdf` and `resizeImage` do. */
export async function renderSheetPdf(sheet: Sheet, client: PdfClient): Promise<Uint8Array> {
  const { photos, plans, numbered } = toPdfPhotos(sheet)
  const portrait = toPortrait(sheet)
  const content = { ...toPdfContent(sheet), photos, plans, portrait }
  const placeholders = createPlaceholders(JSON.stringify(content))
  const pdf = await renderWithLogo(client, sheet.branding.logo, logo => ({
    template: 'sheet',
    json: JSON.stringify({ ...content, logo: logo && toLogoFileName(logo) }),
    files: [
      ...photos.map(({ name }, number) => ({ name, bytes: placeholders.create(number) })),
      ...(portrait ? [{ name: portrait.name, bytes: placeholders.create(portraitNumber) }] : []),
    ],
  }))
  const shown = placeholders.list(pdf)
  const portraitBytes = sheet.agent?.photo?.length ?? 0
  const files = await fitPhotos(
    numbered.filter(([number]) => shown.includes(number)),
    pdfBytesMax - pdf.length - portraitBytes,
    client,
  )
  if (portrait) files.set(portraitNumber, sheet.agent!.photo!)
  return placeholders.embed(pdf, files)
}

/** The number of the agent's photo: those of the property begin at 0. */
const portraitNumber = 1000

interface Portrait {
  name: string
  ratio: number
}

/** The agent's photo; null without one, or if it is no JPEG. */
function toPortrait({ agent }: Sheet): Portrait | null {
  const frame = agent?.photo && parseJpegFrame(agent.photo)
  return frame ? { name: 'agent.jpg', ratio: Math.max(1, frame.width) / Math.max(1, frame.height) } : null
}

/** The texts of `sheet.typ`. */
function toPdfContent(sheet: Sheet): object {
  const content = toContent(sheet, removeEmoji)
  const { words, letterhead, energy } = content
  const { year, month, day } = sheet.issuedAt.toZonedDateTimeISO(sheet.timezone)
  const toFacts = (facts: SheetContent['details']) =>
    facts.slice(0, factsMax).map(({ label, value }) => ({ label, value: addBreaks(value) }))
  return {
    layout: sheet.layout,
    language: content.locale.slice(0, 2),
    date: { year, month, day },
    palette: createPalette(sheet.branding.color),
    author: letterhead.agency ?? [],
    agency: addBreaks(shorten(letterhead.agency ?? '', nameMax)),
    contacts: letterhead.contacts.map(text => addBreaks(shorten(text, nameMax))),
    kicker: content.kicker,
    title: addBreaks(shorten(content.title, titleMax)),
    place: toPdfPlace(content),
    price: content.price,
    perSquareMeter: content.perSquareMeter,
    highlights: content.highlights,
    details: toFacts(content.details),
    features: content.features.slice(0, factsMax),
    sentences: toSentences(content),
    energy: energy && { svg: energy.svg, text: energy.text, alt: `${words.energy.heading}. ${energy.text}` },
    map: sheet.map && {
      svg: sheet.map.svg,
      heading: sheet.map.isApproximate ? words.approximateLocation : words.location,
    },
    contact: toPdfContact(content),
    qr: sheet.shareUrl === null ? null : drawQr(sheet.shareUrl, words.viewOnline),
    shareUrl: sheet.shareUrl,
    legalText: content.legalText && addBreaks(content.legalText),
    issued: content.issued,
    photoCount: sheet.photos.length,
    words: {
      description: words.description,
      details: words.details,
      features: words.facts.amenities,
      energy: words.energy.heading,
      viewOnline: words.viewOnline,
      continuedOnline: words.continuedOnline,
      morePhotos: words.morePhotos('{}'),
      morePhotosOnline: words.morePhotosOnline('{}'),
    },
  }
}

function toPdfContact({ words, contact }: SheetContent): object {
  const licence = contact.licence && `${words.licence} ${contact.licence}`
  const lines = [contact.agency, licence, contact.phone, contact.email].filter(line => line !== null)
  return {
    name: addBreaks(shorten(contact.name ?? '', nameMax)),
    lines: lines.map(text => addBreaks(shorten(text, nameMax))),
  }
}

/** Isolates the parts, so that one in Arabic does not turn the digits of the next one. */
function toPdfPlace({ place }: SheetContent): string | null {
  const parts = place.map(part => `\u2068${addBreaks(shorten(part, titleMax))}\u2069`)
  return parts.length === 0 ? null : parts.join(', ')
}

interface Sentence {
  text: string
  isFirst: boolean
}

/** The sentences of the description, because a page ends after a whole one. `isFirst`: it begins a paragraph. */
function toSentences({ paragraphs, locale }: SheetContent): Sentence[] {
  const segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' })
  const sentences = paragraphs.flatMap(paragraph =>
    Array.from(segmenter.segment(paragraph))
      .flatMap(({ segment }) => segment.match(pieces) ?? [])
      .map((piece, at) => ({ text: addBreaks(piece), isFirst: at === 0 })),
  )
  const printed = sentences.filter(({ text }) => text !== '')
  const shown = printed.slice(0, sentencesMax)
  if (printed.length > sentencesMax) shown.push({ text: '…', isFirst: false })
  return shown
}
