/** Passes the events of a body to the features that handle them, each to the account that it belongs to. */
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import type { OpenAccount } from '../chat-accounts.ts'
import { chatEventsReceived } from '../hooks.ts'
import { findIdByName } from '../queries.ts'
import { recordHealth } from '../status.ts'

type Receiver = Pick<OpenAccount, 'account' | 'provider'>

/** Dispatches events in their order. Events of accounts that this environment does not have are dropped. */
export async function dispatchEvents(tx: Tx, receiver: Receiver, events: InboundEvent[]): Promise<void> {
  const { provider } = receiver
  // Before anything else: the handlers of statuses only share the leads.
  if (events.some(({ type }) => changesLeads.includes(type))) await lockLeadWrites(tx)
  const accountIds = await findAccountIds(tx, receiver, events)
  const groups: { accountId: string; events: InboundEvent[] }[] = []
  for (const event of events) {
    const accountId = accountIds.get(event.externalId)
    if (!accountId || event.type === 'ignored' || event.type === 'unreadable') continue
    if (event.type === 'account_status') await recordHealth(tx, accountId, event.health)
    else if (groups.at(-1)?.accountId === accountId) groups.at(-1)!.events.push(event)
    else groups.push({ accountId, events: [event] })
  }
  for (const group of groups)
    await callHook(tx, chatEventsReceived, { ...group, providerId: provider.id, channel: provider.channel })
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

/** Finds the accounts that the events name, by the provider's id or by their phone. */
async function findAccountIds(
  tx: Tx,
  { account }: Receiver,
  events: InboundEvent[],
): Promise<Map<string | null, string>> {
  const ids = new Map<string | null, string>([
    [null, account.id],
    [account.externalId, account.id],
  ])
  if (account.phone) ids.set(account.phone, account.id)
  const others = new Set(events.map(({ externalId }) => externalId).filter(name => !ids.has(name)))
  for (const name of [...others].slice(0, accountsPerBodyMax)) {
    const id = await findIdByName(tx, account.provider, name!)
    if (id) ids.set(name, id)
  }
  return ids
}

/** A provider posts for some accounts together, never for many. */
const accountsPerBodyMax = 50
