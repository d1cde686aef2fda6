/** What the refusal of a message says about its template. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { ChatFailure, TemplateReference } from '../../../plugins/chat.ts'
import { recordTemplateFailure } from '../../templates/service.ts'
import type { OutgoingRow } from './outgoing-rows.ts'

/** A provider may refuse a template before it reports that it has paused it. */
export async function recordTemplateRefusal(
  tx: Tx,
  { id, accountId }: Pick<OutgoingRow, 'id' | 'accountId'>,
  failure: ChatFailure,
): Promise<void> {
  if (failure.scope !== 'template') return
  const { rows } = await sql<{ template: TemplateReference | null }>`
    select content->'template' as template from messages
    where tenant_id = ${getTenantId(tx)} and id = ${id}`.execute(tx)
  const template = rows[0]?.template
  if (template) await recordTemplateFailure(tx, accountId, template, failure)
}
