/** Content-Encoding (RFC 9110, section 8.4): from the bytes on the wire to those that were meant. */
import { type Duplex, pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

const decoders: Record<string, (start: Buffer) => Duplex> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Meant with zlib's two bytes in front (RFC 1950); some servers have always left them out.
  deflate: start => (((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
}

/** The plain bytes of a body, as they come. An encoding that is not known is left as it is; an empty body is empty. */
export function decodeBody(body: AsyncIterable<Buffer>, contentEncoding = ''): AsyncIterable<Buffer> {
  const applied = contentEncoding.toLowerCase().split(',')
  return applied.reduceRight((source, name) => {
    const decoder = decoders[name.trim()]
    return decoder ? decode(source, decoder) : source
  }, body)
}

async function* decode(
  source: AsyncIterable<Buffer>,
  decoderFor: (start: Buffer) => Duplex,
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  async function* whole() {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  // What fails shows in what is read from the last of them.
  yield* pipeline(Readable.from(whole()), decoderFor(first.value), () => {})
}
