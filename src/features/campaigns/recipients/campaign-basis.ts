/** The lawful basis that a campaign attests for its recipients. */
import type { Channel, LawfulBasisKind } from '../../../domain/contactability/facts.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { recordMissingBases } from '../../leads/service.ts'

/** The part of a campaign that its lawful basis depends on. */
export interface BasisCampaign {
  id: string
  name: string
  settings: {
    lawfulBasis: {
      kind: LawfulBasisKind
      attestedBy: string | null
      attestedAt: string
      note: string | null
      /** Null: those of its kind. */
      channels: Channel[] | null
    } | null
  }
}

/** Records the campaign's lawful basis on those of these leads that never had one. Call it after `lockLeadWrites`. */
export async function recordCampaignBasis(
  tx: Tx,
  { name, settings: { lawfulBasis } }: BasisCampaign,
  leadIds: readonly string[],
): Promise<void> {
  if (lawfulBasis === null || leadIds.length === 0) return
  const { kind, attestedBy, attestedAt, note, channels } = lawfulBasis
  const proof = [`Campaign “${name}”`, attestedBy && `attested by ${attestedBy}`, note]
    .filter(part => part)
    .join('; ')
  await recordMissingBases(
    tx,
    leadIds.map(leadId => ({ leadId, kind, at: attestedAt, proof, channels, by: null, isNew: false })),
  )
}
