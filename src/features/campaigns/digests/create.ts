/** Writes the digest that is due, and queues its e-mails, in one transaction: there is one for each time. */

import type { Cipher } from '../../../kit/crypto.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { findSuppressions } from '../../privacy/service.ts'
import { findCampaign } from '../campaigns/queries.ts'
import { countDigestChanges } from '../searches/list-changes.ts'
import * as queries from './queries.ts'
import { optedOut, unsubscribed } from './reasons.ts'
import { getSubscribers } from './subscribers.ts'

export const sendDigestMailName = 'send-campaign-digest-mail'
const mailAttemptsMax = 10
const digestsKept = 1000

/** Nothing is sent if nothing was found, and nothing while the campaign is paused. */
export async function createDueDigest(tx: Tx, cipher: Cipher, campaignId: string): Promise<void> {
  const due = await queries.lockDue(tx, campaignId)
  const campaign = due && (await findCampaign(tx, campaignId))
  if (!due || !campaign || campaign.status === 'paused') return
  const { notifications } = campaign.settings
  const range = { campaignId, afterId: due.digestedId, types: notifications?.changes ?? [] }
  const found = notifications && notifications.emails.length > 0 ? await countDigestChanges(tx, range) : null
  if (!found) return queries.clearDue(tx, campaignId, null)
  const digestId = await queries.insertDigest(tx, due.dueAt, { ...range, ...found })
  await queries.clearDue(tx, campaignId, found.untilId)
  if (!digestId) return
  for (const { id, email, isUnsubscribed } of await getSubscribers(
    tx,
    cipher,
    campaignId,
    notifications!.emails,
  )) {
    const refusal = isUnsubscribed ? unsubscribed : (await isRefused(tx, email)) ? optedOut : null
    const mailId = await queries.insertMail(tx, { digestId, subscriberId: id, refusal })
    if (!refusal) await enqueue(tx, sendDigestMailName, { mailId }, { maxAttempts: mailAttemptsMax })
  }
  await queries.deleteOldDigests(tx, campaignId, digestsKept)
}

/** The person has refused e-mails of the agency, or was erased. */
export async function isRefused(tx: Tx, email: string): Promise<boolean> {
  const suppressions = (await findSuppressions(tx, [{ kind: 'email', value: email }])).get(email) ?? []
  return suppressions.some(({ channel }) => channel === null || channel === 'email')
}
