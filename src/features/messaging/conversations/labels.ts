/** The labels of conversations, and those that are in use. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { fetchPage, type ListRow, type Page } from '../../../kit/db/json.ts'
import type { Position } from '../../../kit/page.ts'

/** The most labels of a conversation: they fit into the indexes of the list. */
export const labelsMax = 10

/** Lists the labels of these conversations, which are locked, after they have changed. */
export async function indexLabels(tx: Tx, conversationIds: string[]): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`
    delete from conversation_labels
    where tenant_id = ${tenantId} and conversation_id = any(${conversationIds}::uuid[])`.execute(tx)
  await sql`
    insert into conversation_labels (tenant_id, label, conversation_id)
    select c.tenant_id, label, c.id from conversations c, unnest(c.labels) label
    where c.tenant_id = ${tenantId} and c.id = any(${conversationIds}::uuid[])
    on conflict do nothing returning label`.execute(tx)
}

/** The labels in use, in alphabetical order: the index is read from one label to the next. */
export function listLabels(tx: Tx, limit: number, after: Position | null): Promise<Page> {
  const tenantId = getTenantId(tx)
  return fetchPage(
    tx,
    sql<ListRow>`
      with recursive used as (
        (select label, 1 as n from conversation_labels
          where tenant_id = ${tenantId} and label > ${after?.[0] ?? ''} order by label limit 1)
        union all
        select (select l.label from conversation_labels l where l.tenant_id = ${tenantId} and l.label > used.label
          order by l.label limit 1), n + 1
        from used where used.label is not null and n <= ${limit})
      select to_json(label) as json, array[label] as position from used where label is not null
      order by label limit ${limit + 1}`,
    limit,
  )
}
