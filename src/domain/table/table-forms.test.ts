/** Tables in the forms that occur in practice: separators, quotes, line ends, headings, and refused files. */
import { describe, expect, test } from 'vitest'
import { openTable } from './open-table.ts'
import { findErrorCode, readTable, toChunks } from './table-test-helpers.ts'

const readCells = async (text: string) => (await readTable(text)).rows.map(({ cells }) => cells)

describe('separators', () => {
  const rows: [what: string, text: string, separator: string, headings: string[], first: string[]][] = [
    ['decimal commas', 'a;b\n1,5;2,5\n3,5;4\n', ';', ['a', 'b'], ['1,5', '2,5']],
    [
      'an amount in one column',
      'Nombre;Precio\nAna;1,5\nEva;2,5\n',
      ';',
      ['Nombre', 'Precio'],
      ['Ana', '1,5'],
    ],
    ['commas in addresses', 'x;y\nAna;Luna, 3\nEva;Sol, 5\n', ';', ['x', 'y'], ['Ana', 'Luna, 3']],
    ['one column of amounts', 'precio\n1,5\n2,5\n', ';', ['precio'], ['1,5']],
    ['one column of addresses', 'Dirección\nLuna, 3\nSol, 5\n', ';', ['Dirección'], ['Luna, 3']],
    ['tabs with empty cells', 'a\tb\tc\n1\t\t3\n\t2\t\n', '\t', ['a', 'b', 'c'], ['1', '', '3']],
    ['bars', 'a|b\n1|x,y\n', '|', ['a', 'b'], ['1', 'x,y']],
    ["Excel's line", 'sep=;\r\na;b\r\n1,5;2\r\n', ';', ['a', 'b'], ['1,5', '2']],
    ["Excel's line with a rare separator", 'sep=^\na^b\n1^2\n', '^', ['a', 'b'], ['1', '2']],
    [
      'colons without any other separator',
      'name:phone\nAna:612345678\n',
      ':',
      ['name', 'phone'],
      ['Ana', '612345678'],
    ],
    ['colons in times', 'hora\n10:30\n11:15\n', ',', ['hora'], ['10:30']],
    ['words of one column', 'full name\nAna García\nEva Ruiz\n', ',', ['full name'], ['Ana García']],
  ]
  test.each(rows)('%s', async (_, text, separator, headings, first) => {
    const table = await readTable(text)
    expect({
      separator: table.format.separator,
      headings: table.headings,
      first: table.rows[0]!.cells,
    }).toEqual({
      separator,
      headings,
      first,
    })
  })
})

describe('quotes and line ends', () => {
  const rows: [what: string, text: string, cells: string[][]][] = [
    [
      'line ends of Windows',
      'a,b\r\n1,2\r\n3,4',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'line ends of old Macs',
      'a,b\r1,2\r3,4\r',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'a stray quote',
      'a,b\n5" screen,2\nx"y"z,4\n',
      [
        ['5" screen', '2'],
        ['x"y"z', '4'],
      ],
    ],
    ['text after a closing quote', 'a,b\n"Ana" García,2\n', [['"Ana" García', '2']]],
    ['space around quotes', 'a,b\n "1, one" , "2" \n', [['1, one', '2']]],
    [
      'lines within a cell',
      'a,b\n"x\n\ny",2\n3,4\n',
      [
        ['x\n\ny', '2'],
        ['3', '4'],
      ],
    ],
    ['a quoted first line', 'a,b\n"""x""\ny",2\n', [['"x"\ny', '2']]],
    [
      'apostrophes as quotes',
      "'a','b'\n'1, one','2'\n'3','4'\n",
      [
        ['1, one', '2'],
        ['3', '4'],
      ],
    ],
    [
      'an apostrophe before a number',
      "a,b\n'612,x\n'613,y\n",
      [
        ["'612", 'x'],
        ["'613", 'y'],
      ],
    ],
    [
      'escapes with a backslash',
      'a,b\n"say \\"hi, you\\" now",2\n"x",3\n',
      [
        ['say "hi, you" now', '2'],
        ['x', '3'],
      ],
    ],
    ['an escaped formula', "a,b\n'+34612345678,'=1\n", [['+34612345678', '=1']]],
    [
      'NUL characters',
      `a,b\n1,2\n${'x'.repeat(200)}\0,4\n`,
      [
        ['1', '2'],
        ['x'.repeat(200), '4'],
      ],
    ],
  ]
  test.each(rows)('%s', async (_, text, cells) => {
    expect(await readCells(text)).toEqual(cells)
  })
})

