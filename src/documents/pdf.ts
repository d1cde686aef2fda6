/** A document as a PDF, made by Typst from `document.typ`. */
import type { Block, Section } from './blocks.ts'
import type { Branding, Document, MakeDocument } from './document.ts'
import { toLetterhead } from './letterhead.ts'
import { type Logo, logoName, parseLogo } from './logo.ts'
import { toPrintable } from './markup.ts'
import { createPalette, type Palette } from './palette.ts'
import { type PdfClient, typstPool } from './typst-pool.ts'
import { PdfInputRefused, PdfProcessFailed } from './typst-process.ts'

/** Of drawings, in their units: their letters are as large as those of the text on paper. */
const figureWidth = 620
/** Signs without a blank that go on a line of the narrowest column. */
const unbrokenMax = 24
/** Signs between which such a word is not divided: Typst refuses a text with more than some 500 pieces. */
const pieceLength = 8
/** Signs of a name that go beside another on top of a page. */
const runningMax = 60

/**
 * A PDF on A4, once it is the reader's turn. Throws as `TypstPool.print` does; no content of a document should make Typst refuse
 * or fall.
 */
export async function renderPdf(
  make: MakeDocument,
  branding: Branding,
  client: PdfClient,
): Promise<Uint8Array> {
  const render = (logo: Logo | null) =>
    typstPool.render(client, () => ({ json: toPdfJson(make(withoutPictures), logo), logo }))
  const logo = parseLogo(branding.logo)
  try {
    return await render(logo)
  } catch (error) {
    if (!logo || !(error instanceof PdfInputRefused || error instanceof PdfProcessFailed)) throw error
    // What begins like a picture may be none after all: then the name stands in its place.
    return render(null)
  }
}

/** What `document.typ` reads. */
function toPdfJson(document: Document, logo: Logo | null): string {
  const { locale, title, subtitles, branding, sections, footNote, issuedOn } = document
  const palette = createPalette(branding.color)
  const { agency, contacts } = toLetterhead(branding, withoutPictures)
  const { year, month, day } = issuedOn
  return JSON.stringify({
    title: addBreaks(title),
    subtitles: subtitles.map(addBreaks),
    running: { title: shorten(title), agency: shorten(agency ?? '') },
    agency: addBreaks(agency ?? ''),
    contacts: contacts.map(addBreaks),
    author: agency ?? [],
    language: locale.slice(0, 2),
    footNote,
    date: { year, month, day },
    palette,
    logo: logo && logoName(logo),
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

function shorten(text: string): string {
  return text.length > runningMax ? `${text.slice(0, runningMax).trimEnd()}…`.toWellFormed() : text
}

const segmenter = new Intl.Segmenter()
/** The fonts of the paper hold few pictures. */
const picture =
  /[[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]--[©®™‼⁉↔-↙▪▫▶◀☑☕☺♀♂♠♣♥♦✔❤]]/v
/** What makes a picture of the signs around it. */
const pictureMarks = /\p{Variation_Selector}|\u200d|\u20e3/gu

/** What a reader sees as one each. */
function toGraphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** What is printable without pictures, which would be empty boxes. */
function withoutPictures(text: string): string {
  const letters = toGraphemes(toPrintable(text))
    .filter(char => !picture.test(char))
    .join('')
    .replace(pictureMarks, '')
    .replace(/ {2,}/g, ' ')
  return toPrintable(letters)
}

/** Typst breaks lines at blanks alone: words that are too long for a line get invisible ones. */
function addBreaks(text: string): string {
  return toPrintable(text).replace(new RegExp(`\\S{${unbrokenMax + 1},}`, 'gu'), word =>
    toGraphemes(word)
      .map((char, at) => (at > 0 && at % pieceLength === 0 ? `\u200b${char}` : char))
      .join(''),
  )
}
