/** Extracts the text of PDFs of Typst, without blanks, for tests. */
import { inflateSync } from 'node:zlib'

/**
 * Decodes each string with every font, because the font of a string is stored elsewhere. The result has every text,
 * and some nonsense. Blanks and hyphens at line ends are omitted.
 */
export function extractPdfText(pdf: Uint8Array): string {
  const { fonts, pages } = parsePdf(pdf)
  return fonts.map(letters => pages.map(page => decodeText(page, letters)).join('')).join('\n')
}

/** The text of each page. */
export function extractPdfPages(pdf: Uint8Array): string[] {
  const { fonts, pages } = parsePdf(pdf)
  return pages.map(page => fonts.map(letters => decodeText(page, letters)).join('\n'))
}

function parsePdf(pdf: Uint8Array) {
  const streams = listStreams(Buffer.from(pdf))
  return {
    fonts: streams.filter(stream => stream.includes('beginbfchar')).map(parseLetters),
    pages: streams.filter(stream => stream.includes(' Tf\n') || stream.includes(' Tf ')),
  }
}

function listStreams(pdf: Buffer): string[] {
  const streams: string[] = []
  for (let offset = pdf.indexOf('\nstream\n'); offset >= 0; offset = pdf.indexOf('\nstream\n', offset + 1)) {
    const bytes = pdf.subarray(offset + 8, pdf.indexOf('endstream', offset))
    // Compressed streams begin with this byte.
    streams.push((bytes[0] === 0x78 ? inflateSync(bytes) : bytes).toString('latin1'))
  }
  return streams
}

/** Maps glyph numbers to letters. */
function parseLetters(map: string): Map<number, string> {
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

/** Parses strings; balanced brackets have no backslash. */
const strings = /\(((?:[^()\\]|\\[\s\S]|\((?:[^()\\]|\\[\s\S])*\))*)\)/g

function decodeText(page: string, letters: Map<number, string>): string {
  return [...page.matchAll(strings)]
    .map(([, string]) => Buffer.from(removeEscapes(string!), 'latin1'))
    .map(bytes =>
      Array.from(
        { length: bytes.length >> 1 },
        (_, offset) => letters.get(bytes.readUInt16BE(offset * 2)) ?? '',
      ).join(''),
    )
    .join('')
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function removeEscapes(string: string): string {
  return string.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, sign: string) =>
    /^[0-7]/.test(sign) ? String.fromCharCode(Number.parseInt(sign, 8)) : (escapes[sign] ?? sign),
  )
}
