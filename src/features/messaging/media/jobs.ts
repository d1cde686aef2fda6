/** Fetches the files of inbound messages from their providers, and deletes uploads that were not sent in time. */
import type { Readable } from 'node:stream'
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import { unknownType } from '../../../kit/blobs/media-type.ts'
import { type ScheduledTask, scheduledQuery } from '../../../kit/clock/scheduled-tasks.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobContext, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { Problem } from '../../../kit/problem.ts'
import { ChatError } from '../../../plugins/chat.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { fetchFileName } from './files.ts'
import {
  deleteExpiredUploads,
  failFile,
  findNextUploadExpiry,
  findPendingFile,
  finishFile,
  listTenantsWithExpiredUploads,
  type PendingFile,
} from './queries.ts'
import { keepFile, type StoredFile, storeFile } from './receive-file.ts'

/** The time for one file: 100 MB at some megabit a second. */
const fetchTimeoutMs = 5 * 60_000

export interface FetchFileDependencies {
  accounts: Pick<ChatAccounts, 'openConnection' | 'createContext'>
  blobs: Blobs
}

/**
 * Fetches one file. A provider that is down is tried again by the queue; a refusal is final. A file that was deleted
 * meanwhile is dropped.
 */
export const fetchFile = ({ accounts, blobs }: FetchFileDependencies): JobDefinition<never> =>
  job<{ fileId: string }>({
    name: fetchFileName,
    // A slow provider must not keep other jobs waiting.
    workerPool: 'long',
    async run({ fileId }, context) {
      const { database, tenantId, signal } = context
      const found = await database.readTenant({ tenantId }, async tx => {
        const file = await findPendingFile(tx, fileId)
        return file && { file, opened: await accounts.openConnection(tx, file.accountId) }
      })
      if (!found) return
      const { file, opened } = found
      const { provider, connection } = opened
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)])
      try {
        if (!provider.openMedia) throw new Error(`${provider.label} does not hand out files`)
        const source = await provider.openMedia(
          connection,
          file.media,
          accounts.createContext(opened, deadline),
        )
        await storeContent(source, file, { context, blobs, deadline })
      } catch (error) {
        if (signal.aborted) throw new RequeueJob()
        if (!isFinal(error) && !context.isLastAttempt) throw error
        await database.withTenant({ tenantId }, async tx => {
          if (await failFile(tx, fileId, explain(error))) await recordInboxChanges(tx, [file])
        })
      }
    },
  }) as JobDefinition<never>

async function storeContent(
  source: Readable,
  file: PendingFile,
  { context, blobs, deadline }: { context: JobContext; blobs: Blobs; deadline: AbortSignal },
): Promise<void> {
  const { database, tenantId } = context
  const storage = { blobs, tenant: { tenantId }, signal: deadline }
  const isImage = file.media.kind === 'image' || file.media.kind === 'sticker'
  const stored = await storeFile(source, { isImage, ignoresDamage: true }, storage)
  await database.withTenant({ tenantId }, async tx => {
    if (!(await finishFile(tx, file.id, toContent(stored, file)))) return
    await keepFile(tx, file.id, stored)
    await recordInboxChanges(tx, [file])
  })
}

/** The content decides; a type that it does not show is that of the provider. */
const toContent = ({ blob, preview }: StoredFile, { media }: PendingFile) => ({
  blobId: blob.id,
  previewBlobId: preview?.blob.id ?? null,
  mediaType: blob.mediaType === unknownType ? (media.mediaType ?? unknownType) : blob.mediaType,
  bytes: blob.bytes,
  widthPx: preview?.widthPx ?? null,
  heightPx: preview?.heightPx ?? null,
})

function isFinal(error: unknown): boolean {
  if (error instanceof ChatError) return !error.failure.retryable
  return error instanceof Problem && error.status < 500 && error.status !== 429
}

/** The reason for people. */
function explain(error: unknown): string {
  if (error instanceof ChatError || error instanceof Problem) return error.message
  return 'The provider did not hand out the file. Ask the person to send it again.'
}

/** Deletes uploads that were not sent within a day, on the environment's clock. */
export const uploadExpiry: ScheduledTask = {
  ...scheduledQuery(findNextUploadExpiry),
  start: (database, tenantId) => database.withTenant({ tenantId }, deleteExpiredUploads),
}

export const deleteUnsentUploads = deploymentJob({
  name: 'delete-unsent-uploads',
  cron: '*/10 * * * *',
  run: context =>
    forEachTenant(context, listTenantsWithExpiredUploads(context.database), deleteExpiredUploads),
})
