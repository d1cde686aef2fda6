/** Detects the media type of a file from its content, and returns safe headers to serve it. */
export const unknownType = 'application/octet-stream'

/** The types that a browser may display: none of them can run scripts. */
export const inlineTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'audio/mpeg',
  'audio/ogg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/amr',
  'audio/webm',
  'audio/wav',
  'video/mp4',
  'video/3gpp',
  'video/webm',
])

/** Returns the media type of a file from its first 4,100 bytes; `application/octet-stream` if it is unknown. */
export async function sniffMediaType(head: Buffer): Promise<string> {
  // Loaded on first use, because it takes 11 MB of memory.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  // Drop parameters such as codecs.
  return found ? found.mime.replace(/;.*/, '') : unknownType
}

/**
 * Returns the headers to serve a blob. Images, audio and video are displayed inline; everything else is a download
 * without a type, so that no browser runs it. `fileName`: the name for saving.
 */
export function toDownloadHeaders(
  blob: { mediaType: string; bytes: number },
  fileName: string,
): Record<string, string> {
  const isInline = inlineTypes.has(blob.mediaType)
  const name = encodeURIComponent(fileName).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16)}`)
  return {
    'Content-Type': isInline ? blob.mediaType : unknownType,
    'Content-Length': String(blob.bytes),
    'Content-Disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-site',
  }
}
