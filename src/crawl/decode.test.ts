/** Text out of bytes: whatever says in which letters it is written, and what does not. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isGzip } from '../kit/gzip.ts'
import { decodeReply } from './decode.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const html = 'text/html'

describe('the letters of a document', () => {
  test.each<[string, Buffer, string | undefined, string]>([
    ['are UTF-8 if nothing is said', Buffer.from('Logroño 1 €'), undefined, 'Logroño 1 €'],
    ['are UTF-8 if what is said is unknown', Buffer.from('Logroño'), 'text/html; charset=no-such', 'Logroño'],
    ['are said by the header', latin('Logroño'), 'text/html; charset=ISO-8859-1', 'Logroño'],
    ['are said by the header in quotes', latin('Logroño'), 'text/html;Charset="iso-8859-1"', 'Logroño'],
    ['called ISO-8859-1 are windows-1252', latin('1 \x80'), 'text/html; charset=iso-8859-1', '1 €'],
    ['called ISO-8859-15 are not', latin('1 \xA4'), 'text/html; charset=iso-8859-15', '1 €'],
    [
      'are said by the header rather than by the document',
      Buffer.from('<meta charset="windows-1252">Logroño'),
      'text/html; charset=utf-8',
      '<meta charset="windows-1252">Logroño',
    ],
    [
      'are said by a meta tag',
      latin('<meta charset="windows-1252">ñ'),
      html,
      '<meta charset="windows-1252">ñ',
    ],
    [
      'are said by a meta tag without quotes',
      latin('<meta charset=latin1>ñ'),
      html,
      '<meta charset=latin1>ñ',
    ],
    [
      'are said by a meta tag with spaces',
      latin('<META charset = latin1 >ñ'),
      html,
      '<META charset = latin1 >ñ',
    ],
    [
      'are said by an old meta tag',
      latin('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"/>ñ'),
      html,
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"/>ñ',
    ],
    [
      'are not said by another tag',
      Buffer.from('<script charset="latin1">ñ'),
      html,
      '<script charset="latin1">ñ',
    ],
    [
      'are said by the XML declaration',
      latin(`<?xml version='1.0' encoding='ISO-8859-1'?><a>ñ</a>`),
      'application/xml',
      `<?xml version='1.0' encoding='ISO-8859-1'?><a>ñ</a>`,
    ],
    [
      'are said by the mark of UTF-8 rather than by the header',
      Buffer.from('\uFEFFñ'),
      'a/b; charset=latin1',
      'ñ',
    ],
    ['are said by the mark of UTF-16, little end first', utf16('\uFEFFñ'), 'a/b; charset=latin1', 'ñ'],
    ['are said by the mark of UTF-16, big end first', utf16('\uFEFFñ').swap16(), undefined, 'ñ'],
    ['are UTF-16 without a mark if the header says so', utf16('ñ'), 'text/xml; charset=utf-16le', 'ñ'],
    // Programs that write text in memory declare it so, whatever they then send.
    [
      'are not UTF-16 where the declaration can be read as ASCII',
      Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>ñ</a>'),
      'application/xml',
      '<?xml version="1.0" encoding="utf-16"?><a>ñ</a>',
    ],
    ['broken in a place are read all around it', Buffer.from([0x61, 0xff, 0x62]), undefined, 'a\uFFFDb'],
    ['may be none', Buffer.alloc(0), undefined, ''],
  ])('%s', (_what, body, contentType, text) => {
    expect(decodeReply(body, contentType)).toBe(text)
  })

  test('are said in the first kilobyte or not at all', () => {
    const meta = '<meta charset="latin1">'
    const behind = (length: number) => decodeReply(latin(`${' '.repeat(length)}${meta}ñ`), html).at(-1)
    expect([behind(1024 - meta.length), behind(1024)]).toEqual(['ñ', '\uFFFD'])
  })

  test('are found in a part of a larger buffer', () => {
    const around = latin('xxxx<meta charset="latin1">ñyyyy')
    expect(decodeReply(around.subarray(4, -4), html)).toBe('<meta charset="latin1">ñ')
  })
})

describe('a gzip file', () => {
  test('is unpacked, and then says its letters', () => {
    expect(decodeReply(gzipSync(latin('<meta charset="latin1">ñ')), html)).toBe('<meta charset="latin1">ñ')
    expect(decodeReply(gzipSync('ñ'), 'application/gzip')).toBe('ñ')
  })

  test('that is broken, or has no end, is left as it is', () => {
    const whole = gzipSync('Logroño'.repeat(1000))
    const endless = gzipSync(Buffer.alloc(65 * 1024 * 1024))
    for (const body of [whole.subarray(0, -10), endless]) {
      expect(decodeReply(body, html)).toBe(new TextDecoder().decode(body))
    }
  })

  test('is known by its first two bytes', () => {
    expect(isGzip(gzipSync(''))).toBe(true)
    for (const text of ['', '\x1f', 'PK', '<html>']) expect(isGzip(latin(text))).toBe(false)
  })
})
