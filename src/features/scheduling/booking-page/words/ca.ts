/** The texts of the public pages of scheduling in Catalan. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const ca: BookingWords = {
  ...formWords.ca,
  locale: 'ca',
  timezone: 'Zona horària',
  change: 'Canvia',

  mode: { onsite: 'Presencial', call: 'Trucada telefònica', video: 'Videotrucada' },
  agentCalls: 'Us truquem',
  visitorCalls: phone => `Truqueu al ${phone}`,
  details: { length: 'Durada', place: 'Lloc', agent: 'Amb', time: 'Data i hora' },

  chooseTime: 'Trieu un dia i una hora',
  previousMonth: 'Mes anterior',
  nextMonth: 'Mes següent',
  freeTimes: (day, count) => `${day}: ${count} ${count === 1 ? 'hora lliure' : 'hores lliures'}`,
  noTimesOnDay: 'No queden hores lliures aquest dia.',
  noTimesInMonth: 'No queden hores lliures aquest mes.',
  places: count => (count === 1 ? 'Queda 1 plaça' : `Queden ${count} places`),
  timesIn: zone => `Hores: ${zone}`,
  readAll: 'Llegir-ho tot',

  yourDetails: 'Les vostres dades',
  privacy: agency => `${agency} fa servir aquestes dades per concertar i atendre aquesta cita.`,
  book: 'Reserva',
  requestBooking: 'Sol·licita la cita',
  changeTime: 'Canvia l’hora',

  code: {
    heading: 'Confirmeu el correu electrònic',
    sent: email => `Hem enviat un codi de 6 xifres a ${email}. És vàlid durant 10 minuts.`,
    label: 'Codi',
    submit: 'Confirma i reserva',
    resend: 'Envia un altre codi',
    subject: agency => `El vostre codi per a ${agency}`,
    text: (code, agency) =>
      `El vostre codi per reservar una cita amb ${agency}: ${code}\n\nÉs vàlid durant 10 minuts. Si no l’heu demanat, no en feu cas.`,
  },

  errors: {
    ...formWords.ca.errors,
    taken: 'Algú acaba de reservar aquesta hora.',
    unavailable: 'Aquesta hora ja no es pot reservar.',
    nearest: 'Aquestes hores són lliures. Trieu-ne una: el que heu escrit es conserva.',
    nearestMove: 'Aquestes hores són lliures. Trieu-ne una.',
    noNearest: 'No hi ha altres hores lliures a prop.',
    tooMany: max =>
      `Ja teniu ${max} cites pendents. Cancel·leu-ne una amb el seu enllaç abans de reservar-ne una altra.`,
    tooOften:
      'En aquest moment s’estan reservant massa cites. Torneu-ho a provar més tard o contacteu amb nosaltres.',
    codeWrong: 'No és el codi. Comproveu el darrer correu.',
    codeExpired: 'El codi ja no és vàlid. Demaneu-ne un altre.',
    codeWait: 'Us acabem d’enviar un codi. Espereu un minut abans de demanar-ne un altre.',
    codeUnsendable: 'Ara no podem enviar cap codi. Poseu-vos en contacte amb nosaltres.',
  },
  closed: 'Ara no es poden reservar cites aquí. Poseu-vos en contacte amb nosaltres.',

  status: {
    confirmed: 'La vostra cita està confirmada',
    pending: 'Hem rebut la vostra sol·licitud',
    cancelled: 'Aquesta cita està cancel·lada',
    over: 'Aquesta cita ja ha passat',
  },
  pendingNote: 'L’hora està reservada per a vós. La confirmarem tan aviat com sigui possible.',
  confirmedNote: 'Deseu l’adreça d’aquesta pàgina: aquí podeu canviar o cancel·lar la cita.',
  moved: 'Hem canviat la vostra cita.',
  joinVideo: 'Entra a la videotrucada',
  addToCalendar: 'Afegeix al calendari',
  reschedule: 'Tria una altra hora',
  cancel: 'Cancel·la la cita',
  bookAgain: 'Reserva una altra cita',
  formerTime: 'Fins ara',
  newTime: 'Hora nova',
  moveIt: 'Canvia la cita',
  cancelQuestion: 'Voleu cancel·lar aquesta cita?',
  reason: 'Motiu',
  keep: 'Mantén la cita',
  tooLate: 'Ja no es pot canviar ni cancel·lar aquí. Poseu-vos en contacte amb nosaltres.',
}
