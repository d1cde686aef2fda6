/** Converts stored accounts to API replies. */

import type { Caller } from '../../kit/caller.ts'
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { allows } from '../../kit/scope.ts'
import { type ChatCapabilities, type ChatProvider, mediaKinds } from '../../plugins/chat.ts'
import { readUse } from './budget-queries.ts'
import { readLocalDay, toDailyBudget } from './budgets.ts'
import type { ChatAccounts } from './chat-accounts.ts'
import { countUnprocessed } from './intake/queries.ts'
import { type AccountRow, findAccounts, getEnvironment } from './queries.ts'
import type { Account, AccountWithoutWebhook, ChatProviderInfo } from './schemas.ts'
import { toWarmUpBudget } from './warm-up.ts'

/** The present state of accounts in messages. Accounts that no longer exist are left out. */
export async function readAccountsWithoutWebhooks(
  tx: Tx,
  accounts: ChatAccounts,
  ids: string[],
): Promise<AccountWithoutWebhook[]> {
  return toAccountsWithoutWebhooks(tx, await findAccounts(tx, ids), accounts)
}

/** Converts rows, in their order. Who knows a webhook can write in the name of any person. */
export async function toAccounts(
  tx: Tx,
  rows: AccountRow[],
  { accounts, caller }: { accounts: ChatAccounts; caller: Pick<Caller, 'scopes'> },
): Promise<Account[]> {
  const ids = allows(caller.scopes, 'accounts:write') ? rows.map(({ id }) => id) : []
  const [replies, webhooks] = await Promise.all([
    toAccountsWithoutWebhooks(tx, rows, accounts),
    accounts.readWebhooks(tx, ids),
  ])
  return replies.map(reply => ({ ...reply, webhook: webhooks.get(reply.id) ?? null }))
}

async function toAccountsWithoutWebhooks(
  tx: Tx,
  rows: AccountRow[],
  accounts: ChatAccounts,
): Promise<AccountWithoutWebhook[]> {
  const ids = rows.map(({ id }) => id)
  const [{ day, timezone }, environment, unprocessed] = await Promise.all([
    readLocalDay(tx),
    getEnvironment(tx),
    countUnprocessed(tx, ids),
  ])
  const used = await readUse(tx, ids, day)
  const now = getNow(tx)
  return rows.map(row => {
    const provider = accounts.getProvider(row.provider, environment)
    return {
      id: row.id,
      provider: row.provider,
      mode: row.mode,
      channel: provider?.channel ?? null,
      displayName: row.displayName,
      phone: row.phone,
      externalId: row.externalId,
      status: row.status,
      isPaused: row.isPaused,
      pausedUntil: row.pausedUntil && row.pausedUntil > now ? row.pausedUntil.toISOString() : null,
      capabilities: provider ? toCapabilities(provider) : null,
      dailyBudget: toDailyBudget(row, day, timezone),
      usedToday: used.get(row.id) ?? 0,
      dailyLimit: row.ownDailyLimit,
      warmUp: row.warmUpStartedAt && {
        startedAt: row.warmUpStartedAt.toISOString(),
        budgetToday: toWarmUpBudget(row.warmUpStartedAt, day, timezone),
      },
      messagesPerSecond: toMessagesPerSecond(row, provider),
      health: toHealth(row, unprocessed.get(row.id) ?? 0),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }
  })
}

/** The rate of an account whose provider is gone is never used. */
export const toMessagesPerSecond = (
  { messagesPerSecond }: Pick<AccountRow, 'messagesPerSecond'>,
  provider: ChatProvider | undefined,
): number => messagesPerSecond ?? provider?.capabilities.messagesPerSecond ?? 1

function toHealth(row: AccountRow, unprocessedBodies: number): Account['health'] {
  return {
    status: row.status,
    reason: row.statusReason,
    quality: row.quality,
    tier: row.tier,
    providerDailyLimit: row.providerDailyLimit,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    changedAt: row.statusChangedAt.toISOString(),
    isFailing: row.isFailing,
    unprocessedBodies,
  }
}

function toCapabilities({ capabilities }: ChatProvider): ChatProviderInfo['capabilities'] {
  const { idempotent: _internal, invitations: _ofFeatures, identities, text, media, ...rest } = capabilities
  const { charactersMax, captionCharactersMax = charactersMax } = text
  return {
    ...rest,
    identities: [...identities],
    text: { charactersMax, captionCharactersMax },
    media: toMedia(media),
  }
}

function toMedia(media: ChatCapabilities['media']): ChatProviderInfo['capabilities']['media'] {
  return mediaKinds.flatMap(kind => {
    const limits = media[kind]
    return limits ? [{ kind, mediaTypes: [...limits.mediaTypes], bytesMax: limits.bytesMax }] : []
  })
}

export function toProviderInfo(provider: ChatProvider): ChatProviderInfo {
  const { id, label, channel, mode, credentials, webhook } = provider
  const capabilities = toCapabilities(provider)
  return { id, label, channel, mode, credentials, capabilities, hasWebhook: webhook !== undefined }
}
