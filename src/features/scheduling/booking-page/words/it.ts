/** The texts of the public pages of scheduling in Italian. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const it: BookingWords = {
  ...formWords.it,
  locale: 'it',
  timezone: 'Fuso orario',
  change: 'Cambia',

  mode: { onsite: 'Di persona', call: 'Telefonata', video: 'Videochiamata' },
  agentCalls: 'Chiamiamo noi',
  visitorCalls: phone => `Chiama il ${phone}`,
  details: { length: 'Durata', place: 'Luogo', agent: 'Con', time: 'Data e ora' },

  chooseTime: 'Scegli un giorno e un orario',
  previousMonth: 'Mese precedente',
  nextMonth: 'Mese successivo',
  freeTimes: (day, count) => `${day}: ${count} ${count === 1 ? 'orario libero' : 'orari liberi'}`,
  noTimesOnDay: 'Non ci sono orari liberi in questo giorno.',
  noTimesInMonth: 'Non ci sono orari liberi in questo mese.',
  places: count => (count === 1 ? 'Resta 1 posto' : `Restano ${count} posti`),
  timesIn: zone => `Orari: ${zone}`,
  readAll: 'Leggi tutto',

  yourDetails: 'I tuoi dati',
  privacy: agency => `${agency} usa questi dati per fissare e svolgere questo appuntamento.`,
  book: 'Prenota',
  requestBooking: 'Richiedi l’appuntamento',
  changeTime: 'Cambia l’orario',

  code: {
    heading: 'Conferma il tuo indirizzo e-mail',
    sent: email => `Abbiamo inviato un codice di 6 cifre a ${email}. È valido per 10 minuti.`,
    label: 'Codice',
    submit: 'Conferma e prenota',
    resend: 'Invia un altro codice',
    subject: agency => `Il tuo codice per ${agency}`,
    text: (code, agency) =>
      `Il tuo codice per prenotare un appuntamento con ${agency}: ${code}\n\nÈ valido per 10 minuti. Se non l’hai richiesto, ignora questo messaggio.`,
  },

  errors: {
    ...formWords.it.errors,
    taken: 'Qualcuno ha appena prenotato questo orario.',
    unavailable: 'Questo orario non si può più prenotare.',
    nearest: 'Questi orari sono liberi. Scegline uno: quello che hai scritto resta.',
    nearestMove: 'Questi orari sono liberi. Scegline uno.',
    noNearest: 'Non ci sono altri orari liberi vicini.',
    tooMany: max =>
      `Hai già ${max} appuntamenti in programma. Annullane uno con il suo link prima di prenotarne un altro.`,
    tooOften: 'In questo momento si stanno prenotando troppi appuntamenti. Riprova più tardi o contattaci.',
    codeWrong: 'Il codice non è giusto. Controlla l’ultima e-mail.',
    codeExpired: 'Il codice non è più valido. Richiedine un altro.',
    codeWait: 'Ti abbiamo appena inviato un codice. Aspetta un minuto prima di richiederne un altro.',
    codeUnsendable: 'Al momento non possiamo inviare un codice. Contattaci.',
  },
  closed: 'Al momento qui non si possono prenotare appuntamenti. Contattaci.',

  status: {
    confirmed: 'Il tuo appuntamento è confermato',
    pending: 'Abbiamo ricevuto la tua richiesta',
    cancelled: 'Questo appuntamento è annullato',
    over: 'Questo appuntamento è passato',
  },
  pendingNote: 'L’orario è riservato per te. Lo confermeremo appena possibile.',
  confirmedNote: 'Conserva l’indirizzo di questa pagina: qui puoi spostare o annullare l’appuntamento.',
  moved: 'Il tuo appuntamento è stato spostato.',
  joinVideo: 'Entra nella videochiamata',
  addToCalendar: 'Aggiungi al calendario',
  reschedule: 'Scegli un altro orario',
  cancel: 'Annulla l’appuntamento',
  bookAgain: 'Prenota un altro appuntamento',
  formerTime: 'Finora',
  newTime: 'Nuovo orario',
  moveIt: 'Sposta l’appuntamento',
  cancelQuestion: 'Vuoi annullare questo appuntamento?',
  reason: 'Motivo',
  keep: 'Mantieni l’appuntamento',
  tooLate: 'Qui non si può più spostare o annullare. Contattaci.',
}
