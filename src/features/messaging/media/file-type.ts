/** What an uploaded file is, by its content, and which files are not sent to people. */
import { Problem } from '../../../kit/problem.ts'
import type { MediaKind } from '../../../plugins/chat.ts'
import { mediaForbidden } from './problems.ts'

const kindByType: Record<string, MediaKind> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'image/gif': 'image',
  'image/avif': 'image',
  'video/mp4': 'video',
  'video/3gpp': 'video',
  'video/webm': 'video',
  'video/quicktime': 'video',
  // Ogg and AMR are the formats of recorded messages.
  'audio/ogg': 'voice',
  'audio/amr': 'voice',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/x-m4a': 'audio',
  'audio/aac': 'audio',
  'audio/wav': 'audio',
  'audio/webm': 'audio',
}

/** Documents whose content shows their type. HEIC photos are documents, because few programs show them. */
const documentTypes = new Set([
  'application/pdf',
  'application/rtf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'image/heic',
  'image/heif',
  'text/vcard',
  'text/calendar',
])

/** Types that only the caller can tell, by what the content shows. */
const declaredTypes: Record<string, Set<string>> = {
  // The container of the old Office formats.
  'application/x-cfb': new Set([
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
  ]),
  'application/octet-stream': new Set(['text/plain', 'text/csv', 'text/vcard', 'text/calendar']),
}

/** The media types that a caller may send. The content decides; `application/octet-stream`: only the content. */
export const uploadTypes: readonly string[] = [
  'text/plain',
  ...Object.keys(kindByType),
  ...documentTypes,
  ...Object.values(declaredTypes).flatMap(types => [...types]),
  'application/octet-stream',
].filter((type, index, all) => all.indexOf(type) === index)

/**
 * Returns the kind and the media type of a file. `sniffed`: the type that its first bytes show. Throws 415
 * MEDIA_FORBIDDEN for programs, pages, archives, office files with macros, and unknown content.
 */
export function detectFileType(
  head: Buffer,
  sniffed: string,
  declared: string,
): { kind: MediaKind; mediaType: string } {
  // A recorded message and a film have the same container.
  if (sniffed === 'video/webm' && declared === 'audio/webm') return { kind: 'audio', mediaType: declared }
  const kind = kindByType[sniffed]
  if (kind) return { kind, mediaType: sniffed }
  if (documentTypes.has(sniffed)) return { kind: 'document', mediaType: sniffed }
  const isDeclared = declaredTypes[sniffed]?.has(declared)
  if (isDeclared && (sniffed !== 'application/octet-stream' || isPlainText(head)))
    return { kind: 'document', mediaType: declared }
  throw head.length === 0 ? refuse('Empty files are') : forbidden(sniffed)
}

/** Text without control characters that begins with neither markup nor a script. */
function isPlainText(head: Buffer): boolean {
  // A character may be cut at the end.
  const text = head.toString('utf8').replace(/\ufffd{1,3}$/, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: programs contain them.
  return !/[\u0000-\u0008\u000e-\u001f]/.test(text) && !/^\ufeff?\s*(<|#!|%!|@echo|MZ)/i.test(text)
}

function forbidden(sniffed: string): Problem {
  const what = /msdownload|executable|elf|mach|dosexec/.test(sniffed)
    ? 'Programs are'
    : /zip|rar|7z|tar|compress|xz/.test(sniffed)
      ? 'Archives are'
      : sniffed === 'application/octet-stream'
        ? 'Files of an unknown type are'
        : `Files of the type ${sniffed} are`
  return refuse(what)
}

function refuse(what: string): Problem {
  return new Problem(
    mediaForbidden,
    `${what} not sent to people. Send a photo, a film, a recording, or a document such as a PDF.`,
  )
}
