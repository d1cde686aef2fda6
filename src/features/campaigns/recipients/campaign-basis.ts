/** The lawful basis that a campaign attests for its recipients. */
import type { Tx } from '../../../kit/db/index.ts'
import { recordMissingBases } from '../../leads/service.ts'
import type { CampaignRow } from '../campaigns/row.ts'

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
  const proof = [`Campaign “${name}” (${id})`, attestedBy && `attested by ${attestedBy}`, note]
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
      replaces: `(${id})`,
      isNew: false,
    })),
  )
}
