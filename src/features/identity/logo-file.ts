/** The logo of the agency as a file of a public page, small enough for a header. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Logo, parseLogo } from '../../documents/logo.ts'
import { resizeImage } from '../../kit/blobs/images.ts'
import { createByteCache } from '../../kit/byte-cache.ts'
import type { Database } from '../../kit/db/index.ts'
import { toWeakETag } from '../../kit/etag.ts'
import type { PublicFile } from '../../kit/public-route.ts'
import { readLogo } from './settings.ts'

/** Twice the width in the header, for screens of high density. */
const widthPx = 480

const files = createByteCache<PublicFile>({
  maxBytes: 8_000_000,
  ttlMs: 600_000,
  sizeOf: ({ bytes }) => bytes.length,
})

/** Null: there is none, or it is no image. */
export async function readLogoFile(
  database: Database,
  tenantId: string,
  signal: AbortSignal,
): Promise<PublicFile | null> {
  const source = await database.readTenant({ tenantId }, readLogo)
  const logo = parseLogo(source)
  if (!logo) return null
  const version = createHash('sha256').update(logo.bytes).digest('base64url')
  const known = files.find(version)
  if (known) return known
  const file = { ...(await toFile(logo, tenantId, signal)), etag: toWeakETag(version) }
  files.store(version, file)
  return file
}

async function toFile({ format, bytes }: Logo, tenantId: string, signal: AbortSignal): Promise<PublicFile> {
  // It may hold event handlers, which run nowhere: in an image there is no scripting, and opened alone it has this policy.
  if (format === 'svg')
    return {
      type: 'image/svg+xml',
      bytes,
      headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
    }
  const open = async () => Readable.from([bytes])
  const [picture] = await resizeImage(
    { tenantId, keyId: 'logo' },
    open,
    { widths: [widthPx], format: 'webp' },
    { signal },
  )
  return { type: 'image/webp', bytes: picture!.bytes }
}
