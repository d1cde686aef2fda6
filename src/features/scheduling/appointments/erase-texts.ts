/** Empties texts about erased people in the appointments of others. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { containsAny, type ErasedPeople } from '../../privacy/service.ts'
import { changeAppointment } from './change.ts'
import { type AppointmentUpdate, findAppointments } from './queries.ts'
import type { AppointmentRow } from './row.ts'

/** Which texts of an appointment are about the people. */
export interface FoundTexts {
  id: string
  name: boolean
  notes: boolean
  reason: boolean
  feedback: boolean
  place: boolean
  /** The ids of the questions. */
  answers: string[]
}

/** `found`: what `lockTexts` returned. */
export async function eraseTexts(tx: Tx, found: FoundTexts[]): Promise<void> {
  const byId = new Map(found.map(each => [each.id, each]))
  for (const row of await findAppointments(tx, [...byId.keys()].sort()))
    await changeAppointment(tx, row, {
      kind: 'updated',
      update: toErased(row, byId.get(row.id)!),
      isSilent: true,
    })
}

/**
 * Finds and locks the appointments of others that mention the people. Call it before any event is emitted: whoever changes one of these
 * appointments emits too. A single word, such as a town, is no address of a person. Others have the same name: the name of a
 * visitor is about the people only if it is all that is known of the visitor.
 */
export async function lockTexts(
  tx: Tx,
  { words, identifiers }: Pick<ErasedPeople, 'words' | 'identifiers'>,
  ownIds: string[],
): Promise<FoundTexts[]> {
  const isAbout = containsAny(words, identifiers)
  const isPlaceOf = containsAny(
    words.filter(word => /[\s\d]/.test(word)),
    identifiers,
  )
  // `offset 0` evaluates each text once.
  const { rows } = await sql<FoundTexts>`
    select a.id, found.* from appointments a
    cross join lateral (
      select a.lead_id is null and a.visitor ->> 'phone' is null and a.visitor ->> 'email' is null
          and ${isAbout(sql`a.visitor ->> 'name'`)} as name, ${isAbout(sql`a.notes`)} as notes,
        ${isAbout(sql`a.cancel_reason`)} as reason, ${isAbout(sql`a.outcome -> 'feedback' ->> 'text'`)} as feedback,
        ${isPlaceOf(sql`a.location ->> 'address'`)} as place, array(
          select answer.key from jsonb_each_text(a.answers) answer where ${isAbout(sql`answer.value`)}) as answers
      offset 0) found
    where a.tenant_id = ${getTenantId(tx)} and a.id <> all(${ownIds}::uuid[])
      and (found.name or found.notes or found.reason or found.feedback or found.place or cardinality(found.answers) > 0)
    order by a.id for no key update of a`.execute(tx)
  return rows
}

function toErased(row: AppointmentRow, found: FoundTexts): AppointmentUpdate {
  const { visitor, answers, location, outcome } = row
  const kept = Object.entries(answers).filter(([id]) => !found.answers.includes(id))
  return {
    visitor: found.name ? { ...visitor, name: null } : visitor,
    answers: Object.fromEntries(kept),
    notes: found.notes ? null : row.notes,
    cancelReason: found.reason ? null : row.cancelReason,
    location: found.place ? { ...location, address: null, latitude: null, longitude: null } : location,
    outcome:
      outcome && found.feedback ? { ...outcome, feedback: { ...outcome.feedback, text: null } } : outcome,
  }
}
