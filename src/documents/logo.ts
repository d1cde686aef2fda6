/** Validates the logo of an agency. */
import { parseJpegFrame } from './jpeg.ts'

export interface Logo {
  format: 'png' | 'jpeg' | 'svg'
  bytes: Buffer
}

const bytesMax = 1_000_000
/** The largest width and height: a small file may decompress to an image that fills the memory. */
const pixelsMax = 4000
/**
 * SVG elements that multiply content or load files. Five nested levels of ten `use` take Typst two seconds, six take
 * twenty.
 */
const forbiddenSvg = /<!ENTITY|<(?:\w+:)?(?:use|pattern|filter|image|foreignObject|script)\b/i

/** Parses `Branding.logo`. Returns null if it cannot be printed. */
export function parseLogo(source: string | Uint8Array | null): Logo | null {
  const bytes = typeof source === 'string' ? parseDataUrl(source) : source && Buffer.from(source)
  if (!bytes || bytes.length > bytesMax) return null
  if (bytes.subarray(0, 8).equals(pngSignature))
    return isSmall(parsePngSize(bytes)) ? { format: 'png', bytes } : null
  if (bytes.subarray(0, 3).equals(jpegSignature))
    return isSmall(parseJpegSize(bytes)) ? { format: 'jpeg', bytes } : null
  const text = bytes.toString()
  return /<svg\b/.test(text) && !forbiddenSvg.test(text) ? { format: 'svg', bytes } : null
}

/** The file name that the templates read the logo from. */
export function toLogoFileName({ format }: Logo): string {
  return `logo.${format}`
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')
const jpegSignature = Buffer.from('ffd8ff', 'hex')

function parseDataUrl(url: string): Buffer | null {
  const comma = url.indexOf(',')
  return /^data:image\/[\w.+-]+;base64$/.test(url.slice(0, comma))
    ? Buffer.from(url.slice(comma), 'base64')
    : null
}

type Size = [width: number, height: number] | null

function isSmall(size: Size): boolean {
  return size?.every(pixels => pixels > 0 && pixels <= pixelsMax) ?? false
}

function parsePngSize(bytes: Buffer): Size {
  return bytes.length < 24 ? null : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

function parseJpegSize(bytes: Buffer): Size {
  const frame = parseJpegFrame(bytes)
  return frame && [frame.width, frame.height]
}
