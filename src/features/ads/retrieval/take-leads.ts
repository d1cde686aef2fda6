/** Takes leads that were read: each becomes a lead of the program once, with its source, its consent and its campaign. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { callHook } from '../../../kit/hook.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { AdLead } from '../../../plugins/ads.ts'
import { getWorkspaceLocale, saveFormLeads } from '../../leads/service.ts'
import type { OpenConnection } from '../ad-connections.ts'
import { type FormRow, findForms } from '../forms.ts'
import { adLeadsTaken, assignAdLeads } from '../hooks.ts'
import { type AdLeadEnd, lockWaitingAdLeads, recordEnds, recordWaits } from '../lead-queries.ts'
import { toFormPerson } from '../mapping/to-person.ts'
import { personErased, quotaExceeded, testLead } from './reasons.ts'

export interface ReadAdLead {
  /** The submission. */
  id: string
  lead: AdLead
}

/** A new month, or a larger quota, lets the leads in. */
const quotaRetryMs = 6 * 3_600_000

/** Takes those that still wait. Call it last in a transaction: campaigns take the leads over. */
export async function takeLeads(
  tx: Tx,
  { connection, network }: OpenConnection,
  read: readonly ReadAdLead[],
): Promise<void> {
  await lockLeadWrites(tx)
  const waiting = await lockWaitingAdLeads(
    tx,
    read.map(({ id }) => id),
  )
  const leads = read.filter(({ id }) => waiting.has(id))
  const tests = leads.filter(({ lead }) => lead.isTest)
  await recordEnds(
    tx,
    tests.map(({ id, lead }) => ({
      id,
      status: 'skipped',
      reason: testLead,
      submittedAt: lead.submittedAt.toString(),
    })),
  )
  const real = leads.filter(({ lead }) => !lead.isTest)
  if (real.length === 0) return
  const formIds = [...new Set(real.map(({ lead }) => lead.formId))]
  const forms = await findForms(tx, connection.id, formIds)
  const [campaigns] = await callHook(tx, assignAdLeads, { connectionId: connection.id, formIds })
  const taken: { leadId: string; formId: string }[] = []
  // One after the other: all write leads.
  for (const formId of formIds) {
    const ofForm = real.filter(({ lead }) => lead.formId === formId)
    const form = forms.get(formId)
    const campaignId = campaigns?.get(formId) ?? null
    taken.push(...(await takeLeadsOfForm(tx, ofForm, { form, campaignId, label: network.label })))
  }
  if (taken.length > 0) await callHook(tx, adLeadsTaken, { connectionId: connection.id, leads: taken })
}

async function takeLeadsOfForm(
  tx: Tx,
  leads: ReadAdLead[],
  { form, campaignId, label }: { form: FormRow | undefined; campaignId: string | null; label: string },
): Promise<{ leadId: string; formId: string }[]> {
  const options = { ...(await getWorkspaceLocale(tx)), label, now: getNow(tx) }
  const people = leads.map(({ lead }) => toFormPerson(lead, form, options))
  const saved = await saveFormLeads(tx, { platform: 'social_ads', campaignId }, people)
  const ends: AdLeadEnd[] = []
  const waitsForQuota: string[] = []
  for (const [index, { id, lead }] of leads.entries()) {
    const result = saved[index]!
    const evidence = {
      submittedAt: lead.submittedAt.toString(),
      consent: {
        version: form?.consentVersion ?? null,
        boxes: lead.boxes,
        isGiven: people[index]!.consent !== null,
      },
    }
    if (result.leadId !== null) ends.push({ id, status: 'taken', leadId: result.leadId, ...evidence })
    else if (result.reason === 'PERSON_ERASED') ends.push({ id, status: 'skipped', reason: personErased })
    else waitsForQuota.push(id)
  }
  await recordEnds(tx, ends)
  const nextAttemptAt = new Date(getNow(tx).getTime() + quotaRetryMs)
  await recordWaits(
    tx,
    waitsForQuota.map(id => ({ id, reason: quotaExceeded, nextAttemptAt, isAttempt: false })),
  )
  return ends.flatMap(({ leadId }) => (leadId === undefined ? [] : { leadId, formId: leads[0]!.lead.formId }))
}
