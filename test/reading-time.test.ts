/** How long it takes to read what strangers write: as long as the text is, whatever is in it, and never as its square. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENDS, type Read, type Reader, readers } from './hostile-text.ts'

const usualLength = 64 * 1024

/** Milliseconds of the processor, the fewest of some attempts: what else the machine does does not count. */
async function timeOf(read: Read, text: string, attempts: number): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = process.cpuUsage()
    const reading = read(text)
    if (reading instanceof Promise) await reading
    const { user, system } = process.cpuUsage(before)
    fewest = Math.min(fewest, (user + system) / 1000)
  }
  return fewest
}

/** A text four times as long may take four times as long; one that takes twelve times as long grows with the square. */
async function expectLinear(
  { read, firstLength = usualLength }: Reader,
  textOf: (length: number) => string,
): Promise<void> {
  const short = textOf(firstLength)
  // Of most texts one look is enough: a reader that grew with the square would take longer for any of this length.
  if ((await timeOf(read, short, 1)) < 5) return
  const long = textOf(4 * firstLength)
  const longMs = await timeOf(read, long, 1)
  // What grows with the square takes seconds for so long a text; a busy machine makes tens of milliseconds of a few.
  if (longMs < 250 || longMs < 8 * (await timeOf(read, short, 2))) return
  const ratio = (await timeOf(read, long, 3)) / (await timeOf(read, short, 5))
  expect(ratio, `${Math.round(longMs)} ms for ${JSON.stringify(short.slice(0, 60))}`).toBeLessThan(12)
}

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))

describe.each(Object.entries(readers))('%s is read in time', (_name, reader) => {
  const { pieces, beginnings } = reader
  test('whatever stands in it again and again', async () => {
    for (const [at, piece] of pieces.entries()) {
      const beginning = beginnings[at % beginnings.length]!
      const end = ENDS[at % ENDS.length]!
      await expectLinear(reader, length => beginning + repeat(piece, length) + end)
    }
  })

  test('whatever follows what', async () => {
    const piece = fc.constantFrom(...pieces)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...beginnings),
        piece,
        piece,
        fc.constantFrom(...ENDS),
        fc.boolean(),
        async (beginning, one, other, end, inTurn) => {
          const middleOf = (length: number) =>
            inTurn ? repeat(one + other, length) : repeat(one, length / 2) + repeat(other, length / 2)
          await expectLinear(reader, length => beginning + middleOf(length) + end)
        },
      ),
      { numRuns: 15 },
    )
  })
})

/** Texts that once took seconds. */
const once: [reader: string, textOf: (length: number) => string][] = [
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
  ['JSON-LD', length => hub(length)],
  ['an Atom feed', length => `<feed>${repeat('<', length)}`],
  ['elements of a stream', length => `<root>${repeat('<', length)}`],
  ['an e-mail address', length => `${repeat(')', length)}x`],
  ['robots.txt', length => `user-agent: *\ndisallow: ${repeat('€', length)}`],
  ['robots.txt', length => numbered(length, name => `user-agent: a${name}\ncrawl-delay: 1\n`)],
  ['lines of characteristics', length => numbered(length, name => `é ${name}\n`)],
  ['a search of portal_a', length => `<a ${repeat(' rel=next', length)}`],
  ['an advert of portal_b', length => `utag_data = {ad_id:1};${repeat('id="lnkMoreBuildings"', length)}`],
  ['an advert of portal_d', length => `<div class="ficha">abreMapa('1${repeat('1', length)}`],
]

test.each(once)('%s no longer stalls on %s', async (name, textOf) => {
  await expectLinear(readers[name]!, textOf)
})

test.each(once)('%s is read however long the text: %s', async (name, textOf) => {
  await readers[name]!.read(textOf(2_000_000))
})

/** Many nodes that lead to one that leads to many. */
function hub(length: number): string {
  const offers = Array.from({ length: length / 60 }, (_, at) => ({ '@type': 'Offer', url: `/${at}` }))
  const products = Array.from({ length: 500 }, () => ({ '@type': 'Product', about: { '@id': '#hub' } }))
  const graph = [{ '@type': 'Product', '@id': '#hub', offers }, ...products]
  return `<script type="application/ld+json">${JSON.stringify({ '@graph': graph })}</script>`
}

/** Pieces that are all different, named in letters. */
function numbered(length: number, pieceOf: (name: string) => string): string {
  const nameOf = (at: number) =>
    [...at.toString(16)].map(digit => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')
  return Array.from({ length: length / pieceOf('abcd').length }, (_, at) => pieceOf(nameOf(at))).join('')
}
