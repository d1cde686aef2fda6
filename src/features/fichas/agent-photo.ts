/** Receives the photo of an agent: makes it small, and stores it. */
import { Readable } from 'node:stream'
import type { Blobs, HeldBlob } from '../../kit/blobs/blobs.ts'
import { resizeImage } from '../../kit/blobs/images.ts'
import type { Tenant } from '../../kit/db/index.ts'
import type { NewAgent } from './sheet-schemas.ts'

const widthPx = 400
const bytesMax = 1_000_000

/** Null if the request has no photo. Throws the errors of `resizeImage` and of `Blobs.receive`. */
export async function receiveAgentPhoto(
  agent: NewAgent | null | undefined,
  { blobs, tenant, signal }: { blobs: Blobs; tenant: Tenant & { keyId: string }; signal: AbortSignal },
): Promise<HeldBlob | null> {
  const url = agent?.photo
  if (!url) return null
  const file = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  const [picture] = await resizeImage(
    tenant,
    async () => Readable.from([file]),
    { widths: [widthPx], format: 'jpeg' },
    { signal },
  )
  return blobs.receive(tenant, Readable.from([picture!.bytes]), { bytesMax, signal })
}
