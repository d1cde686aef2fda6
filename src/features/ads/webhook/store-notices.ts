/** Stores what a webhook says, before anything is done with it: each submitted form once. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { AdNotice } from '../../../plugins/ads.ts'
import type { Ads } from '../ad-connections.ts'
import { insertAdLeads } from '../lead-queries.ts'
import { findConnectionsOfPages, updateConnection } from '../queries.ts'
import { enqueueRetrieval } from '../retrieval/enqueue.ts'

/**
 * An app has one webhook address for all pages: notices of other connected pages go to these. Those of pages that are not
 * connected are dropped. Returns how many were.
 */
export async function storeNotices(
  tx: Tx,
  { cipher }: Pick<Ads, 'cipher'>,
  network: string,
  notices: readonly AdNotice[],
): Promise<number> {
  const pageIds = [...new Set(notices.map(({ pageId }) => pageId))]
  const connections = await findConnectionsOfPages(tx, network, pageIds)
  const known = notices.flatMap(({ pageId, leadId, formId, content }) => {
    const connectionId = connections.get(pageId)
    if (connectionId === undefined) return []
    const encrypted = content === null ? null : cipher.encrypt(content)
    return [{ connectionId, externalId: leadId, formId, content: encrypted }]
  })
  await insertAdLeads(tx, known)
  const now = getNow(tx)
  for (const connectionId of [...new Set(known.map(lead => lead.connectionId))].toSorted()) {
    await updateConnection(tx, connectionId, { notified_at: now })
    await enqueueRetrieval(tx, connectionId)
  }
  return notices.length - known.length
}
