/** What a phone shows, and its receipts: who opens it has read the messages on it. */
import { createHash } from 'node:crypto'
import { getInstant, machineNow } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { toSandboxBody } from '../../../plugins/sandbox/body.ts'
import { toSandboxMessageId } from '../../../plugins/sandbox/simulate-provider.ts'
import { type ChatAccounts, findAccounts, receiveBody } from '../../accounts/service.ts'
import { documentLanguage, readBrandingFacts } from '../../identity/settings.ts'
import { findThread, type Message } from '../../messaging/service.ts'
import { findPhone, type PhoneRow } from './queries.ts'
import { type ThreadItem, toThreadItems } from './thread.ts'
import { type PhoneWords, toPhoneWords } from './words.ts'

/** The last messages of the conversation. */
export const messagesMax = 100

export interface PhoneView {
  phone: PhoneRow
  account: string
  words: PhoneWords
  items: ThreadItem[]
  version: string
  messages: Message[]
  /** The account receives messages. */
  isOpen: boolean
  /** The provider reports what people have read. */
  hasReceipts: boolean
}

/** Null: the phone was deleted, or its account has no provider any more. */
export async function findPhoneView(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  { phoneId, token }: { phoneId: string; token: string },
): Promise<PhoneView | null> {
  const phone = await findPhone(tx, phoneId)
  const [account] = phone ? await findAccounts(tx, [phone.accountId]) : []
  const provider = account && accounts.getProvider(account.provider, 'test')
  if (!phone || !provider) return null
  const [language, { timezone }, thread] = await Promise.all([
    readSetting(tx, documentLanguage),
    readBrandingFacts(tx),
    findThread(tx, phone, messagesMax),
  ])
  const words = toPhoneWords(language)
  const items = thread ? toThreadItems(thread, { words, timezone, now: getInstant(tx), base: token }) : []
  return {
    phone,
    account: account.displayName,
    words,
    items,
    version: createHash('sha256')
      .update(items.map(({ id, version }) => id + version).join(' '))
      .digest('base64url')
      .slice(0, 16),
    messages: thread?.messages ?? [],
    isOpen: account.status !== 'DISCONNECTED' && provider.webhook !== undefined,
    hasReceipts: provider.capabilities.receipts,
  }
}

/** Reports are not repeated while they are being processed. */
const repeatMs = 30_000
const reportedMax = 10_000

/** Returns a function that reports, as the provider does, that the person has read what the phone shows. */
export function createReadReporter(cipher: Cipher) {
  const reported = new Map<string, number>()
  return async (tx: Tx, { phone, messages, hasReceipts, isOpen }: PhoneView): Promise<void> => {
    const now = machineNow()
    const unread = messages.filter(
      ({ id, direction, status }) =>
        direction === 'out' && status !== 'read' && (reported.get(id) ?? 0) < now - repeatMs,
    )
    if (!hasReceipts || !isOpen || unread.length === 0) return
    const events = unread.map(({ id }) => ({
      type: 'status' as const,
      externalId: null,
      at: getInstant(tx),
      providerMessageId: toSandboxMessageId(id),
      messageId: id,
      to: [phone.person],
      status: 'read' as const,
      failure: null,
    }))
    await receiveBody(tx, cipher, phone.accountId, toSandboxBody(...events))
    for (const { id } of unread) reported.set(id, now)
    while (reported.size > reportedMax) reported.delete(reported.keys().next().value!)
  }
}
