/** What a run has read of its search: without it, a missing listing means nothing. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { Portals } from '../../platforms/service.ts'

interface Coverage {
  /** It has read every listing that the search shows, so that one which is missing is not in the search. */
  isComplete: boolean
  /** It was cut: by the maximum of results, a quota, or a user. */
  isCut: boolean
}

/**
 * Reads what an extraction that has ended has covered. `exhaustive` says that all of what was requested was seen. Some portals are
 * requested only for what has changed since the last run: what such a run does not show may well be there.
 */
export async function readCoverage(
  tx: Tx,
  portals: Portals,
  { platform, extractionId }: { platform: string; extractionId: string },
): Promise<Coverage> {
  const { rows } = await sql<{ isExhaustive: boolean; isPartial: boolean; isCut: boolean }>`
    select status = 'COMPLETED' and exhaustive as "isExhaustive", since is not null as "isPartial",
      status <> 'COMPLETED' or capped or skipped_by_reason ? 'quotaExceeded' as "isCut"
    from extractions where tenant_id = ${getTenantId(tx)} and id = ${extractionId}`.execute(tx)
  const { isExhaustive, isPartial, isCut } = rows[0]!
  const search = portals.find(platform)?.search
  const showsAll = search?.kind === 'feed' || search?.coverage === 'all'
  const showsAllAtFirst = search?.kind === 'pages' && search.coverage === 'changes'
  return { isComplete: isExhaustive && (showsAll || (showsAllAtFirst && !isPartial)), isCut }
}
