/** Chat accounts: connected, checked, budgeted, and the bodies that their providers post. */
import type { Feature } from '../../kit/feature.ts'
import type { ChatAccounts } from './chat-accounts.ts'
import { accountEvents } from './events.ts'
import { accountProblemFields } from './problems.ts'
import { accountRoutes } from './routes.ts'

export function accounts({ accounts }: { accounts: ChatAccounts }): Feature {
  return {
    name: 'accounts',
    tags: { Accounts: 'Chat accounts: numbers, bots and mailboxes that messages are sent from.' },
    scopes: ['accounts:read', 'accounts:write'],
    routes: accountRoutes(accounts),
    problemFields: accountProblemFields,
    jobs: [],
    events: accountEvents(accounts),
    encryptedColumns: [
      { table: 'accounts', column: 'credentials', key: ['id'] },
      { table: 'inbound_bodies', column: 'body', key: ['id'] },
    ],
  }
}
