/** Renders a document as a PDF, with Typst and `document.typ`. */
import { Readable } from 'node:stream'
import { type ImageSizes, resizeImage } from '../kit/blobs/images.ts'
import type { Block, Section } from './blocks.ts'
import type { Branding, Document, MakeDocument } from './document.ts'
import { toLetterhead } from './letterhead.ts'
import { type Logo, parseLogo, toLogoFileName } from './logo.ts'
import { createPalette, type Palette } from './palette.ts'
import { addBreaks, removeEmoji, shorten } from './pdf-text.ts'
import type { PdfInput } from './typst.ts'
import { type PdfClient, typstPool } from './typst-pool.ts'
import { PdfInputRefused, PdfProcessFailed } from './typst-process.ts'

/** The width of charts in SVG units; their text has the size of the body text. */
const figureWidth = 620
/** The most characters of each name in the page header. */
const runningNameMax = 60

/**
 * Returns a PDF on A4. Waits in the queue of the pool and throws as `TypstPool.render` does. No content of a document
 * should make Typst refuse the input or crash.
 */
export async function renderPdf(
  make: MakeDocument,
  branding: Branding,
  client: PdfClient,
): Promise<Uint8Array> {
  return renderWithLogo(client, branding.logo, logo => ({
    template: 'document',
    json: toPdfJson(make(removeEmoji), logo),
    files: [],
  }))
}

/** Renders an input that may print the logo, without the logo if Typst refuses it. */
export async function renderWithLogo(
  client: PdfClient,
  source: Branding['logo'],
  createInput: (logo: Logo | null) => PdfInput,
): Promise<Uint8Array> {
  const render = (logo: Logo | null) =>
    typstPool.render(client, () => {
      const { template, json, files } = createInput(logo)
      const logoFiles = logo ? [{ name: toLogoFileName(logo), bytes: logo.bytes }] : []
      return { template, json, files: [...files, ...logoFiles] }
    })
  const logo = await shrinkLogo(parseLogo(source), client)
  try {
    return await render(logo)
  } catch (error) {
    if (!logo || !(error instanceof PdfInputRefused || error instanceof PdfProcessFailed)) throw error
    // The logo may be invalid in spite of its valid header: print the name instead.
    return render(null)
  }
}

/** A larger one is printed in fewer pixels: Typst decodes it, and the PDF is sent by e-mail. */
const logoBytesMax = 200_000
const logoSizes: ImageSizes = { widths: [900], format: 'jpeg', quality: 90 }

async function shrinkLogo(logo: Logo | null, { signal, ...requester }: PdfClient): Promise<Logo | null> {
  if (!logo || logo.format === 'svg' || logo.bytes.length <= logoBytesMax) return logo
  try {
    const [picture] = await resizeImage(requester, async () => Readable.from([logo.bytes]), logoSizes, {
      signal,
    })
    return { format: 'jpeg', bytes: picture!.bytes }
  } catch (error) {
    if (signal.aborted) throw error
    // A damaged one is left to Typst.
    return logo
  }
}

/** The input of `document.typ`. */
function toPdfJson(document: Document, logo: Logo | null): string {
  const { locale, title, subtitles, branding, sections, footNote, issuedOn } = document
  const palette = createPalette(branding.color)
  const { agency, contacts } = toLetterhead(branding, removeEmoji)
  const { year, month, day } = issuedOn
  return JSON.stringify({
    title: addBreaks(title),
    subtitles: subtitles.map(addBreaks),
    running: { title: shorten(title, runningNameMax), agency: shorten(agency ?? '', runningNameMax) },
    agency: addBreaks(agency ?? ''),
    contacts: contacts.map(addBreaks),
    author: agency ?? [],
    language: locale.slice(0, 2),
    footNote,
    date: { year, month, day },
    palette,
    logo: logo && toLogoFileName(logo),
    sections: sections.map(section => toPdfSection(section, palette)),
  })
}

function toPdfSection({ blocks, ...section }: Section, palette: Palette): object {
  return { ...section, blocks: blocks.map(block => toPdfBlock(block, palette)) }
}

function toPdfBlock(block: Block, palette: Palette): object {
  if (block.kind === 'facts')
    return { ...block, facts: block.facts.map(({ label, value }) => ({ label, value: addBreaks(value) })) }
  if (block.kind === 'figure')
    return { ...block, svg: block.draw({ width: figureWidth, palette }), alt: block.caption }
  return block
}
