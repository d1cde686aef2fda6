/** What a person agreed to by ticking boxes of a form: a consent with its proof, or none. */
import { contactChannels } from '../../../domain/contactability/facts.ts'
import type { AdLead } from '../../../plugins/ads.ts'
import type { ConsentRule, FormRow } from '../forms.ts'

type ConsentForm = Pick<FormRow, 'name' | 'consent' | 'consentVersion' | 'consentRule'>

/**
 * The boxes that mean consent: those that the workspace has named; otherwise those that the person must tick. Null: there are
 * none. A box that is ticked before the person touches it is never one.
 */
export function toConsentRule({
  consent,
  consentRule,
}: Pick<FormRow, 'consent' | 'consentRule'>): ConsentRule | null {
  if (consentRule) return consentRule
  const boxes = (consent?.boxes ?? []).filter(box => box.isRequired && !box.isTickedBefore)
  return boxes.length === 0 ? null : { boxes: boxes.map(({ key }) => key), channels: [...contactChannels] }
}

export interface AdConsent {
  channels: ConsentRule['channels']
  /** ISO 8601. */
  at: string
  proof: string
}

const proofMax = 5000

/** Returns the consent of a person; null: they did not tick every box that means it. `form` undefined: it is gone. */
export function findConsent(
  lead: Pick<AdLead, 'id' | 'formId' | 'submittedAt' | 'boxes'>,
  form: ConsentForm | undefined,
  { label, now }: { label: string; now: Date },
): AdConsent | null {
  const rule = form && toConsentRule(form)
  if (!rule) return null
  const ticked = new Set(lead.boxes.flatMap(({ key, isTicked }) => (isTicked ? key : [])))
  const boxes = rule.boxes.map(key => form.consent?.boxes.find(box => box.key === key))
  if (!boxes.every(box => box && !box.isTickedBefore && ticked.has(box.key))) return null
  const submittedAt = lead.submittedAt.toString()
  const texts = boxes.map(box => `«${box!.key}»: ${box!.text}`)
  const where = `${label} lead ad, form «${form.name}» (${lead.formId}), lead ${lead.id}, submitted at ${submittedAt}. Version of the text: ${form.consentVersion}.`
  const proof = `${where} Ticked ${texts.join(' ')}`
  const at = new Date(Math.min(lead.submittedAt.epochMilliseconds, now.getTime())).toISOString()
  return { channels: rule.channels, at, proof: proof.slice(0, proofMax).toWellFormed() }
}
