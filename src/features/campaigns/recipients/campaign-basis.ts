/** The lawful basis that a campaign attests for its recipients. */
import type { Tx } from '../../../kit/db/index.ts'
import { recordMissingBases, removeBases } from '../../leads/service.ts'
import type { CampaignRow } from '../campaigns/row.ts'

/** The proof of what the campaign attests contains it, whatever the name of the campaign was. */
const toMark = (campaignId: string) => `(${campaignId})`

/** Removes what the campaign attested from these leads. Call it after `lockForJoining`: it emits events. */
export const removeCampaignBasis = (tx: Tx, campaignId: string, leadIds: readonly string[]): Promise<void> =>
  removeBases(tx, leadIds, toMark(campaignId))

/**
 * Records the campaign's lawful basis on those of these leads that never had one, or have one that it attested before: the proof has
 * its id. Returns the changes by lead id. Call it after `lockForJoining`: it emits events.
 */
export async function recordCampaignBasis(
  tx: Tx,
  {
    id,
    name,
    basisBy: by,
    settings: { lawfulBasis },
  }: Pick<CampaignRow, 'id' | 'name' | 'settings' | 'basisBy'>,
  leadIds: readonly string[],
): Promise<Map<string, object>> {
  if (lawfulBasis === null || leadIds.length === 0) return new Map()
  const { kind, attestedBy, attestedAt, note, channels } = lawfulBasis
  const proof = [`Campaign “${name}” ${toMark(id)}`, attestedBy && `attested by ${attestedBy}`, note]
    .filter(part => part)
    .join('; ')
  return recordMissingBases(
    tx,
    leadIds.map(leadId => ({
      leadId,
      kind,
      at: attestedAt,
      proof,
      channels,
      by,
      replaces: toMark(id),
      isNew: false,
    })),
  )
}
