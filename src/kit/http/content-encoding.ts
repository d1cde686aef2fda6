/** Decodes Content-Encoding (RFC 9110, section 8.4). */
import { type Duplex, pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

const decoders: Record<string, (start: Buffer) => Duplex> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Should begin with the two-byte zlib header (RFC 1950), but some servers leave it out.
  deflate: start => (((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
}

/**
 * Yields the decoded bytes of a body as they arrive. Unknown encodings are passed through; an empty body stays empty.
 */
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
  async function* withFirst() {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  // Errors of the source and the decoder surface in the last stream of the pipeline.
  yield* pipeline(Readable.from(withFirst()), decoderFor(first.value), () => {})
}
