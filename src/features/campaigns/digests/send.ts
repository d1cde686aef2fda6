/**
 * Sends an e-mail of a digest by the e-mail account of the workspace. It is no message of a conversation: those are with the people of
 * leads. A repeated attempt has the same Message-ID.
 */
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { type JobDefinition, job } from '../../../kit/jobs/job.ts'
import type { OutgoingMessage, SendResult } from '../../../plugins/chat.ts'
import { type ChatAccounts, handOverMail, isAllowed, type WorkspaceMail } from '../../accounts/service.ts'
import { accountNotSending, chooseEmailAccount, type Refusal } from '../campaigns/email-account.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { isRefused, sendDigestMailName } from './create.ts'
import * as queries from './queries.ts'
import { nothingLeft, optedOut, unsubscribed } from './reasons.ts'
import { findUnsubscribeUrl } from './subscribers.ts'
import { writeStoredDigest } from './write.ts'

export interface DigestDependencies {
  accounts: Pick<ChatAccounts, 'list' | 'getProvider' | 'openConnection' | 'createContext'>
  cipher: Cipher
  /** The public URL with the base path. */
  baseUrl: string
}

export const sendDigestMail = (dependencies: DigestDependencies): JobDefinition<never> =>
  job<{ mailId: string }>({
    name: sendDigestMailName,
    workerPool: 'remote',
    async run({ mailId }, { database, tenantId, signal, isLastAttempt, log }) {
      const store = (result: Parameters<typeof queries.storeMailResult>[2]) =>
        database.withTenant({ tenantId }, tx => queries.storeMailResult(tx, mailId, result))
      const prepared = await prepare(database, tenantId, { mailId, dependencies })
      if (prepared === null) return
      if ('code' in prepared) return store({ status: 'skipped', refusal: prepared })
      const result = await handOverMail(prepared, dependencies.accounts, signal)
      if (result.status === 'sent') return store({ status: 'sent' })
      const refusal = toRefusal(result)
      log.info({ mailId, code: refusal.code }, 'an e-mail of a digest was not sent')
      if (isLastAttempt || (result.status === 'failed' && !result.failure.retryable))
        return store({ status: 'failed', refusal })
      throw new Error(refusal.message)
    },
  }) as JobDefinition<never>

const toRefusal = (result: Exclude<SendResult, { status: 'sent' }>): Refusal =>
  result.status === 'failed'
    ? { code: result.failure.code, message: result.failure.message }
    : { code: 'RESULT_UNKNOWN', message: `The e-mail may have been sent: ${result.reason}` }

/** Null: there is nothing to send any more. */
const prepare = (
  database: Database,
  tenantId: string,
  { mailId, dependencies }: { mailId: string; dependencies: DigestDependencies },
): Promise<WorkspaceMail | Refusal | null> =>
  database.withTenant({ tenantId }, async tx => {
    const mail = await queries.lockQueuedMail(tx, mailId)
    const digest = mail && (await queries.findDigest(tx, mail.digestId))
    if (!mail || !digest) return null
    if (mail.isUnsubscribed) return unsubscribed
    if (await isRefused(tx, mail.email)) return optedOut
    return write(tx, mail, digest, dependencies)
  })

async function write(
  tx: Tx,
  mail: queries.MailRow,
  digest: queries.DigestRow,
  dependencies: DigestDependencies,
): Promise<WorkspaceMail | Refusal> {
  const { accounts } = dependencies
  const campaign = await getCampaign(tx, digest.campaignId)
  const chosen = await chooseEmailAccount(tx, accounts, campaign.settings.notifications?.accountId ?? null)
  if ('code' in chosen) return chosen
  const opened = await accounts.openConnection(tx, chosen.id)
  if (!isAllowed(opened.account, false)) return accountNotSending
  const unsubscribeUrl = await findUnsubscribeUrl(tx, dependencies, mail.subscriberId)
  const content = await writeStoredDigest(tx, campaign, digest, unsubscribeUrl)
  if (!content) return nothingLeft
  await queries.markHandedOver(tx, mail.id)
  const { subject, text, html } = content
  const message: OutgoingMessage = {
    id: mail.id,
    to: [{ kind: 'email', value: mail.email }],
    content: { kind: 'text', text, html },
    replyTo: null,
    thread: { subject, references: [] },
    unsubscribeUrl,
    automatic: 'generated',
  }
  return { opened, message, isRepeated: mail.isRepeated }
}
