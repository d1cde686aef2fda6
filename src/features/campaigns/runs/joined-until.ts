/** Which leads of its search have joined a campaign. */
import type { CampaignRow } from '../campaigns/row.ts'
import type { RunHistory } from './queries.ts'

/**
 * Leads that were found before have joined, as far as they were to. Null: none have, because no run of the search has completed since the
 * campaign contacts people.
 */
export const findJoinedUntil = (
  { contactFrom }: Pick<CampaignRow, 'contactFrom'>,
  { completedStartedAt }: Pick<RunHistory, 'completedStartedAt'>,
): Date | null =>
  completedStartedAt && contactFrom && completedStartedAt < contactFrom ? null : completedStartedAt
