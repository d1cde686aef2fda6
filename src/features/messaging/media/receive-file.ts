/** Stores the content of a file with a small image of it. */
import { Readable } from 'node:stream'
import { addBlobReferences, type Blobs, type HeldBlob } from '../../../kit/blobs/blobs.ts'
import { type Picture, resizeImage } from '../../../kit/blobs/images.ts'
import { sniffMediaType } from '../../../kit/blobs/media-type.ts'
import { imageDamaged } from '../../../kit/blobs/problems.ts'
import type { Tenant, Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import { fileObjectKind } from './queries.ts'

/** The largest file in either direction. */
export const fileBytesMax = 100 * 1024 * 1024
/** The part of a file that is read to detect its type: office documents show theirs late. */
const headBytesMax = 64 * 1024
const previewWidthPx = 480

export interface StoredFile {
  blob: HeldBlob
  preview: { blob: HeldBlob; widthPx: number; heightPx: number } | null
}

interface Storage {
  blobs: Blobs
  tenant: Tenant
  signal: AbortSignal
}

/** Reads the first bytes of a file, and what they show. */
export async function readFileHead(
  source: AsyncIterable<Buffer>,
): Promise<{ head: Buffer; sniffed: string }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= headBytesMax) break
  }
  const head = Buffer.concat(chunks).subarray(0, headBytesMax)
  return { head, sniffed: await sniffMediaType(head) }
}

/**
 * Stores a file. An image gets a preview; one that is too large for it, or of another format, has none. Throws 422
 * IMAGE_DAMAGED (unless `ignoresDamage`) and STORAGE_FULL, 413 PAYLOAD_TOO_LARGE.
 */
export async function storeFile(
  source: Readable,
  { isImage, ignoresDamage = false }: { isImage: boolean; ignoresDamage?: boolean },
  { blobs, tenant, signal }: Storage,
): Promise<StoredFile> {
  const blob = await blobs.receive(tenant, source, { bytesMax: fileBytesMax, signal })
  const picture = isImage
    ? await makePreview(blob, { blobs, tenant, signal }).catch(error => {
        if (ignoresDamage && isImageDamaged(error)) return null
        throw error
      })
    : null
  if (!picture) return { blob, preview: null }
  const { bytes, original } = picture
  const small = await blobs.receive(tenant, Readable.from([bytes]), { bytesMax: bytes.length, signal })
  return { blob, preview: { blob: small, widthPx: original.width, heightPx: original.height } }
}

async function makePreview(blob: HeldBlob, { blobs, tenant, signal }: Storage): Promise<Picture | null> {
  const open = () => blobs.read(tenant.tenantId, blob.id)
  try {
    const sizes = { widths: [previewWidthPx], format: 'webp' as const }
    const [picture] = await resizeImage(tenant, open, sizes, { signal })
    return picture!
  } catch (error) {
    if (error instanceof Problem && (error.status === 413 || error.status === 415)) return null
    throw error
  }
}

const isImageDamaged = (error: unknown): boolean =>
  error instanceof Problem && error.code === imageDamaged.code

/** Keeps the content and the preview for a file that was inserted in this transaction. */
export async function keepFile(tx: Tx, fileId: string, { blob, preview }: StoredFile): Promise<void> {
  await addBlobReferences(tx, { kind: fileObjectKind, objectId: fileId }, [
    blob,
    ...(preview ? [preview.blob] : []),
  ])
}
