/**
 * Reasons why somebody may not be contacted: the codes of the API, with a sentence for users, the legal source, and
 * whether the reason can be remedied.
 */
import type { Channel, SuppressionKind } from './facts.ts'

export const reasonCodes = [
  'ERASED',
  'OPTED_OUT',
  'SUPPRESSED',
  'MARKETING_REFUSED',
  'NO_AGENCIES',
  'RETENTION_EXPIRED',
  'DISCARDED',
  'NO_LAWFUL_BASIS',
  'BASIS_EXPIRED',
  'BASIS_NOT_PROVEN',
  'CHANNEL_NOT_COVERED',
  'NO_CHANNEL',
] as const

export type ReasonCode = (typeof reasonCodes)[number]

interface Reason {
  /** A sentence for users. */
  message: string
  /** True if nothing that is recorded later overrides it. */
  isFinal: boolean
  /** The kinds of suppressions that cause it. */
  suppressedBy?: readonly SuppressionKind[]
}

/** All reasons. Their priority is the order of the rules in contactability.ts. */
export const reasons: Readonly<Record<ReasonCode, Reason>> = {
  /**
   * Art. 17 GDPR: after an erasure only a keyed hash is kept, so that the person is not collected and contacted again.
   */
  ERASED: {
    message: 'This person was erased and is not contacted again.',
    isFinal: true,
    suppressedBy: ['erased'],
  },
  /**
   * Art. 21(3) GDPR: after an objection to direct marketing, the data are no longer processed for it. Art. 7(3) GDPR
   * and art. 22.1 LSSI: withdrawing consent is as easy as giving it. Final by the rules of the product: a basis
   * recorded later does not count, not even consent.
   */
  OPTED_OUT: {
    message: 'This person opted out of contact.',
    isFinal: true,
    suppressedBy: ['opt_out'],
  },
  /**
   * Art. 23 LOPDGDD (lists such as Lista Robinson must be consulted before direct marketing), in Italy the Registro
   * pubblico delle opposizioni (DPR 26/2022), and entries of the workspace's own list. Stricter than art. 23.4 LOPDGDD,
   * which lets consent given to the sender override a list: to contact such a person, remove the entry.
   */
  SUPPRESSED: {
    message: 'This person is on the suppression list; only the removal of the entry changes that.',
    isFinal: false,
    suppressedBy: ['exclusion_list', 'manual'],
  },
  /**
   * Art. 21(2) GDPR: the person objects to marketing in the provider's own program (stops the marketing of a business,
   * blocks a bot, reports spam). What they ask afterwards is no marketing and may be answered.
   */
  MARKETING_REFUSED: {
    message: 'This person has refused marketing messages with the provider. You may still answer theirs.',
    isFinal: false,
    suppressedBy: ['marketing'],
  },
  /**
   * Art. 21(2) GDPR: the owner objects in the listing itself, before any contact. Art. 6(1)(f): the interest of an
   * agency does not override what the owner clearly does not expect. Applies to agencies only, and ends when no listing
   * of the person states it any more.
   */
  NO_AGENCIES: { message: 'The listing excludes contact by agencies.', isFinal: false },
  /** Art. 5(1)(e) GDPR: no longer than necessary. A new interaction with the person moves the end. */
  RETENTION_EXPIRED: {
    message: 'The time for which this person’s data may be kept is over.',
    isFinal: false,
  },
  /**
   * Art. 5(1)(b) GDPR: the purpose is given up. A user who discards a lead does not expect a campaign to write to it;
   * another status makes it contactable again. A lost lead may be contacted: the status is an outcome, not a refusal.
   */
  DISCARDED: {
    message: 'This lead was discarded; another status makes it contactable again.',
    isFinal: false,
  },
  /** Art. 6(1) GDPR: contact needs a recorded basis. A listing on a portal is not one. */
  NO_LAWFUL_BASIS: { message: 'No lawful basis for contacting this person is recorded.', isFinal: false },
  /** Art. 5(1)(b) and (e) GDPR: a basis that was recorded for a period ends with it, and can be recorded again. */
  BASIS_EXPIRED: { message: 'The recorded lawful basis has expired.', isFinal: false },
  /** Art. 7(1) GDPR: consent must be demonstrable. Remedy: record how and where it was given. */
  BASIS_NOT_PROVEN: {
    message: 'Consent is recorded without proof of how it was given.',
    isFinal: false,
  },
  /**
   * Messages: art. 21 LSSI, art. 13.º-A Lei 41/2004 in Portugal, art. 130 Codice privacy in Italy require consent or a
   * contract. Calls: art. 66.1.b Ley 11/2022 (LGTel) requires consent or another basis of art. 6(1) GDPR, such as
   * legitimate interest (AEPD, Circular 1/2023). Remedy: a basis that covers the channel.
   */
  CHANNEL_NOT_COVERED: {
    message: 'The recorded lawful basis does not cover this channel.',
    isFinal: false,
  },
  /** Not a legal reason: there is no phone or address. */
  NO_CHANNEL: {
    message: 'No valid phone number or address of this person is known.',
    isFinal: false,
  },
}

/** `NO_CHANNEL` of one channel: the person may have an address of another. */
export const noChannelMessages: Readonly<Record<Channel, string>> = {
  chat: 'No valid phone number or chat address of this person is known.',
  phone: 'No valid phone number of this person is known.',
  email: 'No e-mail address of this person is known.',
}