describe('a first row of unknown words', () => {
  test.each<[what: string, text: string, hasHeader: boolean, isSure: boolean]>([
    ['may be data', 'Marta Soler;Ático;Barcelona\nEva Gil;Bajo;Vigo\nPau Riba;Casa;Lugo\n', true, false],
    [
      'is data if it repeats values of the rows below',
      'Marta Soler;Ático;Vigo\nEva Gil;Bajo;Vigo\nPau;Casa;Lugo\n',
      false,
      true,
    ],
    ['is headings above numbers', 'Kunde;Objekt;Wert\nEva;Haus;5\nPau;Hof;7\n', true, true],
    ['is headings above phones', 'Kunde;Ruf\nEva;+34612345678\nPau;+34612345679\n', true, true],
    ['is headings if the whole row is repeated', 'Kunde;Objekt\nEva;Haus\nKunde;Objekt\n', true, false],
    ['is headings if one is known', 'Kunde;Ciudad\nEva;Vigo\nPau;Lugo\n', true, true],
  ])('%s', async (_what, text, hasHeader, isSure) => {
    const { format, isHeaderSure } = await readTable(text)
    expect([format.hasHeader, isHeaderSure]).toEqual([hasHeader, isSure])
  })

  test('is headings or data as specified', async () => {
    const open = (hasHeadings: boolean) =>
      openTable(toChunks(new TextEncoder().encode('Marta;Ático\nEva;Bajo\n')), hasHeadings)
    expect((await open(true)).headings).toEqual(['Marta', 'Ático'])
    const { headings, rows } = await open(false)
    expect(headings).toEqual(['column 1', 'column 2'])
    expect(await Array.fromAsync(rows)).toHaveLength(2)
  })
})

describe('headings', () => {
  const rows: [what: string, text: string, headerRow: number | null, headings: string[]][] = [
    [
      'titles above',
      'Listado de clientes\n\n12/11/2026\nNombre;Tlf.\nAna;612345678\n',
      4,
      ['Nombre', 'Tlf.'],
    ],
    ['blank and doubled', 'Tel,,Tel,tel\n1,2,3,4\n', 1, ['Tel', 'column 2', 'Tel (2)', 'tel']],
    ['a duplicate whose new name exists', 'x,x (2),x\n1,2,3\n', 1, ['x', 'x (2)', 'x (3)']],
    ['names of built-in object properties', '__proto__,constructor\n1,2\n', 1, ['__proto__', 'constructor']],
    ['empty last columns', 'a;b;;;\n1;2;;;\n', 1, ['a', 'b']],
    ['filled columns without a heading', 'a,b\n1,2,3\n4,5,6\n7,8,9\n', 1, ['a', 'b', 'column 3']],
    ['line breaks in a heading', '"first\nname",b\n1,2\n', 1, ['first name', 'b']],
    ['phones in the first row', 'Ana,612345678\nEva,613345678\n', null, ['column 1', 'column 2']],
    ['one row with an e-mail', 'Ana,ana@example.com\n', null, ['column 1', 'column 2']],
    ['numbers over numbers', '1,10\n2,20\n', null, ['column 1', 'column 2']],
    ['words over words', 'Ana,Madrid\nEva,Toledo\n', 1, ['Ana', 'Madrid']],
  ]
  test.each(rows)('%s', async (_, text, headerRow, headings) => {
    const table = await readTable(text)
    expect({ headerRow: table.format.headerRow, headings: table.headings }).toEqual({ headerRow, headings })
  })

  test('rows are numbered as in a spreadsheet, and a table with headings only is accepted', async () => {
    const { rows } = await readTable('a,b\n\n1,2\n,\n"3\n3",4\n5,6')
    expect(rows.map(({ number }) => number)).toEqual([3, 5, 6])
    expect((await readTable('Nombre,Teléfono\n')).rows).toEqual([])
  })
})

