/** Reads bodies of requests, of limited length. */
import type { IncomingMessage } from 'node:http'

/** Throws if the body is longer, or if the connection ends within it. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const tooLong = () => new Error(`A body has at most ${maxBytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLong()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
