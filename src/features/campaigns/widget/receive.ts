/** Receives a form: checks it, and makes it a lead and a recipient of the campaign, once. */
import type { Channel } from '../../../domain/contactability/facts.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import { readTicket } from '../../../kit/form-ticket.ts'
import { countUse } from '../../../kit/use-counts.ts'
import { saveFormLeads } from '../../leads/service.ts'
import { joinRecipients, lockForJoining } from '../recipients/join.ts'
import { type Consent, toProof, toTicketSubject } from './consent.ts'
import type { OpenWidget } from './context.ts'
import { checkForm, describeInput, type FormInput, type Typed, trapName } from './fields.ts'
import { type Counter, countSubmission, hasSubmission, insertSubmission } from './queries.ts'

const daySeconds = 86_400
/** A family or an office behind one address. */
const clientLimit = { count: 10, seconds: 3600 }
const clientDayLimit = { count: 20, seconds: daySeconds }
/** For all widgets together: anybody can type the phone number or e-mail address of somebody else. */
const personDayLimit = { count: 3, seconds: daySeconds }
export const widgetLimit = { count: 30, seconds: 60 }
/** Each form may write to a stranger. */
export const widgetDayLimit = { count: 500, seconds: daySeconds }
export const workspaceLimit = { count: 120, seconds: 60 }

export interface Sent {
  tenantId: string
  campaignId: string
  key: string
  /** The client address. */
  address: string
  pageUrl: string
  typed: Typed
}

export type Outcome =
  /** Also for machines, and for people who were erased: nobody learns who is on the list. */
  | { kind: 'done' }
  | { kind: 'invalid'; errors: Record<string, string> }
  /** The ticket is of no use: the form is shown again with a new one. */
  | { kind: 'repeat' }
  | { kind: 'limited' }
  | { kind: 'closed' }

export async function receiveSubmission(
  database: Database,
  cipher: Cipher,
  opened: OpenWidget,
  sent: Sent,
): Promise<Outcome> {
  const { widget, campaign, view, country, consent } = opened
  const { tenantId, campaignId, typed } = sent
  if (!campaign) return { kind: 'closed' }
  const isSpam = Boolean(typed[trapName])
  const { errors, input } = checkForm(widget.fields, typed, { words: view.words, country })
  if (!isSpam && Object.keys(errors).length > 0) return { kind: 'invalid', errors }
  const subject = toTicketSubject(campaignId, view.language, consent)
  const ticket = readTicket(cipher, subject, typed.ticket ?? '')
  if (!isSpam && ticket?.age !== 'due') return { kind: 'repeat' }
  if (!(await countSent(database, cipher, sent, isSpam ? null : input))) return { kind: 'limited' }
  return database.withTenant({ tenantId }, async tx => {
    if (isSpam) return finish(tx, 'spam')
    return store(tx, opened, sent, { formId: ticket!.formId, input })
  })

  async function finish(tx: Tx, counter: Counter): Promise<Outcome> {
    await countSubmission(tx, campaignId, counter)
    return { kind: 'done' }
  }
}

/** `input` null: a machine sent it. */
function countSent(
  database: Database,
  cipher: Cipher,
  { tenantId, campaignId, address }: Sent,
  input: FormInput | null,
): Promise<boolean> {
  const client = { subject: `widget ${campaignId} of ${address}`, ...clientLimit }
  // Machines do not use up what people together may send.
  if (!input) return countUse(database, cipher, tenantId, [client])
  return countUse(database, cipher, tenantId, [
    client,
    { subject: `widgets of ${address}, day`, ...clientDayLimit },
    ...input.identifiers.map(({ kind, value }) => ({
      subject: `widgets of the ${kind} ${value}`,
      ...personDayLimit,
    })),
    { subject: `widget ${campaignId} of all`, ...widgetLimit },
    { subject: `widget ${campaignId} of all, day`, ...widgetDayLimit },
    { subject: 'widgets of all', ...workspaceLimit },
  ])
}

const channelsOf: Record<string, Channel[]> = { phone: ['phone', 'chat'], email: ['email'] }

async function store(
  tx: Tx,
  { widget, campaign, view, consent: shown }: OpenWidget,
  { campaignId, key, pageUrl, typed }: Sent,
  { formId, input }: { formId: string; input: FormInput },
): Promise<Outcome> {
  // Before the events of the lead.
  await lockForJoining(tx, campaignId)
  if (await hasSubmission(tx, formId)) return { kind: 'done' }
  const { name, identifiers, property, message } = input
  const agreedAt = getNow(tx).toISOString()
  const consent: Consent = { ...shown, language: view.language, pageUrl, key, agreedAt }
  const [saved] = await saveFormLeads(tx, { platform: 'widget', campaignId }, [
    {
      name,
      identifiers,
      property,
      consent: {
        channels: identifiers.flatMap(({ kind }) => channelsOf[kind] ?? []),
        at: agreedAt,
        proof: toProof(consent),
      },
      note: message,
      knownNote: describeInput(widget.fields, typed, view.words),
    },
  ])
  if (saved!.leadId === null) {
    const isErased = saved!.reason === 'PERSON_ERASED'
    await countSubmission(tx, campaignId, isErased ? 'suppressed' : 'refused')
    return { kind: isErased ? 'done' : 'closed' }
  }
  const { leadId, result } = saved!
  await insertSubmission(tx, { campaignId, formId, leadId, consent })
  await countSubmission(tx, campaignId, result)
  await joinRecipients(tx, campaign!, [leadId])
  return { kind: 'done' }
}
