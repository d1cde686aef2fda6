/** Converts stored campaigns to API replies. */

import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { toETag } from '../../../kit/etag.ts'
import { type JsonText, toJsonText } from '../../../kit/json-text.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { formatHealth } from './health-words.ts'
import { getCampaign } from './queries.ts'
import { readCurrentRuns, readStats } from './read-stats.ts'
import type { CampaignRow } from './row.ts'
import { toCampaignWait } from './run-wait.ts'
import type { Campaign } from './schemas.ts'
import { toReplySegmentation } from './segmentation.ts'
import { readSourceWaits } from './source-wait.ts'

/** In the order of the rows. */
export async function toReplies(tx: Tx, rows: CampaignRow[]): Promise<Campaign[]> {
  const ids = rows.map(({ id }) => id)
  const [{ timezone }, statsById, runs, sourceWaits] = await Promise.all([
    getWorkspaceLocale(tx),
    readStats(tx, ids),
    readCurrentRuns(tx, ids),
    readSourceWaits(tx, rows),
  ])
  const now = getNow(tx)
  return rows.map(row => {
    const stats = statsById.get(row.id)!
    const { id, name, status, mode, platform, contactMode, segmentation, settings, accountId } = row
    return {
      id,
      name,
      status,
      mode,
      platform,
      contactMode,
      segmentation: toReplySegmentation(segmentation),
      settings,
      accountId,
      allUrlsChecked: row.allUrlsChecked,
      stats,
      currentRun: runs.get(id) ?? null,
      nextRunAt: status === 'running' ? (row.nextRunAt?.toISOString() ?? null) : null,
      pauseReason: row.pauseReason,
      wait: sourceWaits.get(id) ?? toCampaignWait(row, { run: runs.get(id), stats, now, timezone }),
      health: row.health && {
        level: row.health.level,
        code: row.health.code,
        message: formatHealth(row.health),
      },
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      startedAt: row.startedAt?.toISOString() ?? null,
      completedAt: row.completedAt?.toISOString() ?? null,
    }
  })
}

/** With the ETag of its version. Throws 404. */
export async function readReply(tx: Tx, id: string): Promise<JsonText> {
  const row = await getCampaign(tx, id)
  const [reply] = await toReplies(tx, [row])
  return toJsonText(JSON.stringify(reply), { ETag: toETag(row.version) })
}
