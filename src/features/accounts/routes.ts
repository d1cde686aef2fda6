/** Accounts over HTTP. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { createPager, pageQuery, pageSchema, slicePage } from '../../kit/page.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { testOnly } from '../../kit/test-only.ts'
import { notifyAccountChanged } from './account-topic.ts'
import type { ChatAccounts } from './chat-accounts.ts'
import { callProvider, checkNewAccount, connectNew, endWebhook, reconnect, storeAccount } from './connect.ts'
import { accountExample, providerExample } from './examples.ts'
import { checkAccount } from './health/check-account.ts'
import {
  accountDisconnected,
  accountExists,
  accountMismatch,
  connectionProblems,
  tooManyAccounts,
} from './problems.ts'
import * as queries from './queries.ts'
import { toAccounts, toProviderInfo } from './reply.ts'
import { Account, AccountChanges, AccountFilter, ChatProviderInfo, NewAccount } from './schemas.ts'
import { recordHealth } from './status.ts'
import { changeAccount, disconnectAccount } from './update.ts'

const tag = 'Accounts'
const params = strictObject({ id: id('The account.') })

export function accountRoutes(accounts: ChatAccounts): Route[] {
  return [
    route({
      method: 'GET',
      path: '/chat-providers',
      operation: 'listChatProviders',
      tag,
      summary: 'List the chat providers, with what an account of each requires and can do',
      scope: 'accounts:read',
      query: strictObject(pageQuery),
      status: 200,
      reply: pageSchema(ChatProviderInfo),
      replyExample: { data: [providerExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller }) {
        const pager = createPager('chat-providers', caller.tenantId, query)
        const providers = accounts
          .list()
          .filter(({ isTestOnly }) => caller.environment === 'test' || !isTestOnly)
        const { page, last } = slicePage(providers, pager, query.limit, ({ id }) => id)
        return pager.reply({ json: JSON.stringify(page.map(toProviderInfo)), last })
      },
    }),
    createRoute(accounts),
    route({
      method: 'GET',
      path: '/accounts',
      operation: 'listAccounts',
      tag,
      summary: 'List chat accounts, newest first',
      scope: 'accounts:read',
      query: AccountFilter,
      status: 200,
      reply: pageSchema(Account),
      replyExample: { data: [accountExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const list = createPager('accounts', caller.tenantId, query)
        const rows = await queries.listAccounts(tx, query, list.after)
        const page = rows.slice(0, query.limit)
        return list.reply({
          json: JSON.stringify(await toAccounts(tx, page, { accounts, caller })),
          last: rows.length > page.length ? [page.at(-1)!.id] : null,
        })
      },
    }),
    route({
      method: 'GET',
      path: '/accounts/{id}',
      operation: 'getAccount',
      tag,
      summary: 'Retrieve a chat account',
      scope: 'accounts:read',
      params,
      status: 200,
      reply: Account,
      replyExample: accountExample,
      handle: ({ params, caller, tx }) => readReply(tx, params.id, { accounts, caller }),
    }),
    updateRoute(accounts),
    testRoute(accounts),
    disconnectRoute(accounts),
  ]
}

function createRoute(accounts: ChatAccounts): Route {
  return route({
    method: 'POST',
    path: '/accounts',
    operation: 'createAccount',
    tag,
    summary: 'Connect a chat account',
    description:
      'The credentials are verified with the provider. An account that was disconnected is connected again: it keeps its id and its conversations. If `webhook` of the reply is set, enter it at providers that do not take it by themselves.',
    scope: 'accounts:write',
    body: NewAccount,
    example: { provider: 'sandbox', displayName: 'Office' },
    status: 201,
    reply: Account,
    replyExample: accountExample,
    errors: [accountExists, tooManyAccounts, testOnly, ...connectionProblems],
    check: ({ body }) => checkNewAccount(accounts, body),
    isOutgoing: true,
    prepare: ({ body, caller, database, signal }) => connectNew(body, { accounts, caller, database, signal }),
    async handle({ body, caller, tx, prepared }) {
      const accountId = await storeAccount(tx, accounts, body, prepared)
      notifyAccountChanged(tx, accountId)
      return readReply(tx, accountId, { accounts, caller })
    },
  })
}

function updateRoute(accounts: ChatAccounts): Route {
  return route({
    method: 'PATCH',
    path: '/accounts/{id}',
    operation: 'updateAccount',
    tag,
    summary: 'Rename, limit, pause or resume an account, or replace its credentials',
    description: 'Omitted fields keep their value. New credentials are verified, and replace all old ones.',
    scope: 'accounts:write',
    params,
    body: AccountChanges,
    example: { dailyLimit: 100 },
    status: 200,
    reply: Account,
    replyExample: { ...accountExample, dailyLimit: 100, dailyBudget: 100 },
    errors: [accountDisconnected, accountMismatch, ...connectionProblems],
    isOutgoing: true,
    prepare: async ({ params, body, caller, database, signal }) =>
      body.credentials
        ? reconnect(params.id, body.credentials, { accounts, caller, database, signal })
        : null,
    async handle({ params, body, caller, tx, prepared }) {
      await changeAccount(tx, accounts, params.id, { body, connected: prepared })
      return readReply(tx, params.id, { accounts, caller })
    },
  })
}

function testRoute(accounts: ChatAccounts): Route {
  return route({
    method: 'POST',
    path: '/accounts/{id}/test',
    operation: 'testAccount',
    tag,
    summary: 'Check an account with its provider now',
    description:
      'The reply has the new `status` and `health`. Connected accounts are also checked every hour.',
    scope: 'accounts:write',
    params,
    status: 200,
    reply: Account,
    replyExample: accountExample,
    errors: [accountDisconnected, ...connectionProblems],
    isOutgoing: true,
    async prepare({ params, caller, database, signal }) {
      const opened = await database.readTenant(caller, tx => accounts.openConnection(tx, params.id))
      if (opened.account.status === 'DISCONNECTED')
        throw new Problem(accountDisconnected, accountDisconnected.example)
      const health = await callProvider({ signal }, signal => checkAccount(accounts, opened, signal))
      return { health, credentials: opened.account.credentials }
    },
    async handle({ params, caller, tx, prepared: { health, credentials } }) {
      await recordHealth(tx, params.id, health, { at: getNow(tx), credentials })
      return readReply(tx, params.id, { accounts, caller })
    },
  })
}

function disconnectRoute(accounts: ChatAccounts): Route {
  return route({
    method: 'DELETE',
    path: '/accounts/{id}',
    operation: 'disconnectAccount',
    tag,
    summary: 'Disconnect an account',
    description:
      'Its credentials are erased, and nothing is sent or received any more. Its conversations stay. `POST /accounts` connects it again.',
    scope: 'accounts:write',
    params,
    status: 204,
    reply: Type.Null(),
    isOutgoing: true,
    prepare: ({ params, caller, database, signal }) =>
      endWebhook(params.id, { accounts, caller, database, signal }),
    async handle({ params, tx }) {
      await disconnectAccount(tx, params.id)
      return null
    },
  })
}

async function readReply(
  tx: Tx,
  accountId: string,
  options: Parameters<typeof toAccounts>[2],
): Promise<Account> {
  const [reply] = await toAccounts(tx, await queries.findAccounts(tx, [accountId]), options)
  if (!reply) throw notFound('account')
  return reply
}
