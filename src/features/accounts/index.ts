/** Chat accounts: connected, checked, budgeted, and the bodies that their providers post. */
import type { Feature } from '../../kit/feature.ts'

export function accounts(): Feature {
  return {
    name: 'accounts',
    tags: { Accounts: 'Chat accounts: numbers, bots and mailboxes that messages are sent from.' },
    scopes: ['accounts:read', 'accounts:write'],
    routes: [],
    jobs: [],
    events: [],
  }
}
