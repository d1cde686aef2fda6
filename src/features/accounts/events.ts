/** The event of accounts. */
import { type EventDefinition, event } from '../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject } from '../../kit/schema.ts'
import { accountStatuses } from '../../plugins/chat.ts'
import type { ChatAccounts } from './chat-accounts.ts'
import { accountPayloadExample } from './examples.ts'
import { readAccountsWithoutWebhooks } from './reply.ts'
import { AccountWithoutWebhook } from './schemas.ts'

export const accountStatusChanged = event({
  type: 'account.status_changed',
  object: ['accountId'],
  summary: 'The status of a chat account has changed; the embedded account has the reason',
  data: strictObject({
    accountId: id('The account.'),
    status: oneOf(accountStatuses, { description: 'The new status.' }),
    previousStatus: nullable(
      oneOf(accountStatuses, {
        description: 'The status before; null: it was connected for the first time.',
      }),
    ),
  }),
  example: {
    accountId: accountPayloadExample.id,
    status: 'CONNECTED',
    previousStatus: 'LOGGED_OUT',
  },
})

/** The events with the object that messages carry. */
export const accountEvents = (accounts: ChatAccounts): EventDefinition[] => [
  {
    ...accountStatusChanged,
    embeds: {
      name: 'account',
      schema: AccountWithoutWebhook,
      example: accountPayloadExample,
      async read(tx, ids, maxBytes) {
        const texts = (await readAccountsWithoutWebhooks(tx, accounts, ids)).map(
          account => [account.id, JSON.stringify(account)] as const,
        )
        return new Map(texts.map(([id, json]) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
      },
    },
  },
]
