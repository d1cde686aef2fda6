/** A document as a PDF, made by Typst from `document.typ`. */
import type { Block, Section } from './blocks.ts'
import type { Branding, Document, MakeDocument } from './document.ts'
import { letterheadOf } from './letterhead.ts'
import { type Logo, logoName, logoOf } from './logo.ts'
import { printable } from './markup.ts'
import { type Palette, paletteOf } from './palette.ts'
import { type Reader, typstPool } from './typst-pool.ts'
import { PaperFailed, PaperRefused } from './typst-process.ts'

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
export async function renderPdf(make: MakeDocument, branding: Branding, reader: Reader): Promise<Uint8Array> {
  const print = (logo: Logo | null) =>
    typstPool.print(reader, () => ({ json: paperJson(make(inLetters), logo), logo }))
  const logo = logoOf(branding.logo)
  try {
    return await print(logo)
  } catch (error) {
    if (!logo || !(error instanceof PaperRefused || error instanceof PaperFailed)) throw error
    // What begins like a picture may be none after all: then the name stands in its place.
    return print(null)
  }
}

/** What `document.typ` reads. */
function paperJson(document: Document, logo: Logo | null): string {
  const { locale, title, subtitles, branding, sections, footNote, issuedOn } = document
  const palette = paletteOf(branding.color)
  const { agency, contacts } = letterheadOf(branding, inLetters)
  const { year, month, day } = issuedOn
  return JSON.stringify({
    title: breakable(title),
    subtitles: subtitles.map(breakable),
    running: { title: shortened(title), agency: shortened(agency ?? '') },
    agency: breakable(agency ?? ''),
    contacts: contacts.map(breakable),
    author: agency ?? [],
    language: locale.slice(0, 2),
    footNote,
    date: { year, month, day },
    palette,
    logo: logo && logoName(logo),
    sections: sections.map(section => sectionPaper(section, palette)),
  })
}

function sectionPaper({ blocks, ...section }: Section, palette: Palette): object {
  return { ...section, blocks: blocks.map(block => blockPaper(block, palette)) }
}

function blockPaper(block: Block, palette: Palette): object {
  if (block.kind === 'facts')
    return { ...block, facts: block.facts.map(({ label, value }) => ({ label, value: breakable(value) })) }
  if (block.kind === 'figure')
    return { ...block, svg: block.draw({ width: figureWidth, palette }), alt: block.caption }
  return block
}

function shortened(text: string): string {
  return text.length > runningMax ? `${text.slice(0, runningMax).trimEnd()}…`.toWellFormed() : text
}

const segmenter = new Intl.Segmenter()
/** The fonts of the paper hold few pictures. */
const picture =
  /[[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]--[©®™‼⁉↔-↙▪▫▶◀☑☕☺♀♂♠♣♥♦✔❤]]/v
/** What makes a picture of the signs around it. */
const pictureMarks = /\p{Variation_Selector}|\u200d|\u20e3/gu

/** What a reader sees as one each. */
function signsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** What is printable without pictures, which would be empty boxes. */
function inLetters(text: string): string {
  const letters = signsOf(printable(text))
    .filter(sign => !picture.test(sign))
    .join('')
    .replace(pictureMarks, '')
    .replace(/ {2,}/g, ' ')
  return printable(letters)
}

/** Typst breaks lines at blanks alone: words that are too long for a line get invisible ones. */
function breakable(text: string): string {
  return printable(text).replace(new RegExp(`\\S{${unbrokenMax + 1},}`, 'gu'), word =>
    signsOf(word)
      .map((sign, at) => (at > 0 && at % pieceLength === 0 ? `\u200b${sign}` : sign))
      .join(''),
  )
}
