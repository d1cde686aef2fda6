/** The accounts of this deployment with their providers: opens an account for sending, receiving and templates. */

import { machineNow, toEnvironmentTime } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import type { Environment } from '../../kit/key.ts'
import type { Log } from '../../kit/log.ts'
import { notFound } from '../../kit/problem.ts'
import { type ChatContext, ChatError, type ChatProvider, type Connection } from '../../plugins/chat.ts'
import { findShares, replaceLink } from '../shares/service.ts'
import { type AccountRow, findAccounts, getEnvironment } from './queries.ts'
import { accountKind, decryptWebhookLink, type WebhookLink } from './webhook-links.ts'

export interface ChatAccountsOptions {
  providers: ChatProvider[]
  /** Makes the provider of the test environment, which opens no connections. */
  simulateProvider(provider: ChatProvider): ChatProvider
  cipher: Cipher
  /** For the providers' own addresses. */
  http: HttpClient
  /** Resolves a host that a user entered. Throws if it leads into a private network. */
  resolveHost(host: string): Promise<string>
  /** Base URLs of the operator, by provider id. */
  urls: Record<string, string>
  /** The public URL with the base path. */
  baseUrl: string
  log: Log
}

/** An account that was read for a piece of work. */
export interface OpenAccount {
  account: AccountRow
  provider: ChatProvider
  connection: Connection
  webhook: WebhookLink | null
  /** The shift of the environment's clock against the machine's. */
  clockShiftMs: number
}

export interface ChatAccounts {
  /** All providers, as they are in live. */
  list(): ChatProvider[]
  /** Returns the provider; undefined if the program has none with this id. */
  getProvider(providerId: string, environment: Environment): ChatProvider | undefined
  /** Opens an account with its decrypted credentials. Throws 404 if there is none, or if its provider is gone. */
  openConnection(tx: Tx, accountId: string): Promise<OpenAccount>
  /** The same; undefined if there is none. */
  findConnection(tx: Tx, accountId: string): Promise<OpenAccount | undefined>
  /** Creates what a provider needs for one call. */
  createContext(
    opened: Pick<OpenAccount, 'webhook' | 'clockShiftMs'> & { provider: ChatProvider },
    signal: AbortSignal,
  ): ChatContext
  encryptCredentials(credentials: object): Buffer
  /** Reads the webhooks of accounts, by id. Accounts without one are missing. */
  readWebhooks(tx: Tx, accountIds: string[]): Promise<Map<string, WebhookLink>>
  /** Gives an account a webhook with this token; an earlier one ends. */
  replaceWebhook(tx: Tx, accountId: string, token: string): Promise<void>
  baseUrl: string
}

/** Creates the accounts of this deployment. Throws if two providers have the same id. */
export function createChatAccounts(options: ChatAccountsOptions): ChatAccounts {
  const { providers, cipher, http, urls, baseUrl, log } = options
  const byId = new Map(providers.map(provider => [provider.id, provider]))
  if (byId.size < providers.length) throw new Error('Two chat providers have the same id.')
  const simulated = new Map(providers.map(provider => [provider.id, options.simulateProvider(provider)]))
  const getProvider = (id: string, environment: Environment) =>
    (environment === 'test' ? simulated : byId).get(id)

  const readWebhooks = async (tx: Tx, accountIds: string[]) => {
    const links = [...(await findShares(tx, accountKind, accountIds))].map(
      async ([id, share]) => [id, (await decryptWebhookLink(share, { cipher, baseUrl }))!] as const,
    )
    return new Map(await Promise.all(links))
  }

  const resolveHost = (host: string) =>
    options.resolveHost(host).catch(cause => {
      const message = `${(cause as Error).message}. Enter a host that can be reached on the internet.`
      throw new ChatError(
        {
          code: 'FORBIDDEN_HOST',
          providerCode: null,
          message,
          retryable: false,
          retryAfterMs: 0,
          scope: 'account',
        },
        { cause },
      )
    })

  const findConnection = async (tx: Tx, accountId: string): Promise<OpenAccount | undefined> => {
    const [[account], webhooks, environment] = await Promise.all([
      findAccounts(tx, [accountId]),
      readWebhooks(tx, [accountId]),
      getEnvironment(tx),
    ])
    const provider = account && getProvider(account.provider, environment)
    if (!account || !provider) return undefined
    const now = machineNow()
    return {
      account,
      provider,
      connection: {
        accountId,
        externalId: account.externalId,
        displayName: account.displayName,
        credentials: account.credentials ? JSON.parse(await cipher.decrypt(account.credentials)) : {},
      },
      webhook: webhooks.get(accountId) ?? null,
      clockShiftMs: toEnvironmentTime(tx, new Date(now)).getTime() - now,
    }
  }

  return {
    baseUrl,
    list: () => providers,
    getProvider,
    findConnection,
    async openConnection(tx, accountId) {
      const opened = await findConnection(tx, accountId)
      if (!opened) throw notFound('account')
      return opened
    },
    createContext: ({ provider, webhook, clockShiftMs }, signal) => ({
      http,
      baseUrl: urls[provider.id] ?? provider.baseUrl ?? '',
      resolveHost,
      now: Temporal.Instant.fromEpochMilliseconds(machineNow() + clockShiftMs),
      webhook,
      signal,
      log,
    }),
    encryptCredentials: credentials => cipher.encrypt(JSON.stringify(credentials)),
    readWebhooks,
    replaceWebhook: (tx, objectId, token) =>
      replaceLink(tx, cipher, { kind: accountKind, objectId }, { token }),
  }
}