test('a row over 1 MiB is skipped, quoted or not, and the next one is read', async () => {
  const long = 'x'.repeat(1_100_000)
  const { rows } = await readTable(`a,b\n1,${long}\n2,"${long}\ny"\n3,z\n`)
  expect(rows).toEqual([
    { number: 2, cells: [], warning: null, isTooLarge: true },
    { number: 3, cells: [], warning: null, isTooLarge: true },
    { number: 4, cells: ['3', 'z'], warning: null },
  ])
})

describe('refused files', () => {
  const many = Array.from({ length: 40 }, (_, index) => `${index},"x ${index}",y`).join('\n')
  const rows: [what: string, content: string | Uint8Array, code: string][] = [
    ['nothing', '', 'FILE_EMPTY'],
    ['a byte order mark', '\ufeff', 'FILE_EMPTY'],
    ['blank lines', ' \r\n\r\n', 'FILE_EMPTY'],
    ['a quote never closed', 'a,b\n1,"x\n2,y\n3,z\n', 'QUOTE_NOT_CLOSED'],
    ['a quote closed by the next one', `a,b,c\n1,"x,y\n${many}\n`, 'QUOTE_NOT_CLOSED'],
    ['a cell too large', `a,b\n1,${'x'.repeat(4_300_000)}\n`, 'ROW_TOO_LARGE'],
    ['nothing but separators', `a,b\n1,2\n${','.repeat(8_600_000)}`, 'ROW_TOO_LARGE'],
    ['a heading again and again', 'a,'.repeat(16_000), 'TOO_MANY_COLUMNS'],
    ['blank headings, with one far to the right', `${','.repeat(30_000)}a`, 'TOO_MANY_COLUMNS'],
    ['headings with numbers of their own', 'a (2),a,'.repeat(4000), 'TOO_MANY_COLUMNS'],
    ['too many columns', `a,b\n1,2\n${'x,'.repeat(600)}\n`, 'TOO_MANY_COLUMNS'],
    [
      'too many headings',
      `${Array.from({ length: 501 }, (_, index) => `h${index}`).join(';')}\n`,
      'TOO_MANY_COLUMNS',
    ],
    ['a web page', ' <!DOCTYPE html><html><table><tr><td>a</td></tr></table>', 'HTML_PAGE'],
    ['XML', '<?xml version="1.0"?><Workbook/>', 'XML'],
    ['JSON', '[{"name": "Ana"}]', 'JSON'],
    ['contact cards', 'BEGIN:VCARD\nFN:Ana\nEND:VCARD', 'VCARD'],
    ['a PDF', '%PDF-1.7\n%âãÏÓ', 'PDF'],
    ['a workbook', 'PK\u0003\u0004....xl/workbook.xml', 'EXCEL_WORKBOOK'],
    ['an archive', 'PK\u0003\u0004....photos/1.jpg', 'ARCHIVE'],
    [
      'an old workbook',
      Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0),
      'EXCEL_WORKBOOK',
    ],
    ['packed bytes', Uint8Array.of(0x1f, 0x8b, 8, 0, 0), 'ARCHIVE'],
    ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10), 'NOT_TEXT'],
    [
      'any bytes',
      Uint8Array.from({ length: 4000 }, (_, index) => (index * 197 + (index >> 3)) % 256),
      'NOT_TEXT',
    ],
  ]
  test.each(rows)('%s', async (_, content, code) => {
    expect(await findErrorCode(content)).toBe(code)
  })

  test('the message names the line on which the quote opens', async () => {
    await expect(readTable('a,b\n1,2\n"x\ny",2\n3,"z\n4,5\n')).rejects.toThrow(/line 5 is never closed/)
    await expect(readTable(`a,b,c\n1,2,3\n4,"x,y\n${many}\n`)).rejects.toThrow(/opens on line 3 /)
    await expect(readTable(`a,b,c\r\n1,"\r\n",3\r\n4,"x,y\r\n5,"z",1\r\n`)).rejects.toThrow(
      /opens on line 4 /,
    )
  })

  test('a file with a late error yields the rows before it', async () => {
    const text = `a,b\n${'1,2\n'.repeat(100_000)}3,"x\n`
    const { rows } = await openTable(toChunks(new TextEncoder().encode(text), 10_000))
    let count = 0
    const readAll = async () => {
      for await (const row of rows) count = row.number
    }
    await expect(readAll()).rejects.toThrow('line 100002')
    expect(count).toBe(100_001)
  })
})
