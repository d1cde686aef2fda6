/** Passes the events of a body to the features that handle them, each to the account that it belongs to. */
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import type { OpenAccount } from '../chat-accounts.ts'
import { chatEventsReceived } from '../hooks.ts'
import { findIdsByName } from '../queries.ts'
import { type AccountReport, recordReport } from '../status.ts'

type Receiver = Pick<OpenAccount, 'account' | 'provider'>

/**
 * Dispatches events in the order of each account. Events of accounts that this environment does not have are dropped. The
 * states of accounts are the last: they lock accounts, which handlers do after people and conversations.
 */
export async function dispatchEvents(tx: Tx, receiver: Receiver, events: InboundEvent[]): Promise<void> {
  const { provider } = receiver
  // Before anything else: the handlers of statuses only share the leads.
  if (events.some(({ type }) => changesLeads.includes(type))) await lockLeadWrites(tx)
  const accountIds = await findAccountIds(tx, receiver, events)
  const byAccount = new Map<string, InboundEvent[]>()
  const reports: { accountId: string; report: AccountReport }[] = []
  for (const event of events) {
    if (event.type === 'ignored' || event.type === 'unreadable') continue
    for (const accountId of accountIds.get(event.externalId) ?? [])
      if (event.type === 'account_status') reports.push({ accountId, report: event })
      else if (byAccount.has(accountId)) byAccount.get(accountId)!.push(event)
      else byAccount.set(accountId, [event])
  }
  for (const [accountId, events] of byAccount)
    await callHook(tx, chatEventsReceived, {
      accountId,
      providerId: provider.id,
      channel: provider.channel,
      events,
    })
  for (const { accountId, report } of reports) await recordReport(tx, accountId, report)
}

/** The events after which leads may change. */
const changesLeads: readonly InboundEvent['type'][] = [
  'message',
  'edited',
  'deleted',
  'reaction',
  'identity_changed',
  'marketing_preference',
]

async function findAccountIds(
  tx: Tx,
  { account }: Receiver,
  events: InboundEvent[],
): Promise<Map<string | null, string[]>> {
  const own = [account.id]
  const ids = new Map<string | null, string[]>([
    [null, own],
    [account.externalId, own],
  ])
  if (account.phone) ids.set(account.phone, own)
  const others = new Set(events.flatMap(({ externalId }) => (ids.has(externalId) ? [] : externalId!)))
  if (others.size === 0) return ids
  const found = await findIdsByName(tx, account.provider, [...others])
  return new Map([...ids, ...found])
}
