/** Decoding of replies: where the encoding comes from. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isGzip } from '../kit/gzip.ts'
import { decodeReply } from './decode.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const html = 'text/html'

describe('the encoding of a document', () => {
  test.each<[string, Buffer, string | undefined, string]>([
    ['is UTF-8 by default', Buffer.from('Logroño 1 €'), undefined, 'Logroño 1 €'],
    ['is UTF-8 if the label is unknown', Buffer.from('Logroño'), 'text/html; charset=no-such', 'Logroño'],
    ['is read from the header', latin('Logroño'), 'text/html; charset=ISO-8859-1', 'Logroño'],
    ['is read from the header in quotes', latin('Logroño'), 'text/html;Charset="iso-8859-1"', 'Logroño'],
    ['is windows-1252 if it is labelled ISO-8859-1', latin('1 \x80'), 'text/html; charset=iso-8859-1', '1 €'],
    ['is ISO-8859-15 if it is labelled so', latin('1 \xA4'), 'text/html; charset=iso-8859-15', '1 €'],
    [
      'is read from the header before the document',
      Buffer.from('<meta charset="windows-1252">Logroño'),
      'text/html; charset=utf-8',
      '<meta charset="windows-1252">Logroño',
    ],
    [
      'is read from a meta tag',
      latin('<meta charset="windows-1252">ñ'),
      html,
      '<meta charset="windows-1252">ñ',
    ],
    [
      'is read from a meta tag without quotes',
      latin('<meta charset=latin1>ñ'),
      html,
      '<meta charset=latin1>ñ',
    ],
    [
      'is read from a meta tag with spaces',
      latin('<META charset = latin1 >ñ'),
      html,
      '<META charset = latin1 >ñ',
    ],
    [
      'is read from an http-equiv meta tag',
      latin('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"/>ñ'),
      html,
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"/>ñ',
    ],
    [
      'is not read from another tag',
      Buffer.from('<script charset="latin1">ñ'),
      html,
      '<script charset="latin1">ñ',
    ],
    [
      'is read from the XML declaration',
      latin(`<?xml version='1.0' encoding='ISO-8859-1'?><a>ñ</a>`),
      'application/xml',
      `<?xml version='1.0' encoding='ISO-8859-1'?><a>ñ</a>`,
    ],
    [
      'is read from the byte order mark of UTF-8 before the header',
      Buffer.from('\uFEFFñ'),
      'a/b; charset=latin1',
      'ñ',
    ],
    ['is read from the byte order mark of UTF-16LE', utf16('\uFEFFñ'), 'a/b; charset=latin1', 'ñ'],
    ['is read from the byte order mark of UTF-16BE', utf16('\uFEFFñ').swap16(), undefined, 'ñ'],
    [
      'is UTF-16 without a byte order mark if the header says so',
      utf16('ñ'),
      'text/xml; charset=utf-16le',
      'ñ',
    ],
    // Some programs declare their in-memory encoding, but send another one.
    [
      'is not UTF-16 if the declaration can be read as ASCII',
      Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>ñ</a>'),
      'application/xml',
      '<?xml version="1.0" encoding="utf-16"?><a>ñ</a>',
    ],
    ['may have invalid bytes, which become U+FFFD', Buffer.from([0x61, 0xff, 0x62]), undefined, 'a\uFFFDb'],
    ['is UTF-8 for an empty body', Buffer.alloc(0), undefined, ''],
  ])('%s', (_what, body, contentType, text) => {
    expect(decodeReply(body, contentType)).toBe(text)
  })

  test('is read from the first kilobyte only', () => {
    const meta = '<meta charset="latin1">'
    const lastCharacterAfter = (length: number) =>
      decodeReply(latin(`${' '.repeat(length)}${meta}ñ`), html).at(-1)
    expect([lastCharacterAfter(1024 - meta.length), lastCharacterAfter(1024)]).toEqual(['ñ', '\uFFFD'])
  })

  test('is found in a slice of a larger buffer', () => {
    const around = latin('xxxx<meta charset="latin1">ñyyyy')
    expect(decodeReply(around.subarray(4, -4), html)).toBe('<meta charset="latin1">ñ')
  })
})

describe('a gzip file', () => {
  test('is unpacked before its encoding is read', () => {
    expect(decodeReply(gzipSync(latin('<meta charset="latin1">ñ')), html)).toBe('<meta charset="latin1">ñ')
    expect(decodeReply(gzipSync('ñ'), 'application/gzip')).toBe('ñ')
  })

  test('that is broken, or unpacks without end, is returned unchanged', () => {
    const whole = gzipSync('Logroño'.repeat(1000))
    const endless = gzipSync(Buffer.alloc(65 * 1024 * 1024))
    for (const body of [whole.subarray(0, -10), endless]) {
      expect(decodeReply(body, html)).toBe(new TextDecoder().decode(body))
    }
  })

  test('is recognized by its first two bytes', () => {
    expect(isGzip(gzipSync(''))).toBe(true)
    for (const text of ['', '\x1f', 'PK', '<html>']) expect(isGzip(latin(text))).toBe(false)
  })
})
