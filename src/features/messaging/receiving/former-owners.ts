/** Leads whose number or address the provider has given to somebody else. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { changeIdentifiers } from '../../leads/service.ts'
import { isProfessional } from '../../privacy/service.ts'
import { findIdentities } from '../conversations/queries.ts'
import { formatIdentity, stableKinds, toContactIdentifiers, toLeadValues } from '../identities.ts'

/**
 * Takes the numbers and addresses of these people, by conversation, off the leads of their former owners, which keep the id
 * of the former owner instead. Those of professionals stay on their many leads. Ids are compared within the account alone: a
 * person has another one with each business. Returns the values that had another owner, by the conversation of the new one.
 * Call this after `lockLeadWrites`.
 */
export async function takeFromFormerOwners(
  tx: Tx,
  people: Map<string, ChatIdentity[]>,
): Promise<Map<string, Set<string>>> {
  const moving = [...people].flatMap(([conversationId, identities]) =>
    identities.some(({ kind }) => stableKinds.includes(kind))
      ? identities
          .filter(({ kind }) => !stableKinds.includes(kind))
          .flatMap(identity =>
            toLeadValues(identity).map(value => ({
              conversationId,
              value,
              identity: formatIdentity(identity),
            })),
          )
      : [],
  )
  const taken = new Map<string, Set<string>>()
  if (moving.length === 0) return taken
  const found = await findFormerOwners(tx, moving)
  await changeIdentifiers(
    tx,
    found.flatMap(({ leadId, kind, id, value }) =>
      leadId === null ? [] : { leadId, added: toContactIdentifiers([{ kind, value: id }]), removed: [value] },
    ),
  )
  for (const [id, own] of Map.groupBy(found, ({ conversationId }) => conversationId))
    taken.set(id, new Set(own.map(({ value }) => value)))
  return taken
}

interface MovingValue {
  /** That of the new owner. */
  conversationId: string
  /** What leads may have. */
  value: string
  /** What conversations had, as `kind:value`. */
  identity: string
}

type FormerOwner = Pick<MovingValue, 'conversationId' | 'value'> & {
  /** A lead of the former owner that has the value; null: they have none. */
  leadId: string | null
  /** The id of the former owner. */
  kind: ChatIdentity['kind']
  id: string
}

/** Other people of the account, with another id, who had these values, and their leads that still have them. */
async function findFormerOwners(tx: Tx, moving: MovingValue[]): Promise<FormerOwner[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<FormerOwner>`
    select distinct l.lead_id as "leadId", c.id as "conversationId", g.value, theirs.kind, theirs.value as id
    from unnest(${moving.map(each => each.conversationId)}::uuid[], ${moving.map(({ value }) => value)}::text[],
      ${moving.map(({ identity }) => identity)}::text[]) as g (id, value, identity)
    join conversations c on c.tenant_id = ${tenantId} and c.id = g.id
    join (
      select o.id, o.account_id, o.lead_id, former.identity
      from conversations o cross join lateral unnest(o.former_identities) former (identity)
      where o.tenant_id = ${tenantId} and o.former_identities <> '{}') other
      on other.account_id = c.account_id and other.identity = g.identity and other.id <> c.id
    join conversation_identities theirs on theirs.tenant_id = ${tenantId} and theirs.conversation_id = other.id
    join conversation_identities own on own.tenant_id = ${tenantId} and own.conversation_id = c.id and own.kind = theirs.kind
    left join lateral (
      select i.lead_id from lead_identifiers i
      where i.tenant_id = ${tenantId} and i.value = g.value and i.lead_id is distinct from c.lead_id
        and not ${isProfessional(tx, sql`g.value`)}
        and (i.lead_id = other.lead_id or exists (
          select from messages m
          where m.tenant_id = ${tenantId} and m.lead_id = i.lead_id and m.conversation_id = other.id)) offset 0) l on true
    where own.kind = any(${stableKinds}::text[])
    order by 1, 2, 3, 4, 5`.execute(tx)
  return rows
}

/**
 * The lead of a conversation, and those that have one of these values and are about its person: of its messages, or with an
 * id of the person. Those of a professional are left out.
 */
export async function findLeadsOfPerson(
  tx: Tx,
  conversationId: string,
  values: readonly string[],
): Promise<string[]> {
  const identities = await findIdentities(tx, conversationId)
  const ids = identities.filter(({ kind }) => stableKinds.includes(kind)).flatMap(toLeadValues)
  const { rows } = await sql<{ id: string }>`
    select lead_id as id from conversations
    where tenant_id = ${getTenantId(tx)} and id = ${conversationId} and lead_id is not null
    union
    select i.lead_id
    from (
      select given.value from unnest(${values}::text[]) given (value)
      where not ${isProfessional(tx, sql`given.value`)} offset 0) personal
    join lead_identifiers i on i.tenant_id = ${getTenantId(tx)} and i.value = personal.value
    where exists (
        select from messages m
        where m.tenant_id = ${getTenantId(tx)} and m.lead_id = i.lead_id and m.conversation_id = ${conversationId})
      or exists (
        select from lead_identifiers own
        where own.tenant_id = ${getTenantId(tx)} and own.lead_id = i.lead_id and own.value = any(${ids}::text[]))
    order by id`.execute(tx)
  return rows.map(({ id }) => id)
}
