/** Enqueues the jobs with which recipients follow their campaign: a record changes at once, a hundred thousand recipients in batches. */
import type { Tx } from '../../kit/db/index.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'

export const applyDelaysName = 'apply-campaign-delays'
export const applyBasisName = 'apply-campaign-basis'
export const deleteRecipientsName = 'delete-campaign-recipients'
export const withdrawName = 'withdraw-campaign'
export const applyStartName = 'apply-campaign-start'

const request =
  (name: string) =>
  (tx: Tx, campaignId: string): Promise<void> =>
    enqueue(tx, name, { campaignId }, { jobKey: `${name} ${campaignId}` })

/** New delays count for everybody who waits for a step. */
export const requestDelays = request(applyDelaysName)

/** The lawful basis is recorded on those who joined before it was attested, and those who lacked it go on; or it is removed again. */
export const requestBasis = request(applyBasisName)

/** Whom a draft held up go on in one that starts. */
export const requestStart = request(applyStartName)

/** What is planned and queued of a campaign that was paused or has completed is taken back. */
export const requestWithdrawal = request(withdrawName)

/** The campaign was deleted. */
export const requestDeletion = request(deleteRecipientsName)
