/** Connects an account: verifies the credentials with the provider, then stores it. */
import type { Caller } from '../../kit/caller.ts'
import { createId, getNow } from '../../kit/clock/clock.ts'
import { type Database, isDatabaseUnavailable, type Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import { type InputError, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { compile, type Validate } from '../../kit/schema.ts'
import { assertTest } from '../../kit/test-only.ts'
import { ChatError, type ChatProvider, type ConnectedAccount, uploadBytesPerMs } from '../../plugins/chat.ts'
import { createLinkToken } from '../shares/service.ts'
import type { ChatAccounts } from './chat-accounts.ts'
import { accountStatusChanged } from './events.ts'
import { enqueueCheck } from './health/enqueue-check.ts'
import {
  accountDisconnected,
  accountExists,
  accountMismatch,
  accountsMax,
  toConnectionProblem,
  tooManyAccounts,
} from './problems.ts'
import * as queries from './queries.ts'
import type { NewAccount } from './schemas.ts'
import { changeAccountStatus } from './status.ts'
import { toWebhookLink } from './webhook-links.ts'

/** A provider that answers later counts as unavailable. */
const answerTimeoutMs = 30_000

export interface Connected {
  provider: ChatProvider
  connected: ConnectedAccount
  /** The token of the webhook; null: the provider posts nothing. */
  token: string | null
}

interface ConnectOptions {
  accounts: ChatAccounts
  caller: Caller
  database: Database
  signal: AbortSignal
}

/** Connects new credentials. Throws a `Problem` with the provider's reason. */
export async function connectNew(
  { provider: providerId, credentials = {} }: NewAccount,
  options: ConnectOptions,
): Promise<Connected> {
  const { accounts, caller, database } = options
  const provider = accounts.getProvider(providerId, caller.environment)!
  if (provider.isTestOnly) assertTest(caller)
  if (!provider.webhook) {
    const connected = await callProvider(options, signal =>
      provider.connect(
        credentials,
        accounts.createContext({ provider, webhook: null, clockShiftMs: 0 }, signal),
      ),
    )
    return { provider, connected, token: null }
  }
  // The first call only learns which account it is: the second one may move the webhook of a connected account.
  const known = await callProvider(options, signal =>
    provider.connect(
      credentials,
      accounts.createContext({ provider, webhook: null, clockShiftMs: 0 }, signal),
    ),
  )
  await database.readTenant(caller, tx => assertNew(tx, provider, known.externalId))
  const token = createLinkToken()
  const webhook = toWebhookLink(token, accounts.baseUrl)
  const connected = await callProvider(options, signal =>
    provider.connect(credentials, accounts.createContext({ provider, webhook, clockShiftMs: 0 }, signal)),
  )
  return { provider, connected, token }
}

/** Connects an existing account with new credentials. Throws a `Problem`. */
export async function reconnect(
  accountId: string,
  credentials: Record<string, unknown>,
  options: ConnectOptions,
): Promise<ConnectedAccount> {
  const { accounts, caller, database } = options
  const opened = await database.readTenant(caller, tx => accounts.openConnection(tx, accountId))
  if (opened.account.status === 'DISCONNECTED')
    throw new Problem(accountDisconnected, accountDisconnected.example)
  throwIfInvalid(checkCredentials(opened.provider, credentials))
  const connected = await callProvider(options, signal =>
    opened.provider.connect(credentials, accounts.createContext({ ...opened, webhook: null }, signal)),
  )
  if (toExternalId(connected, opened.account.id) !== opened.account.externalId)
    throw new Problem(accountMismatch, accountMismatch.example)
  if (!opened.webhook) return connected
  return callProvider(options, signal =>
    opened.provider.connect(credentials, accounts.createContext(opened, signal)),
  )
}

/**
 * Ends the webhook of an account at its provider. An account can end too if its provider refuses or fails, or if the key of
 * its credentials is lost.
 */
export async function endWebhook(accountId: string, options: ConnectOptions): Promise<void> {
  const { accounts, caller, database, signal } = options
  try {
    const opened = await database.readTenant(caller, tx => accounts.findConnection(tx, accountId))
    if (!opened?.webhook || !opened.provider.disconnect) return
    const { provider, connection } = opened
    await callProvider(options, async signal =>
      provider.disconnect?.(connection, accounts.createContext(opened, signal)),
    )
  } catch (error) {
    if (signal.aborted || isDatabaseUnavailable(error)) throw error
  }
}

/** Calls the provider within a timeout, which is longer if a file is sent. A `ChatError` becomes a `Problem`. */
export async function callProvider<T>(
  { signal, uploadBytes = 0 }: { signal: AbortSignal; uploadBytes?: number },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutMs = answerTimeoutMs + Math.ceil(uploadBytes / uploadBytesPerMs)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await call(AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (error instanceof ChatError) throw toConnectionProblem(error.failure)
    if (timeout.aborted && !signal.aborted)
      throw toConnectionProblem({
        code: 'PROVIDER_UNAVAILABLE',
        providerCode: null,
        message: `The provider did not answer within ${Math.round(timeoutMs / 1000)} s. Try again later.`,
        retryable: true,
        retryAfterMs: 0,
        scope: 'account',
      })
    throw error
  }
}

async function assertNew(tx: Tx, provider: ChatProvider, externalId: string): Promise<void> {
  if ((await queries.countConnected(tx)) >= accountsMax)
    throw new Problem(tooManyAccounts, tooManyAccounts.example)
  const existing = await queries.findByExternalId(tx, provider.id, externalId)
  if (existing && existing.status !== 'DISCONNECTED') throw existsProblem(provider, existing.id)
}

const existsProblem = (provider: ChatProvider, accountId: string) =>
  new Problem(accountExists, `This account of ${provider.id} is connected already.`, {
    details: { accountId },
  })

/** An account without a provider is named by its own id. */
const toExternalId = ({ externalId }: ConnectedAccount, id: string) => externalId || id

/**
 * Stores a connected account, and returns its id. An account that was disconnected is connected again: it keeps its id
 * and so its conversations.
 */
export async function storeAccount(
  tx: Tx,
  accounts: ChatAccounts,
  body: NewAccount,
  { provider, connected, token }: Connected,
): Promise<string> {
  if ((await queries.countConnected(tx)) >= accountsMax)
    throw new Problem(tooManyAccounts, tooManyAccounts.example)
  const existing = connected.externalId
    ? await queries.findByExternalId(tx, provider.id, connected.externalId)
    : undefined
  if (existing && existing.status !== 'DISCONNECTED') throw existsProblem(provider, existing.id)
  const now = getNow(tx)
  const facts = {
    display_name: body.displayName,
    credentials: body.credentials ? accounts.encryptCredentials(body.credentials) : null,
    ...toConnectedColumns(connected, now),
    is_paused: false,
    own_daily_limit: body.dailyLimit ?? null,
    warm_up_started_at: body.warmUp ? now : null,
    messages_per_second: body.messagesPerSecond ?? null,
    mailbox_cursor: connected.mailboxCursor ?? null,
  }
  const id = existing?.id ?? createId(tx)
  if (existing) {
    const locked = (await queries.lockAccount(tx, id))!
    if (locked.status !== 'DISCONNECTED') throw existsProblem(provider, id)
    await changeAccountStatus(tx, locked, connected.status, connected.reason, facts)
  } else {
    const { status, reason } = connected
    const isInserted = await queries.insertAccount(tx, id, {
      ...facts,
      provider: provider.id,
      mode: provider.mode,
      external_id: toExternalId(connected, id),
      status,
      status_reason: reason,
      status_changed_at: now,
    })
    if (!isInserted) {
      const other = await queries.findByExternalId(tx, provider.id, connected.externalId)
      throw existsProblem(provider, other!.id)
    }
    await emit(tx, accountStatusChanged, { accountId: id, status, previousStatus: null })
  }
  if (token) {
    await accounts.replaceWebhook(tx, id, token)
    // A provider that verifies the address gets it by the check: it answers only once the account is stored.
    await enqueueCheck(tx, id)
  }
  return id
}

/** The columns of what a provider says at a successful connection. */
export const toConnectedColumns = (connected: ConnectedAccount, now: Date) => ({
  phone: connected.phone,
  group_id: connected.groupId ?? null,
  quality: connected.quality,
  tier: connected.tier,
  provider_daily_limit: connected.dailyLimit,
  is_failing: false,
  outage_count: 0,
  paused_until: null,
  checked_at: now,
})

/** Finds the errors of a body that depend on the provider. */
export function checkNewAccount(accounts: ChatAccounts, body: Partial<NewAccount>): InputError[] {
  if (body.provider === undefined) return []
  const providers = accounts.list()
  const provider = providers.find(({ id }) => id === body.provider)
  if (!provider) {
    const known = providers.map(({ id }) => id).join(', ')
    return [{ path: '/provider', code: 'NOT_ALLOWED', message: `must be one of ${known}` }]
  }
  const modeErrors =
    body.mode !== undefined && body.mode !== provider.mode
      ? [{ path: '/mode', code: 'NOT_ALLOWED', message: `must be ${provider.mode} for ${provider.id}` }]
      : []
  return [...modeErrors, ...checkCredentials(provider, body.credentials ?? {})]
}

const validators = new WeakMap<ChatProvider, Validate>()

/** Finds the errors of credentials. Fills in defaults. Messages contain no value, because values are secret. */
export function checkCredentials(provider: ChatProvider, credentials: object): InputError[] {
  const validate = validators.get(provider) ?? compile(provider.credentials)
  validators.set(provider, validate)
  return validate(credentials).map(({ path, code, message }) => ({
    path: `/credentials${path}`,
    code,
    message,
  }))
}
