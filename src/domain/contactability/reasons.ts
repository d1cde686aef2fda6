/**
 * Why somebody is not contacted: the codes that the API shows, with a sentence for people, the law behind each, and
 * whether it can be cured.
 */
import type { SuppressionKind } from './facts.ts'

export const reasonCodes = [
  'ERASED',
  'OPTED_OUT',
  'SUPPRESSED',
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
  /** A sentence for the people of the workspace. */
  message: string
  /** Nothing that is recorded later outweighs it. */
  isFinal: boolean
  /** The kinds of entries on the suppression list that bring it. */
  suppressedBy?: readonly SuppressionKind[]
}

/** Every reason; the order in which they count is that of the rules in contactability.ts. */
export const reasons: Readonly<Record<ReasonCode, Reason>> = {
  /** Art. 17 GDPR: who was erased is kept as a keyed hash alone, so as not to be gathered and contacted again. Final. */
  ERASED: {
    message: 'This person was erased and is not contacted again.',
    isFinal: true,
    suppressedBy: ['erased'],
  },
  /**
   * Art. 21(3) GDPR: who objects to direct marketing is no longer processed for it; art. 7(3) GDPR and art. 22.1 LSSI:
   * consent is withdrawn as easily as given. Final by the rules of the product: a basis recorded after it does not count,
   * not even consent.
   */
  OPTED_OUT: {
    message: 'This person asked not to be contacted.',
    isFinal: true,
    suppressedBy: ['opt_out'],
  },
  /**
   * Art. 23 LOPDGDD (Lista Robinson and the like have to be consulted before direct marketing), in Italy the Registro
   * pubblico delle opposizioni (DPR 26/2022), and whatever the workspace put on its own list. Stricter than art. 23.4
   * LOPDGDD, which lets consent given to the sender outweigh a list: to contact such a person all the same, the entry is
   * removed by hand.
   */
  SUPPRESSED: {
    message: 'This person is on the suppression list; only the removal of the entry changes that.',
    isFinal: false,
    suppressedBy: ['exclusion_list', 'manual'],
  },
  /**
   * Art. 21(2) GDPR: words by which an owner objects in the advert itself, before anybody calls; art. 6(1)(f): no
   * interest of an agency outweighs what the owner so plainly does not expect. Binds agencies only, and ends when no
   * advert of the person says so any more.
   */
  NO_AGENCIES: { message: 'The advert asks agencies not to make contact.', isFinal: false },
  /** Art. 5(1)(e) GDPR: no longer than is needed. A new dealing with the person moves the end. */
  RETENTION_EXPIRED: {
    message: 'The time for which this person’s data may be kept is over.',
    isFinal: false,
  },
  /**
   * Art. 5(1)(b) GDPR: the purpose is given up. Whoever sorts a lead out does not expect a campaign to write to it;
   * another status brings it back. A lost lead may be contacted: the workspace said how it ended, not that it is unwanted.
   */
  DISCARDED: {
    message: 'This lead was discarded; another status makes it contactable again.',
    isFinal: false,
  },
  /** Art. 6(1) GDPR: nobody without a basis that somebody recorded. An advert on a portal gives none. */
  NO_LAWFUL_BASIS: { message: 'No lawful basis for contacting this person is recorded.', isFinal: false },
  /** Art. 5(1)(b) and (e) GDPR: what was given or weighed for a time ends with it, and can be recorded anew. */
  BASIS_EXPIRED: { message: 'The recorded lawful basis has expired.', isFinal: false },
  /** Art. 7(1) GDPR: consent that cannot be demonstrated is none. Cured by recording how and where it was given. */
  BASIS_NOT_PROVEN: {
    message: 'Consent is recorded without proof of how it was given.',
    isFinal: false,
  },
  /**
   * Messages: art. 21 LSSI, art. 13.º-A Lei 41/2004 in Portugal, art. 130 Codice privacy in Italy ask for consent or a
   * contract. Calls: art. 66.1.b Ley 11/2022 (LGTel) asks for consent or another basis of art. 6(1) GDPR, legitimate
   * interest among them (AEPD, Circular 1/2023). Cured by a basis that covers the channel.
   */
  CHANNEL_NOT_COVERED: {
    message: 'The recorded lawful basis does not cover this channel.',
    isFinal: false,
  },
  /** No law: there is nothing to call or write to. */
  NO_CHANNEL: {
    message: 'No phone number or address of this person is known.',
    isFinal: false,
  },
}
