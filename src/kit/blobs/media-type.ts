/** What a file is, by its bytes, and the headers that it is safe to serve it with. */
const unknownType = 'application/octet-stream'

/** What a browser may show by itself: none of these runs anything. */
const inlineTypes = new Set([
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
  'video/mp4',
  'video/3gpp',
  'video/webm',
])

/** The media type that the first 4,100 bytes of a file show; `application/octet-stream` if they show none. */
export async function sniffMediaType(head: Buffer): Promise<string> {
  // 11 MB of memory, which a process that receives no file need not spend.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  // A list of codecs may follow, which headers of ours do not need.
  return found ? found.mime.replace(/;.*/, '') : unknownType
}

/**
 * Headers to serve a blob with. Pictures, sound and film are shown; everything else is a download of no type, so that no browser
 * runs it. `fileName`: what the download is called.
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
