/**
 * May this person be contacted, through which channel, and if not, why: asked when a lead is shown and again when a
 * message is sent.
 */
import {
  type Channel,
  type ContactFacts,
  contactChannels,
  type LawfulBasis,
  type SuppressionKind,
} from './facts.ts'
import { type ReasonCode, reasons } from './reasons.ts'

/** When, how and by whom the person would be contacted. */
export interface ContactPlan {
  now: Temporal.Instant
  /** Null or missing: any. */
  channel?: Channel | null
  /** As what the workspace presents itself; an agency unless it says otherwise. */
  as?: 'agency' | 'private'
}

export interface ChannelDecision {
  allowed: boolean
  /** Null if, and only if, it is allowed. */
  reason: ReasonCode | null
}

export interface Contactability extends ChannelDecision {
  /** The reason as a sentence for people, with source and day of a suppression; null if allowed. */
  message: string | null
  /** None of the channels asked for can become allowed by what is recorded later: the recipient need not wait. */
  isFinal: boolean
  /** What each channel would answer by itself. */
  channels: Record<Channel, ChannelDecision>
  /**
   * What the message has to do if it is sent. `INCLUDE_NOTICE`: the person was never told of the processing; the first
   * message tells at the latest (art. 14(3)(b) GDPR), and of the right to object with it (art. 21(4)).
   */
  obligations: 'INCLUDE_NOTICE'[]
}

interface EvaluatedFacts extends ContactFacts {
  now: Temporal.Instant
  as: 'agency' | 'private'
}

interface Rule {
  reason: ReasonCode
  forbids: (one: EvaluatedFacts, channel: Channel) => boolean
}

const suppresses =
  (...kinds: SuppressionKind[]) =>
  ({ suppressions }: EvaluatedFacts, channel: Channel) =>
    suppressions.some(
      entry => kinds.includes(entry.kind) && (entry.channel === null || entry.channel === channel),
    )

/**
 * In order: the first that forbids is the reason. First what is final, then what the person or a list asked for, then
 * what the workspace decided, then what it lacks. `reasons` has the law behind each and its cure.
 */
const contactRules: readonly Rule[] = [
  // Whatever the channel of the entry: an erased person is gone from all.
  {
    reason: 'ERASED',
    forbids: one => one.isErased || one.suppressions.some(entry => entry.kind === 'erased'),
  },
  // No consent recorded later outweighs it: somebody who typed STOP would have to trust the sender's records.
  { reason: 'OPTED_OUT', forbids: suppresses('opt_out') },
  { reason: 'SUPPRESSED', forbids: suppresses('exclusion_list', 'manual') },
  { reason: 'NO_AGENCIES', forbids: one => one.noAgencies && one.as === 'agency' },
  { reason: 'RETENTION_EXPIRED', forbids: one => isReached(one.retentionEndsAt, one.now) },
  { reason: 'DISCARDED', forbids: one => one.status === 'discarded' },
  // A basis of the future is none yet.
  { reason: 'NO_LAWFUL_BASIS', forbids: one => !isReached(one.lawfulBasis?.recordedAt ?? null, one.now) },
  { reason: 'BASIS_EXPIRED', forbids: one => isReached(one.lawfulBasis?.expiresAt ?? null, one.now) },
  {
    reason: 'BASIS_NOT_PROVEN',
    forbids: ({ lawfulBasis }) => lawfulBasis?.kind === 'consent' && !lawfulBasis.proof?.trim(),
  },
  {
    reason: 'CHANNEL_NOT_COVERED',
    forbids: ({ lawfulBasis }, channel) =>
      lawfulBasis !== null && !getCoveredChannels(lawfulBasis).includes(channel),
  },
  { reason: 'NO_CHANNEL', forbids: (one, channel) => !one.identifiers[channel] },
]

/**
 * Whether the person of these facts may be contacted at `now`: through `channel` if one is given, else through any. It
 * must be asked in the transaction that claims a message, for an opt-out may have come since the lead was shown. More
 * suppressions never allow what fewer forbid.
 */
export function decideContactability(facts: ContactFacts, plan: ContactPlan): Contactability {
  const one: EvaluatedFacts = { ...facts, now: plan.now, as: plan.as ?? 'agency' }
  const channels = {
    chat: toDecision(findFirstReason(one, ['chat'])),
    phone: toDecision(findFirstReason(one, ['phone'])),
    email: toDecision(findFirstReason(one, ['email'])),
  }
  const requestedChannels = plan.channel ? [plan.channel] : contactChannels
  const isAllowed = requestedChannels.some(channel => channels[channel].allowed)
  const reason = isAllowed ? null : findFirstReason(one, requestedChannels)
  return {
    ...toDecision(reason),
    message: reason && formatMessage(reason, one, requestedChannels),
    isFinal: requestedChannels.every(channel => isFinal(channels[channel].reason)),
    channels,
    obligations: isAllowed && !isReached(one.noticeSentAt, one.now) ? ['INCLUDE_NOTICE'] : [],
  }
}

/** The weightiest of the reasons against these channels; null if nothing is against any of them. */
function findFirstReason(one: EvaluatedFacts, channels: readonly Channel[]): ReasonCode | null {
  return contactRules.find(rule => channels.some(channel => rule.forbids(one, channel)))?.reason ?? null
}

function toDecision(reason: ReasonCode | null): ChannelDecision {
  return { allowed: reason === null, reason }
}

/**
 * The channels that a basis covers. Legitimate interest covers calls alone unless others are named: messages need consent
 * or a contract (art. 13 Directive 2002/58/EC; in Spain art. 21 LSSI, in Portugal art. 13.º-A Lei 41/2004, in Italy
 * art. 130 Codice privacy), and to say that a message is no commercial communication is for the workspace to record.
 */
export function getCoveredChannels({
  kind,
  channels,
}: Pick<LawfulBasis, 'kind' | 'channels'>): readonly Channel[] {
  return channels ?? (kind === 'legitimate_interest' ? ['phone'] : contactChannels)
}

function isFinal(reason: ReasonCode | null): boolean {
  return reason !== null && reasons[reason].isFinal
}

function formatMessage(
  reason: ReasonCode,
  { suppressions }: EvaluatedFacts,
  channels: readonly Channel[],
): string {
  const { message, suppressedBy } = reasons[reason]
  const entry = suppressions.find(
    ({ kind, channel }) =>
      suppressedBy?.includes(kind) && (channel === null || kind === 'erased' || channels.includes(channel)),
  )
  return entry ? `${message} Source: ${entry.source}, ${entry.addedAt.toString().slice(0, 10)}.` : message
}

function isReached(instant: Temporal.Instant | null, now: Temporal.Instant): boolean {
  return instant !== null && Temporal.Instant.compare(instant, now) <= 0
}
