/** Parses JavaScript literals without executing them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { findClosingBracket, parseLiteral } from './js-literal.ts'

const readLiteral = (text: string) => parseLiteral(text, 0).value

describe('literals', () => {
  const rows: [text: string, value: unknown][] = [
    ['{"a":[1,2.5,-3e2,true,null,"x"]}', { a: [1, 2.5, -300, true, null, 'x'] }],
    ['{a:1,$b_2:"x",3:true}', { a: 1, $b_2: 'x', 3: true }],
    [`{'a':'it"s', "b":"it's"}`, { a: 'it"s', b: "it's" }],
    ['[1,2,]', [1, 2]],
    ['{a:1,}', { a: 1 }],
    ['{}', {}],
    ['[ ]', []],
    ['{a:undefined,b:!0,c:!1,d:null}', { b: true, c: false, d: null }],
    ['[undefined,.5,+1,0x1F]', [null, 0.5, 1, 31]],
    ['// a note\n /* another */ {a: /* in it */ 1 // and here\n}', { a: 1 }],
    ['{a:`x\ny`}', { a: 'x\ny' }],
    ['"text"', 'text'],
    ['JSON.parse("{\\"a\\":\\"\\\\u00e9 \\\\\\"q\\\\\\"\\"}")', { a: 'é "q"' }],
    [`JSON.parse('{"a":"it\\'s \\\\n"}')`, { a: "it's \n" }],
    ['JSON.parse(`[1]`)', [1]],
    ['JSON.parse(decodeURIComponent("%7B%22a%22%3A1%7D"))', { a: 1 }],
    ['({a:1})', { a: 1 }],
    ['{list:JSON.parse("[1,2]"),b:2}', { list: [1, 2], b: 2 }],
    ['{"__proto__":{"x":1},y:2}', JSON.parse('{"__proto__":{"x":1},"y":2}')],
  ]
  test.each(rows)('%s', (text, value) => {
    expect(readLiteral(text)).toEqual(value)
  })

  test.each<[text: string, value: string]>([
    [`'\\x41\\u0042\\u{1F600}'`, 'AB😀'],
    [`'\\b\\f\\n\\r\\t\\v\\0'`, '\b\f\n\r\t\v\0'],
    [`'a\\\nb\\'c\\"d\\/e\\z'`, 'ab\'c"d/ez'],
    [`'\\\\'`, '\\'],
    [`'\\u{FFFFFF}'`, '\uFFFD'],
  ])('the escapes of %j', (text, value) => {
    expect(readLiteral(text)).toBe(value)
  })

  test('expressions are omitted from objects and null in arrays, and parsing continues after them', () => {
    const text = `{a: b, c: d == "}" ? [] : e.split(","), f: "x" + g, h: function (i) { return "}" }, j: new Date(1),
      k() { return 1 }, ...l, m: \`\${n}\`, o: [p, 1, q("]")], r: void 0, s: 1}`
    expect(readLiteral(text)).toEqual({ o: [null, 1, null], s: 1 })
  })

  test.each(['', ' ', 'name', 'f()', '{', '["a', '{a:1', 'JSON.parse("{")', 'JSON.parse("[1]"', '"a', '[1}'])(
    'there is no literal in %j',
    text => {
      expect(readLiteral(text)).toBeUndefined()
    },
  )

  test('a literal ends at its closing bracket, ignoring brackets in strings', () => {
    const literal = `{"a":"}\\"]",'b':'{[("',"c":[{}]}`
    expect(findClosingBracket(`${literal};more}`, 0)).toBe(literal.length)
    expect(parseLiteral(`x=${literal};`, 2).end).toBe(literal.length + 2)
    expect(findClosingBracket('{"a":[}', 0)).toBe(-1)
  })
})

test('any JSON value survives as plain JSON, in a string, and with bare keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const json = JSON.stringify(value)
      const expected = JSON.parse(json)
      expect(readLiteral(`(${json})`)).toEqual(expected)
      expect(readLiteral(`JSON.parse(${JSON.stringify(json)})`)).toEqual(expected)
      const single = json.replace(/[\\']/g, '\\$&').replaceAll('\u2028', '\\u2028')
      expect(readLiteral(`JSON.parse('${single}')`)).toEqual(expected)
      expect(readLiteral(`{/**/a:${json}}`)).toEqual({ a: expected })
    }),
    { numRuns: 500 },
  )
})

describe('arbitrary text', () => {
  test('never makes parsing fail', () => {
    const chunk = fc.constantFrom(
      ...'{ } [ ] ( ) " \' ` , : \\ / * // /* JSON.parse( a 1 ! ${ \n -'.split(' '),
      ' ',
    )
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 10 }),
      fc.array(chunk, { maxLength: 40 }).map(list => list.join('')),
    )
    fc.assert(
      fc.property(text, text => {
        const { end } = parseLiteral(text, 0)
        expect(end).toBeGreaterThanOrEqual(0)
        expect(end).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 1000 },
    )
  })

  test('is parsed in bounded time, however long or deep', () => {
    const started = performance.now()
    for (const chunk of [
      '[',
      '{a:',
      '(',
      'JSON.parse(',
      '{a:[',
      '"',
      "'\\",
      'a,',
      '/*',
      '//',
      '[1,',
      '{a:b+',
      '((',
      '`',
    ])
      for (const opening of ['', '{a:', '['])
        for (const closing of ['', '}', ']', '}]', '"}'])
          parseLiteral(opening + chunk.repeat(10_000) + closing, 0)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
