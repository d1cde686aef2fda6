/**
 * Decides if a person may be contacted, through which channel, and if not, why. It is evaluated when a lead is
 * displayed and again when a message is sent.
 */
import {
  type Channel,
  type ContactFacts,
  contactChannels,
  type LawfulBasis,
  type SuppressionKind,
} from './facts.ts'
import { noChannelMessages, type ReasonCode, reasons } from './reasons.ts'

/** Time, channel and sender of the intended contact. */
export interface ContactPlan {
  now: Temporal.Instant
  /** Null or missing: any channel. */
  channel?: Channel | null
  /** The kind of sender; `agency` by default. */
  as?: 'agency' | 'private'
  /**
   * The message answers the person, who wrote through `channel` lately (`isWithinAnswerPeriod`). Only their refusal and
   * the suppression list forbid it (decision 49). Never true for a campaign.
   */
  isAnswer?: boolean
}

export interface ChannelDecision {
  allowed: boolean
  /** Null exactly if contact is allowed. */
  reason: ReasonCode | null
}

export interface Contactability extends ChannelDecision {
  /** The reason as a sentence for users, with source and date of a suppression; null if allowed. */
  message: string | null
  /** True if nothing that is recorded later can allow the requested channels, so waiting is useless. */
  isFinal: boolean
  /** The decision for each channel alone. */
  channels: Record<Channel, ChannelDecision>
  /**
   * Requirements for the message. `INCLUDE_NOTICE`: the person has not yet been informed of the processing. The first
   * message must include the information (art. 14(3)(b) GDPR) and the right to object (art. 21(4)).
   */
  obligations: 'INCLUDE_NOTICE'[]
}

interface EvaluatedFacts extends ContactFacts {
  now: Temporal.Instant
  as: 'agency' | 'private'
}

interface Rule {
  reason: ReasonCode
  /** It forbids an answer to the person too. */
  coversAnswers?: true
  forbids: (one: EvaluatedFacts, channel: Channel) => boolean
}

const suppresses =
  (...kinds: SuppressionKind[]) =>
  ({ suppressions }: EvaluatedFacts, channel: Channel) =>
    suppressions.some(
      entry => kinds.includes(entry.kind) && (entry.channel === null || entry.channel === channel),
    )

/**
 * The first rule that forbids contact gives the reason. The order is: final reasons, then requests of the person or a
 * list, then decisions of the workspace, then missing prerequisites. `reasons` has the legal source and the remedy of
 * each.
 */
const contactRules: readonly Rule[] = [
  // Applies to all channels, whatever the channel of the entry.
  {
    reason: 'ERASED',
    coversAnswers: true,
    forbids: one => one.isErased || one.suppressions.some(entry => entry.kind === 'erased'),
  },
  // Consent recorded later does not override it: otherwise a person who replied STOP would depend on the sender's
  // records.
  { reason: 'OPTED_OUT', coversAnswers: true, forbids: suppresses('opt_out') },
  { reason: 'SUPPRESSED', coversAnswers: true, forbids: suppresses('exclusion_list', 'manual') },
  { reason: 'MARKETING_REFUSED', forbids: suppresses('marketing') },
  { reason: 'NO_AGENCIES', forbids: one => one.noAgencies && one.as === 'agency' },
  { reason: 'RETENTION_EXPIRED', forbids: one => isReached(one.retentionEndsAt, one.now) },
  { reason: 'DISCARDED', forbids: one => one.status === 'discarded' },
  // A basis in the future does not apply yet.
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
const answerRules = contactRules.filter(({ coversAnswers }) => coversAnswers)

/**
 * Decides if the person may be contacted at `now`, through `channel` or, without one, through any channel. Call it in
 * the transaction that claims a message, because an opt-out may have arrived since the lead was displayed. An
 * additional suppression never allows what was forbidden without it.
 */
export function decideContactability(facts: ContactFacts, plan: ContactPlan): Contactability {
  const one: EvaluatedFacts = { ...facts, now: plan.now, as: plan.as ?? 'agency' }
  const rules = plan.isAnswer ? answerRules : contactRules
  const channels = {
    chat: toDecision(findFirstReason(rules, one, ['chat'])),
    phone: toDecision(findFirstReason(rules, one, ['phone'])),
    email: toDecision(findFirstReason(rules, one, ['email'])),
  }
  const requestedChannels = plan.channel ? [plan.channel] : contactChannels
  const isAllowed = requestedChannels.some(channel => channels[channel].allowed)
  const reason = isAllowed ? null : findFirstReason(rules, one, requestedChannels)
  return {
    ...toDecision(reason),
    message: reason && formatMessage(reason, one, requestedChannels),
    isFinal: requestedChannels.every(channel => isFinal(channels[channel].reason)),
    channels,
    obligations: isAllowed && !isReached(one.noticeSentAt, one.now) ? ['INCLUDE_NOTICE'] : [],
  }
}

/** The reason of the first rule that forbids at least one of these channels; null if no rule does. */
function findFirstReason(
  rules: readonly Rule[],
  one: EvaluatedFacts,
  channels: readonly Channel[],
): ReasonCode | null {
  return rules.find(rule => channels.some(channel => rule.forbids(one, channel)))?.reason ?? null
}

function toDecision(reason: ReasonCode | null): ChannelDecision {
  return { allowed: reason === null, reason }
}

/**
 * The channels that a basis covers. Legitimate interest covers only calls unless other channels are recorded: messages
 * need consent or a contract (art. 13 Directive 2002/58/EC; in Spain art. 21 LSSI, in Portugal art. 13.º-A Lei 41/2004,
 * in Italy art. 130 Codice privacy). A workspace that considers its messages non-commercial has to record the channels.
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
  const [channel, other] = channels
  if (reason === 'NO_CHANNEL' && channel && !other) return noChannelMessages[channel]
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
