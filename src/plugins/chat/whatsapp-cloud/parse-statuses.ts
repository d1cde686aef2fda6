/** Statuses of messages that we sent. */
import type { InboundEvent } from '../../chat.ts'
import { asList, asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'
import { type Change, type Emit, findPerson, indexContacts, parseInstant } from './change.ts'
import { toFailure } from './errors.ts'
import { parseId } from './parse-messages.ts'

const statuses: Record<string, 'sent' | 'delivered' | 'read' | 'failed'> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // A voice message was heard.
  played: 'read',
  failed: 'failed',
}

export function parseStatuses(change: Change, emit: Emit): void {
  const { value, externalId, at } = change
  const findContact = indexContacts(value)
  const items = asList(value.statuses)
  if (items.length === 0) emit({ type: 'unreadable', externalId, at, reason: 'Its statuses are not a list.' })
  for (const item of items) emit(parseStatus(asObject(item), change, findContact))
}

function parseStatus(
  item: Record<string, unknown> | null,
  { externalId, at: entryAt }: Change,
  findContact: ReturnType<typeof indexContacts>,
): InboundEvent {
  const providerMessageId = parseId(item?.id)
  const at = parseInstant(item?.timestamp) ?? entryAt
  const name = asText(item?.status)
  if (!item || !providerMessageId || !name)
    return { type: 'unreadable', externalId, at: entryAt, reason: 'A status has no message or status.' }
  if (asText(item.recipient_type) === 'group' || asText(item.group_id))
    return { type: 'ignored', externalId, at, what: 'a status in a group' }
  const status = lookUp(statuses, name)
  if (!status) return { type: 'ignored', externalId, at, what: `status: ${truncate(name, 100)}` }
  const ids = {
    phone: item.recipient_id,
    userId: item.recipient_user_id,
    parentId: item.recipient_parent_user_id,
  }
  const error = asObject(asList(item.errors)[0]) ?? {}
  return {
    type: 'status',
    externalId,
    at,
    providerMessageId,
    messageId: parseId(item.biz_opaque_callback_data),
    to: findPerson(ids, findContact).identities,
    status,
    failure: status === 'failed' ? toFailure(error).failure : null,
  }
}
