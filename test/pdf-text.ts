/** What a PDF of Typst says, for tests: the letters of its pages, without blanks. */
import { inflateSync } from 'node:zlib'

/**
 * Each font is tried on each string, since which one it is written in is told elsewhere: so every text occurs, and among others
 * some nonsense. Blanks and hyphens at the ends of lines are left out.
 */
export function pdfText(pdf: Uint8Array): string {
  const { fonts, pages } = readPdf(pdf)
  return fonts.map(letters => pages.map(page => spoken(page, letters)).join('')).join('\n')
}

/** The same of each page. */
export function pdfPages(pdf: Uint8Array): string[] {
  const { fonts, pages } = readPdf(pdf)
  return pages.map(page => fonts.map(letters => spoken(page, letters)).join('\n'))
}

function readPdf(pdf: Uint8Array) {
  const streams = listStreams(Buffer.from(pdf))
  return {
    fonts: streams.filter(stream => stream.includes('beginbfchar')).map(readLetters),
    pages: streams.filter(stream => stream.includes(' Tf\n') || stream.includes(' Tf ')),
  }
}

function listStreams(pdf: Buffer): string[] {
  const streams: string[] = []
  for (let offset = pdf.indexOf('\nstream\n'); offset >= 0; offset = pdf.indexOf('\nstream\n', offset + 1)) {
    const bytes = pdf.subarray(offset + 8, pdf.indexOf('endstream', offset))
    // What is compressed begins with this byte.
    streams.push((bytes[0] === 0x78 ? inflateSync(bytes) : bytes).toString('latin1'))
  }
  return streams
}

/** Numbers of glyphs to letters. */
function readLetters(map: string): Map<number, string> {
  const pairs = map.matchAll(/<([0-9A-F]{4})> <([0-9A-F]+)>/gi)
  return new Map(
    [...pairs].map(([, glyph, letters]) => [
      Number.parseInt(glyph!, 16),
      Buffer.from(letters!, 'hex')
        .swap16()
        .toString('utf16le')
        .replace(/[\s\u200b\u00ad]/g, ''),
    ]),
  )
}

/** Brackets in pairs stand in them without a backslash. */
const strings = /\(((?:[^()\\]|\\[\s\S]|\((?:[^()\\]|\\[\s\S])*\))*)\)/g

function spoken(page: string, letters: Map<number, string>): string {
  return [...page.matchAll(strings)]
    .map(([, string]) => Buffer.from(unescaped(string!), 'latin1'))
    .map(bytes =>
      Array.from(
        { length: bytes.length >> 1 },
        (_, offset) => letters.get(bytes.readUInt16BE(offset * 2)) ?? '',
      ).join(''),
    )
    .join('')
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function unescaped(string: string): string {
  return string.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, sign: string) =>
    /^[0-7]/.test(sign) ? String.fromCharCode(Number.parseInt(sign, 8)) : (escapes[sign] ?? sign),
  )
}
