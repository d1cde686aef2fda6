/** The texts of digests in English, French, German and Italian. */
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { DigestWords } from './words.ts'

export const centralWords: Record<MessageLanguage & ('en' | 'fr' | 'de' | 'it'), DigestWords> = {
  en: {
    locale: 'en-GB',
    types: { new: 'New', cheaper: 'Cheaper', gone: 'Gone' },
    returned: 'listed again',
    reasons: { LISTING_WITHDRAWN: 'withdrawn', NOT_IN_SEARCH: 'no longer in the search' },
    before: price => `was ${price}`,
    more: count => `… and ${count} more`,
    why: search => `You receive this because your address is in the search “${search}”.`,
    stop: 'Stop these e-mails',
    page: {
      title: 'Unsubscribe',
      question: search => `Do you want no more e-mails about the search “${search}”?`,
      button: 'No more e-mails',
      done: 'You will get no more e-mails about this search.',
      again: 'Subscribe again',
    },
  },
  fr: {
    locale: 'fr-FR',
    types: { new: 'Nouveautés', cheaper: 'Baisses de prix', gone: 'Retirées' },
    returned: 'de nouveau en ligne',
    reasons: { LISTING_WITHDRAWN: 'annonce retirée', NOT_IN_SEARCH: 'ne correspond plus à la recherche' },
    before: price => `avant : ${price}`,
    more: count => `… et ${count} de plus`,
    why: search => `Vous recevez ce message car votre adresse figure dans la recherche « ${search} ».`,
    stop: 'Ne plus recevoir ces messages',
    page: {
      title: 'Se désabonner',
      question: search => `Vous ne voulez plus recevoir de messages sur la recherche « ${search} » ?`,
      button: 'Ne plus en recevoir',
      done: 'Vous ne recevrez plus de messages sur cette recherche.',
      again: 'Se réabonner',
    },
  },
  de: {
    locale: 'de-DE',
    types: { new: 'Neu', cheaper: 'Günstiger', gone: 'Nicht mehr da' },
    returned: 'wieder da',
    reasons: { LISTING_WITHDRAWN: 'vom Portal genommen', NOT_IN_SEARCH: 'nicht mehr in der Suche' },
    before: price => `vorher ${price}`,
    more: count => `… und ${count} weitere`,
    why: search =>
      `Sie erhalten diese Nachricht, weil Ihre Adresse bei der Suche „${search}“ eingetragen ist.`,
    stop: 'Keine Nachrichten mehr',
    page: {
      title: 'Abmelden',
      question: search => `Möchten Sie keine Nachrichten zur Suche „${search}“ mehr erhalten?`,
      button: 'Keine Nachrichten mehr',
      done: 'Sie erhalten keine Nachrichten zu dieser Suche mehr.',
      again: 'Wieder anmelden',
    },
  },
  it: {
    locale: 'it-IT',
    types: { new: 'Nuovi', cheaper: 'Ribassati', gone: 'Non più disponibili' },
    returned: 'di nuovo online',
    reasons: { LISTING_WITHDRAWN: 'annuncio ritirato', NOT_IN_SEARCH: 'non più nella ricerca' },
    before: price => `prima ${price}`,
    more: count => `… e altri ${count}`,
    why: search => `Riceve questo messaggio perché il suo indirizzo è nella ricerca «${search}».`,
    stop: 'Non ricevere più questi messaggi',
    page: {
      title: 'Annulla l’iscrizione',
      question: search => `Non vuoi ricevere altri messaggi sulla ricerca «${search}»?`,
      button: 'Non riceverne più',
      done: 'Non riceverai più messaggi su questa ricerca.',
      again: 'Iscriviti di nuovo',
    },
  },
}
