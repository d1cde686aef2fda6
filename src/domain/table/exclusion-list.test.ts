/** Exclusion lists of any form, and the identifiers in them. */
import { expect, test } from 'vitest'
import { readExclusionList } from './exclusion-list.ts'

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

async function read(text: string): Promise<[number, ...string[]][]> {
  const rows: [number, ...string[]][] = []
  for await (const { number, identifiers } of readExclusionList(bytes(text), 'ES'))
    rows.push([number, ...identifiers.map(({ value }) => value)])
  return rows
}

const [p1, p2, p3] = ['+34612345671', '+34612345672', '+34612345673']

test.each<[what: string, text: string, expected: [number, ...string[]][]]>([
  [
    'one column without a heading',
    '612345671\n612345672\n612345673\n',
    [
      [1, p1],
      [2, p2],
      [3, p3],
    ],
  ],
  [
    'numbers with a prefix and no sign',
    '34612345671\n34612345672\n',
    [
      [1, p1],
      [2, p2],
    ],
  ],
  ['a single number', '612345671', [[1, p1]]],
  ['a single address', 'ana@x.es\n', [[1, 'ana@x.es']]],
  ['a meaningful heading', 'Teléfono\n612 345 671\n', [[2, p1]]],
  [
    'a meaningless heading',
    'Robinson\n612 345 671\n612 345 672\n',
    [
      [2, p1],
      [3, p2],
    ],
  ],
  [
    'several columns with contact data, and others',
    'Nombre;NIF;Móvil;Correo\nAna;12345678Z;612345671;ANA@x.es\nEva;612345679;612345672;\n',
    [
      [2, p1, 'ana@x.es'],
      [3, p2],
    ],
  ],
  ['several values in a cell', 'telefono\n612345671 / 612345672\n', [[2, p1, p2]]],
  [
    'alternating addresses and numbers',
    'ana@x.es\n612345671\nmailto:eva@x.es\n',
    [
      [1, 'ana@x.es'],
      [2, p1],
      [3, 'eva@x.es'],
    ],
  ],
  [
    'chats',
    'contacto\nwhatsapp:34612345671\ntel:612345672\n',
    [
      [2, p1, 'whatsapp:34612345671'],
      [3, p2],
    ],
  ],
  ['unreadable, blank and rounded values', 'Teléfono\nnone\n\n3,46E+10\n612345671\n', [[2], [4], [5, p1]]],
])('a list of %s', async (_what, text, expected) => {
  expect(await read(text)).toEqual(expected)
})

test('a list longer than the sample is read completely and in order', async () => {
  const numbers = Array.from({ length: 250 }, (_, index) => String(612_000_000 + index))
  expect(await read(`Tel\n${numbers.join('\n')}`)).toEqual(
    numbers.map((number, index) => [index + 2, `+34${number}`]),
  )
})

test.each([
  ['numbers', '612345671 '.repeat(1100)],
  ['pieces of numbers', '1 '.repeat(200_000)],
  ['at signs', '@'.repeat(500_000)],
])('a row with endless %s is refused, so that no person on it is lost', async (_what, cell) => {
  await expect(read(`Teléfono;Nombre\n612345671;Ana\n${cell};Eva\n`)).rejects.toThrow('Row 3 has more than')
})

test('a long text in another column is accepted', async () => {
  expect(await read(`Teléfono;Notas\n612345671;${'x'.repeat(20_000)}\n`)).toEqual([[2, p1]])
})
