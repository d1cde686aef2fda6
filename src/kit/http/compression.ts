/** Replies are compressed with gzip for clients that accept it: lists shrink to a tenth, and the document of the API too. */
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Below that, the head weighs more than what is saved. */
const compressedMinBytes = 1024
/** The quickest: higher levels cost three times as much for the last tenth. */
const level = 1

/** Text alone: files of bytes are compressed already, and an event that waits in a buffer arrives too late. */
const compressibleTypes =
  /^(application\/(json|x-ndjson|openapi\+json)|text\/(html|css|csv|plain|javascript)|image\/svg\+xml)/

/** Applies to routes that are added in `app.after` alone: the others are known before the plug-in is. */
export function compressReplies(app: FastifyInstance): void {
  app.register(compress, {
    encodings: ['gzip'],
    globalDecompression: false,
    threshold: compressedMinBytes,
    customTypes: compressibleTypes,
    zlibOptions: { level },
  })
}
