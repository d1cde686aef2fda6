/** Fetches the files of inbound messages from their providers, and deletes uploads that were not sent in time. */
import type { Readable } from 'node:stream'
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import { unknownType } from '../../../kit/blobs/media-type.ts'
import { machineNow } from '../../../kit/clock/clock.ts'
import type { ScheduledTask } from '../../../kit/clock/scheduled-tasks.ts'
import { defineEventHandler } from '../../../kit/events/dispatcher.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { forEachTenant } from '../../../kit/jobs/for-each-tenant.ts'
import { deploymentJob, type JobContext, type JobDefinition, job, RequeueJob } from '../../../kit/jobs/job.ts'
import { Problem } from '../../../kit/problem.ts'
import { ChatError } from '../../../plugins/chat.ts'
import { accountStatusChanged } from '../../accounts/events.ts'
import { type ChatAccounts, sendingStatuses, stopsAccount } from '../../accounts/service.ts'
import { recordInboxChanges } from '../inbox-changes.ts'
import { enqueueFetch, fetchFileName } from './files.ts'
import {
  deleteExpiredUploads,
  endFetch,
  findNextUploadExpiry,
  findPendingFile,
  finishFile,
  listTenantsWithExpiredUploads,
  listWaitingFiles,
  type PendingFile,
} from './queries.ts'
import { keepFile, type StoredFile, storeFile } from './receive-file.ts'

/** The time for one file: 100 MB at some megabit a second. */
const fetchTimeoutMs = 5 * 60_000
/** When the queue has used up its attempts, and while the account has no access. */
const retryAfterMs = 3_600_000

export interface FetchFileDependencies {
  accounts: Pick<ChatAccounts, 'openConnection' | 'createContext'>
  blobs: Blobs
}

/**
 * Fetches one file. The queue tries again what may pass soon; what stops the account does not: the file waits for it for a
 * week. A refusal is final. A file that was deleted meanwhile is dropped.
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
      const { provider, connection, account } = opened
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)])
      try {
        if (account.status === 'LOGGED_OUT' || account.status === 'DISCONNECTED') throw new AccountStopped()
        if (!provider.openMedia) throw new Error(`${provider.label} does not hand out files`)
        const source = await provider.openMedia(
          connection,
          file.media,
          accounts.createContext(opened, deadline),
        )
        await storeContent(source, file, { context, blobs, deadline })
      } catch (error) {
        if (signal.aborted) throw new RequeueJob()
        if (!isStopped(error) && !isFinal(error) && !context.isLastAttempt) throw error
        const isWaiting = await database.withTenant({ tenantId }, async tx => {
          const ended = await endFetch(tx, fileId, explain(error), { isFinal: isFinal(error) })
          if (ended?.isChanged) await recordInboxChanges(tx, [file])
          return ended?.isWaiting
        })
        if (isWaiting) throw new RequeueJob({ runAt: new Date(machineNow() + retryAfterMs) })
      }
    },
  }) as JobDefinition<never>

/** The provider is not called: nobody has access to the account. */
class AccountStopped extends Error {}

const resumeName = 'resume-message-files'

/** Fetches the files that waited for an account that works again. */
export const resumeWhenConnected = defineEventHandler({
  name: resumeName,
  on: [accountStatusChanged],
  async handle(tx, { data: { accountId, status } }) {
    if (sendingStatuses.includes(status))
      await enqueue(tx, resumeName, { accountId }, { jobKey: `${resumeName}:${accountId}` })
  },
})

export const resumeFiles = job<{ accountId: string }>({
  name: resumeName,
  async run({ accountId }, { database, tenantId, signal }) {
    for (let after: string | undefined = firstId; after !== undefined; ) {
      if (signal.aborted) throw new RequeueJob()
      const from: string = after
      after = await database.withTenant({ tenantId }, async tx => {
        const ids = await listWaitingFiles(tx, accountId, from)
        for (const id of ids) await enqueueFetch(tx, id)
        return ids.at(-1)
      })
    }
  },
}) as JobDefinition<never>

const firstId = '00000000-0000-0000-0000-000000000000'

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

const isStopped = (error: unknown): boolean =>
  error instanceof AccountStopped || (error instanceof ChatError && stopsAccount(error.failure))

function isFinal(error: unknown): boolean {
  if (error instanceof ChatError) return !error.failure.retryable && error.failure.scope !== 'account'
  return error instanceof Problem && error.status < 500 && error.status !== 429
}

/** The reason for people. */
function explain(error: unknown): string {
  if (error instanceof ChatError || error instanceof Problem) return error.message
  if (error instanceof AccountStopped) return 'The account has no access. Connect it again to fetch the file.'
  return 'The provider did not hand out the file. Ask the person to send it again.'
}

/** Deletes uploads that were not sent within a day, on the environment's clock. */
export const uploadExpiry: ScheduledTask = {
  findNextDueAt: findNextUploadExpiry,
  start: (database, tenantId) => database.withTenant({ tenantId }, deleteExpiredUploads),
}

export const deleteUnsentUploads = deploymentJob({
  name: 'delete-unsent-uploads',
  cron: '*/10 * * * *',
  run: context =>
    forEachTenant(context, listTenantsWithExpiredUploads(context.database), deleteExpiredUploads),
})
