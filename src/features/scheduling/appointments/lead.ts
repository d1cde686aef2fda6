/** The lead of a visitor: given, found by phone or e-mail address, or created. */
import type { Identifier } from '../../../domain/contact/identifiers.ts'
import type { Channel } from '../../../domain/contactability/facts.ts'
import type { Tx } from '../../../kit/db/index.ts'
import {
  assertLead,
  changeIdentifiers,
  createInboundLeads,
  findLeadsByIdentifiers,
  recordBooking,
} from '../../leads/service.ts'

export interface VisitorLead {
  /** Null: it is found by the identifiers. */
  leadId: string | null
  name: string
  identifiers: readonly Identifier[]
}

/** The known lead of the visitor; null: there is none. Throws 404 for a given one that does not exist. */
export async function findVisitorLead(
  tx: Tx,
  { leadId, identifiers }: Pick<VisitorLead, 'leadId' | 'identifiers'>,
): Promise<string | null> {
  if (leadId !== null) {
    await assertLead(tx, leadId)
    return leadId
  }
  // The phone first: an address may belong to several people.
  const found = await findLeadsByIdentifiers(
    tx,
    identifiers.map(identifier => [identifier]),
  )
  return found.find(id => id !== null) ?? null
}

const channelsOf: Record<Identifier['kind'], readonly Channel[]> = {
  phone: ['phone', 'chat'],
  email: ['email'],
  chat: ['chat'],
}

export interface BookedVisitor extends VisitorLead {
  appointmentId: string
  start: Date
  /** Those that surely are the visitor's. A lead that is found by another one does not get what else they wrote. */
  proven: readonly Identifier[]
  /** The booking counts as a reply of the lead, which ends the messages of a campaign. */
  isReply: boolean
}

/**
 * The lead of a new appointment; null: the visitor left no phone and no address, was erased, or the quota of leads is used
 * up. Call it after `lockLeadWrites`. Throws 404 for a given lead that does not exist.
 */
export async function findOrCreateLead(tx: Tx, visitor: BookedVisitor): Promise<string | null> {
  const { name, identifiers, appointmentId, start, isReply } = visitor
  const known = await findVisitorLead(tx, visitor)
  if (known !== null) {
    if (await isTheirs(tx, known, visitor)) {
      await addIdentifiers(tx, known, visitor.proven)
      if (isReply) await recordBooking(tx, known, { isNew: false })
    }
    return known
  }
  if (identifiers.length === 0) return null
  const channels = [...new Set(identifiers.flatMap(({ kind }) => channelsOf[kind]))]
  const proof = `The person booked the appointment ${appointmentId} on ${start.toISOString()}.`
  const [created] = await createInboundLeads(tx, [{ name, identifiers, channels, proof }], 'booking')
  const { leadId } = created!
  if (leadId !== null) await recordBooking(tx, leadId, { isNew: true })
  return leadId
}

/** The lead was found by what is surely the visitor's. */
async function isTheirs(
  tx: Tx,
  known: string,
  { leadId, identifiers, proven }: BookedVisitor,
): Promise<boolean> {
  if (proven.length === identifiers.length) return true
  return (await findVisitorLead(tx, { leadId, identifiers: proven })) === known
}

/** Adds those that no lead has. */
async function addIdentifiers(tx: Tx, leadId: string, identifiers: readonly Identifier[]): Promise<void> {
  const owners = await findLeadsByIdentifiers(
    tx,
    identifiers.map(identifier => [identifier]),
  )
  const added = identifiers.filter((_, index) => owners[index] === null)
  if (added.length > 0) await changeIdentifiers(tx, [{ leadId, added }])
}
