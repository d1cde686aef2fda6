/** Leads whose number or address the provider has given to somebody else. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { changeIdentifiers } from '../../leads/service.ts'
import { stableKinds, toContactIdentifiers, toLeadValues } from '../identities.ts'

/**
 * Takes the numbers and addresses of these people, by conversation, off the leads of their former owners, which keep the id
 * of the former owner instead. Ids are compared within the account alone: a person has another one with each business.
 * Returns the values that were taken, by the conversation of the new owner. Call this after `lockLeadWrites`.
 */
export async function takeFromFormerOwners(
  tx: Tx,
  people: Map<string, ChatIdentity[]>,
): Promise<Map<string, Set<string>>> {
  const moving = [...people].flatMap(([conversationId, identities]) =>
    identities.some(({ kind }) => stableKinds.includes(kind))
      ? identities
          .filter(({ kind }) => !stableKinds.includes(kind))
          .flatMap(toLeadValues)
          .map(value => ({ conversationId, value }))
      : [],
  )
  const taken = new Map<string, Set<string>>()
  if (moving.length === 0) return taken
  const found = await findFormerOwners(tx, moving)
  await changeIdentifiers(
    tx,
    found.map(({ leadId, kind, id, value }) => ({
      leadId,
      added: toContactIdentifiers([{ kind, value: id }]),
      removed: [value],
    })),
  )
  for (const [id, own] of Map.groupBy(found, ({ conversationId }) => conversationId))
    taken.set(id, new Set(own.map(({ value }) => value)))
  return taken
}

interface FormerOwner {
  leadId: string
  /** The conversation of the new owner, and what the lead has of theirs. */
  conversationId: string
  value: string
  /** The id of the former owner. */
  kind: ChatIdentity['kind']
  id: string
}

/** The leads with these values that have another conversation of the account, with somebody whose id differs. */
async function findFormerOwners(
  tx: Tx,
  moving: { conversationId: string; value: string }[],
): Promise<FormerOwner[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<FormerOwner>`
    select distinct l.lead_id as "leadId", c.id as "conversationId", l.value, theirs.kind, theirs.value as id
    from unnest(${moving.map(each => each.conversationId)}::uuid[], ${moving.map(({ value }) => value)}::text[]) as g (id, value)
    join conversations c on c.tenant_id = ${tenantId} and c.id = g.id
    join lead_identifiers l on l.tenant_id = ${tenantId} and l.value = g.value and l.lead_id is distinct from c.lead_id
    cross join lateral (
      select t.id from conversations t
      where t.tenant_id = ${tenantId} and t.lead_id = l.lead_id and t.account_id = c.account_id
      union
      select m.conversation_id from messages m
      where m.tenant_id = ${tenantId} and m.lead_id = l.lead_id and m.account_id = c.account_id) other
    join conversation_identities theirs on theirs.tenant_id = ${tenantId} and theirs.conversation_id = other.id
    join conversation_identities own on own.tenant_id = ${tenantId} and own.conversation_id = c.id and own.kind = theirs.kind
    where other.id <> c.id and own.kind = any(${stableKinds}::text[])
    order by 1, 2, 3, 4, 5`.execute(tx)
  return rows
}

/** The leads of a conversation and of its messages. */
export async function findLeadsOfConversation(tx: Tx, conversationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select lead_id as id from conversations
    where tenant_id = ${getTenantId(tx)} and id = ${conversationId} and lead_id is not null
    union
    select lead_id from messages
    where tenant_id = ${getTenantId(tx)} and conversation_id = ${conversationId} and lead_id is not null
    order by id`.execute(tx)
  return rows.map(({ id }) => id)
}
