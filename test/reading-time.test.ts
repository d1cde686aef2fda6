/** The time to parse external text is linear in its length for any content, never quadratic. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ends, type Read, type Reader, readers } from './hostile-text.ts'

const usualLength = 32 * 1024

/** Processor time in milliseconds, the minimum of several attempts, without other processes. */
async function measureReadMs(read: Read, text: string, attempts: number): Promise<number> {
  let minMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = process.cpuUsage()
    const reading = read(text)
    if (reading instanceof Promise) await reading
    const { user, system } = process.cpuUsage(before)
    minMs = Math.min(minMs, (user + system) / 1000)
  }
  return minMs
}

/**
 * Four times the length takes four times as long in linear time, and sixteen times in quadratic time; the limit is
 * twelve.
 */
async function expectLinear(
  { read, firstLength = usualLength }: Reader,
  makeText: (length: number) => string,
): Promise<void> {
  const short = makeText(firstLength)
  // One measurement is enough for most texts: a quadratic parser would be slower at this length.
  if ((await measureReadMs(read, short, 1)) < 1.5) return
  const long = makeText(4 * firstLength)
  const longMs = await measureReadMs(read, long, 1)
  // A quadratic parser takes hundreds of milliseconds for this length; a busy machine adds tens of them.
  if (longMs < 60 || longMs < 8 * (await measureReadMs(read, short, 2))) return
  let ratio = Number.POSITIVE_INFINITY
  // Other work of the process disturbs a measurement; a quadratic parser exceeds the limit in each of them.
  for (let round = 0; round < 5 && ratio >= 12; round++) {
    ratio = (await measureReadMs(read, long, 3)) / (await measureReadMs(read, short, 5))
  }
  expect(ratio, `${Math.round(longMs)} ms for ${JSON.stringify(short.slice(0, 60))}`).toBeLessThan(12)
}

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))

describe.each(Object.entries(readers))('%s is parsed in linear time', (_name, reader) => {
  const { pieces, beginnings } = reader
  test('with any repeated piece', async () => {
    for (const [index, piece] of pieces.entries()) {
      const beginning = beginnings[index % beginnings.length]!
      const end = ends[index % ends.length]!
      await expectLinear(reader, length => beginning + repeat(piece, length) + end)
    }
  })

  test('with any two repeated pieces', async () => {
    const piece = fc.constantFrom(...pieces)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...beginnings),
        piece,
        piece,
        fc.constantFrom(...ends),
        fc.boolean(),
        async (beginning, one, other, end, isAlternating) => {
          const makeMiddle = (length: number) =>
            isAlternating ? repeat(one + other, length) : repeat(one, length / 2) + repeat(other, length / 2)
          await expectLinear(reader, length => beginning + makeMiddle(length) + end)
        },
      ),
      { numRuns: 15 },
    )
  })
})

/** Texts that once took seconds to parse. */
const onceSlow: [reader: string, makeText: (length: number) => string][] = [
  ['microdata', length => `<div itemscope>${repeat(' itemprop=a', length)}`],
  ['microdata', length => `<div itemscope>${repeat('<span itemprop="a">', length)}`],
  ['microdata', length => `<div itemscope>${repeat('<b itemprop="a">x</b>', length)}`],
  ['microdata', length => `<div itemscope><b itemprop="${repeat('a ', length)}">x</b>`],
  ['microdata', length => `<div itemscope><b ${repeat(' ', length)} =itemprop>x</b>`],
  ['meta tags', length => `${repeat('<meta', length)}>`],
  ['a literal', length => `(${repeat('1', length)}a`],
  ['a literal', length => `[${repeat('/*,', length)}]`],
  ['a literal', length => `[${repeat(',', length)}]`],
  ['a state', length => repeat('__X = {', length)],
  ['JSON-LD', length => `<script type="application/ld+json">[{},${repeat(',//', length)}"</script>`],
  ['JSON-LD', length => repeat('<script type="application/ld+json"></script>', length)],
  ['JSON-LD', length => makeHub(length)],
  ['a page of any site', length => `<script>${repeat('a', length)}</script>`],
  ['a page of any site', length => `<script>${repeat('a={b:1};', length)}</script>`],
  ['a page of any site', length => `<script>a=[${repeat('{price:1,rooms:2},', length)}]</script>`],
  ['a page of any site', length => `<script type="application/json">{${makeKeys(length)}"a":1}</script>`],
  ['a page of any site', length => `<dl><dt>Price<dd>${repeat('é', length)}`],
  ['a page of any site', length => makeNumbered(length, name => `<div class=card><a href="/${name}">1 €`)],
  ['a page of any site', length => repeat('<svg><path>', length)],
  ['a page of any site', length => repeat('<h2>Similar properties</h2>', length)],
  ['a page of any site', length => repeat('<div class="description">Some words ', length)],
  ['a page of any site', length => repeat('<div class="price">1 ', length)],
  ['an Atom feed', length => `<feed>${repeat('<', length)}`],
  ['elements of a stream', length => `<root>${repeat('<', length)}`],
  ['an e-mail address', length => `${repeat(')', length)}x`],
  ['robots.txt', length => `user-agent: *\ndisallow: ${repeat('€', length)}`],
  ['robots.txt', length => makeNumbered(length, name => `user-agent: a${name}\ncrawl-delay: 1\n`)],
  ['lines of characteristics', length => makeNumbered(length, name => `é ${name}\n`)],
  ['a search of portal_a', length => `<a ${repeat(' rel=next', length)}`],
  ['a listing of portal_b', length => `utag_data = {ad_id:1};${repeat('id="lnkMoreBuildings"', length)}`],
  ['a listing of portal_d', length => `<div class="ficha">abreMapa('1${repeat('1', length)}`],
]

test.each(onceSlow)('%s no longer stalls on %s', async (name, makeText) => {
  await expectLinear(readers[name]!, makeText)
})

test.each(onceSlow)('%s is parsed at any length: %s', async (name, makeText) => {
  await readers[name]!.read(makeText(1_000_000))
})

/** Different keys of embedded data. */
function makeKeys(length: number): string {
  return makeNumbered(length, name => `"price${name}":1,`)
}

/** Many nodes that refer to one node, which refers to many. */
function makeHub(length: number): string {
  const offers = Array.from({ length: length / 60 }, (_, index) => ({ '@type': 'Offer', url: `/${index}` }))
  const products = Array.from({ length: 500 }, () => ({ '@type': 'Product', about: { '@id': '#hub' } }))
  const graph = [{ '@type': 'Product', '@id': '#hub', offers }, ...products]
  return `<script type="application/ld+json">${JSON.stringify({ '@graph': graph })}</script>`
}

/** Different pieces with names in letters. */
function makeNumbered(length: number, makePiece: (name: string) => string): string {
  const toLetters = (index: number) =>
    [...index.toString(16)].map(digit => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')
  return Array.from({ length: length / makePiece('abcd').length }, (_, index) =>
    makePiece(toLetters(index)),
  ).join('')
}
