/** Writes the text of a digest from what is stored. */
import { toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { listDigestChanges } from '../searches/list-changes.ts'
import { type DigestContent, writeDigest } from './content.ts'
import { getDigestWords } from './languages.ts'
import type { DigestRow } from './queries.ts'

/** Listings of a type that are named; the others are counted. */
const itemsMax = 25

/** Null: nothing is left of what was found. */
export async function writeStoredDigest(
  tx: Tx,
  { name, settings }: CampaignRow,
  digest: DigestRow,
  unsubscribeUrl: string | null,
): Promise<DigestContent | null> {
  const changes = await listDigestChanges(tx, { ...digest, limit: itemsMax })
  if (changes.length === 0) return null
  const { country } = await getWorkspaceLocale(tx)
  const words = getDigestWords(settings.notifications?.language ?? toMessageLanguage(country))
  return writeDigest({ search: name, counts: digest, changes, unsubscribeUrl }, words)
}
