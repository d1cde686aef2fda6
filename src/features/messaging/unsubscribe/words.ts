/** The texts of the page on which a person refuses further e-mails. */
import { type MessageLanguage, messageLanguages } from '../../../domain/messaging/opt-out-words.ts'

interface PageWords {
  title: string
  /** `sender`: the address of the mailbox. */
  question: (sender: string) => string
  button: string
}

export const pageWords: Record<MessageLanguage, PageWords> = {
  es: {
    title: 'Darse de baja',
    question: sender => `¿No quieres recibir más mensajes de ${sender}?`,
    button: 'No recibir más',
  },
  ca: {
    title: 'Donar-se de baixa',
    question: sender => `No vols rebre més missatges de ${sender}?`,
    button: 'No rebre’n més',
  },
  gl: {
    title: 'Darse de baixa',
    question: sender => `Non queres recibir máis mensaxes de ${sender}?`,
    button: 'Non recibir máis',
  },
  eu: {
    title: 'Baja eman',
    question: sender => `Ez duzu ${sender} helbidearen mezu gehiagorik jaso nahi?`,
    button: 'Ez jaso gehiago',
  },
  pt: {
    title: 'Cancelar a subscrição',
    question: sender => `Não quer receber mais mensagens de ${sender}?`,
    button: 'Não receber mais',
  },
  it: {
    title: 'Annulla l’iscrizione',
    question: sender => `Non vuoi ricevere altri messaggi da ${sender}?`,
    button: 'Non riceverne più',
  },
  en: {
    title: 'Unsubscribe',
    question: sender => `Do you want no more messages from ${sender}?`,
    button: 'No more messages',
  },
  fr: {
    title: 'Se désabonner',
    question: sender => `Vous ne voulez plus recevoir de messages de ${sender} ?`,
    button: 'Ne plus en recevoir',
  },
  de: {
    title: 'Abmelden',
    question: sender => `Möchten Sie keine Nachrichten von ${sender} mehr erhalten?`,
    button: 'Keine Nachrichten mehr',
  },
}

/** Browsers send some; a longer header has no more meaning. */
const headerMax = 500

/** The first language of the header `Accept-Language` that the page has. Weights are ignored: browsers sort by them. */
export function chooseLanguage(header: string | undefined, fallback: MessageLanguage): MessageLanguage {
  const wanted = (header ?? '').slice(0, headerMax).toLowerCase().split(',')
  const bases = wanted.map(range => range.trim().split(/[-;]/, 1)[0])
  return bases.map(base => messageLanguages.find(one => one === base)).find(one => one) ?? fallback
}
