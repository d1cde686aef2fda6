/** Compresses replies with gzip for clients that accept it: lists and the OpenAPI document shrink to a tenth. */
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Below this size the extra headers outweigh the saving. */
const compressedMinBytes = 1024
/** The fastest level: higher ones take three times as long to save another tenth. */
const level = 1

/** A page of a list is compressed at once, in less than a millisecond: streams cost more, and outlive small collections of garbage. */
const compressedAtOnceMaxBytes = 65_536

/** Text only: binary files are compressed already, and events would be delayed in the compressor's buffer. */
const compressibleTypes =
  /^(application\/(json|x-ndjson|openapi\+json)|text\/(html|css|csv|plain|javascript)|image\/svg\+xml)/

/** Applies only to routes that are added in `app.after`: earlier routes are registered before the plug-in is. */
export function compressReplies(app: FastifyInstance): void {
  app.register(compress, {
    encodings: ['gzip'],
    globalDecompression: false,
    threshold: compressedMinBytes,
    syncThreshold: compressedAtOnceMaxBytes,
    customTypes: compressibleTypes,
    zlibOptions: { level },
  })
}
