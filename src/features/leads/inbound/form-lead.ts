/** Leads of people who filled in a form, on a site of the agency or of an ad network, and agreed to be contacted. */
import type { Identifier } from '../../../domain/contact/identifiers.ts'
import { toPersonName, toPlaceText } from '../../../domain/contact/typed-text.ts'
import type { Channel } from '../../../domain/contactability/facts.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import { recordLawfulBasis } from '../contact/lawful-basis.ts'
import { leadCreated } from '../events.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { toFieldChanges } from '../record/lead-fields.ts'
import type { LeadInput } from '../record/lead-input.ts'
import { lockRows } from '../record/lead-row.ts'
import { addNotes, recordImportedBases } from '../writing/notes-and-bases.ts'
import { saveLeads } from '../writing/save-leads.ts'
import type { NoLeadReason } from './inbound-lead.ts'

const noteMax = 10_000

export interface FormPerson {
  /** The id of the submission, by which the source of a new lead names it; if omitted, a generated one. */
  sourceId?: string
  name: string | null
  identifiers: readonly Identifier[]
  property: NonNullable<LeadInput['property']>
  customFields?: NonNullable<LeadInput['customFields']>
  /** Null: the person did not consent. */
  consent: {
    channels: readonly Channel[]
    /** ISO 8601; null: now. */
    at: string | null
    /** The text and where it was shown. */
    proof: string
  } | null
  /** For a new lead; null: none. */
  note: string | null
  /**
   * For a lead that exists: everything that was written. Nobody has proven who filled in the form, so the fields of the lead
   * stay as they are.
   */
  knownNote: string
}

export type FormLead =
  | { leadId: string; result: 'created' | 'known' }
  | { leadId: null; reason: NoLeadReason }

/**
 * Finds or creates the leads of people who filled in a form. Somebody who requests contact gets a new lead if the known one is won, lost or
 * discarded, or its listing excludes agencies. Records their consent unless the lead has a contract or consent, adds the notes,
 * and emits `lead.created` and `lead.updated`. Names and places that do not look like one go to the note, not into messages. New ones count towards `maxLeadsPerMonth`. Returns a result for each, in order.
 */
export async function saveFormLeads(
  tx: Tx,
  { platform, campaignId }: { platform: 'widget' | 'social_ads'; campaignId: string | null },
  typed: readonly FormPerson[],
): Promise<FormLead[]> {
  await lockLeadWrites(tx)
  const people = typed.map(withholdTexts)
  const saved = await saveLeads(
    tx,
    { platform, importId: null, campaignId },
    people.map(({ sourceId, name, identifiers, property, customFields = {}, consent }) => ({
      contact: { name, ...toContact(identifiers) },
      property,
      customFields,
      sourceRecordId: null,
      generatedSourceId: sourceId ?? createId(tx),
      isRequest: consent !== null,
    })),
    { onMatch: 'skip', areIdsTrusted: true },
  )
  const found = saved.flatMap(({ leadId, result }, index) =>
    leadId === null ? [] : [{ leadId, isNew: result === 'created', person: people[index]! }],
  )
  const recorded = await recordImportedBases(
    tx,
    found.flatMap(({ leadId, isNew, person: { consent } }) =>
      consent === null
        ? []
        : [
            {
              ...consent,
              leadId,
              isNew,
              kind: 'consent' as const,
              channels: [...consent.channels],
              by: null,
            },
          ],
    ),
  )
  for (const { leadId, isNew, person } of found)
    if (!isNew && !recorded.has(leadId) && person.consent) await raiseToConsent(tx, leadId, person.consent)
  const notes = found.flatMap(({ leadId, isNew, person }) => {
    const body = isNew ? person.note : person.knownNote
    return body ? [{ leadId, body, isNew }] : []
  })
  const noteIds = await addNotes(tx, notes)
  await emitMany(
    tx,
    leadCreated,
    found.flatMap(({ leadId, isNew }) => (isNew ? { leadId, platform, keyId: null, userId: null } : [])),
  )
  await emitLeadUpdates(
    tx,
    found.flatMap(({ leadId, isNew }) => {
      const noteId = noteIds[notes.findIndex(note => note.leadId === leadId)]
      const changes = toFieldChanges(recorded.get(leadId) ?? {})
      if (isNew || (!noteId && changes.length === 0)) return []
      return [{ leadId, cause: 'form_received' as const, changes, ...(noteId ? { noteId } : {}) }]
    }),
  )
  return saved.map(each => {
    if (each.leadId !== null)
      return { leadId: each.leadId, result: each.result === 'created' ? 'created' : 'known' }
    const isErased = each.result === 'skipped' && each.reason === 'SUPPRESSED'
    return { leadId: null, reason: isErased ? 'PERSON_ERASED' : 'QUOTA_EXCEEDED' }
  })
}

const placeFields = ['title', 'address', 'municipality', 'province', 'postcode', 'floorText', 'url'] as const

/**
 * Templates repeat the name and the property to a phone number that nobody has proven, so a text with a link or a phone number
 * moves to the note of the lead.
 */
function withholdTexts(person: FormPerson): FormPerson {
  const withheld: string[] = []
  const keep = (field: string, text: string, kept: string | null): string | null => {
    if (kept === null) withheld.push(`${field}: ${text}`)
    return kept
  }
  const name = person.name && keep('contact.name', person.name, toPersonName(person.name))
  const property = { ...person.property }
  for (const field of placeFields) {
    const text = property[field]
    if (text) property[field] = keep(`property.${field}`, text, toPlaceText(text))
  }
  const note = [person.note, ...withheld].filter(Boolean).join('\n').slice(0, noteMax).toWellFormed()
  return { ...person, name: name || null, property, note: note || null }
}

/** Consent covers more channels than legitimate interest, and it is the person's own word. Other bases stay. */
async function raiseToConsent(
  tx: Tx,
  leadId: string,
  { channels, at, proof }: NonNullable<FormPerson['consent']>,
): Promise<void> {
  const row = (await lockRows(tx, [leadId])).get(leadId)?.row
  if (row?.lawful_basis !== 'legitimate_interest') return
  const recordedAt = at ?? getNow(tx).toISOString()
  const basis = { kind: 'consent' as const, recordedAt, proof, channels: [...channels] }
  await recordLawfulBasis(tx, leadId, basis, { author: { keyId: null, userId: null }, ifMatch: null })
}

function toContact(identifiers: readonly Identifier[]) {
  const pick = (kind: Identifier['kind']) =>
    identifiers.flatMap(identifier => (identifier.kind === kind ? identifier.value : []))
  return { phones: pick('phone'), emails: pick('email') }
}
