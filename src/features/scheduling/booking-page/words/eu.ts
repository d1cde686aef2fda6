/** The texts of the public pages of scheduling in Basque. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const eu: BookingWords = {
  ...formWords.eu,
  locale: 'eu',
  timezone: 'Ordu-eremua',
  change: 'Aldatu',

  mode: { onsite: 'Aurrez aurre', call: 'Telefono-deia', video: 'Bideo-deia' },
  agentCalls: 'Guk deituko dizugu',
  visitorCalls: phone => `Deitu ${phone} zenbakira`,
  details: { length: 'Iraupena', place: 'Lekua', agent: 'Norekin', time: 'Data eta ordua' },

  chooseTime: 'Aukeratu eguna eta ordua',
  previousMonth: 'Aurreko hilabetea',
  nextMonth: 'Hurrengo hilabetea',
  freeTimes: (day, count) => `${day}: ${count} ordu libre`,
  noTimesOnDay: 'Ez dago ordu librerik egun horretan.',
  noTimesInMonth: 'Ez dago ordu librerik hilabete honetan.',
  places: count => (count === 1 ? 'Leku 1 geratzen da' : `${count} leku geratzen dira`),
  timesIn: zone => `Orduak: ${zone}`,
  readAll: 'Irakurri dena',

  yourDetails: 'Zure datuak',
  privacy: agency => `Datu hauek hitzordu hau antolatzeko eta egiteko erabiltzen ditu: ${agency}.`,
  book: 'Erreserbatu',
  requestBooking: 'Eskatu hitzordua',
  changeTime: 'Aldatu ordua',

  code: {
    heading: 'Baieztatu helbide elektronikoa',
    sent: email => `6 zifrako kodea bidali dugu helbide honetara: ${email}. 10 minutuz balio du.`,
    label: 'Kodea',
    submit: 'Baieztatu eta erreserbatu',
    resend: 'Bidali beste kode bat',
    subject: agency => `Zure kodea: ${agency}`,
    text: (code, agency) =>
      `Hitzordua erreserbatzeko kodea (${agency}): ${code}\n\n10 minutuz balio du. Eskatu ez baduzu, ez egin jaramonik.`,
  },

  errors: {
    ...formWords.eu.errors,
    taken: 'Norbaitek ordu hau erreserbatu berri du.',
    unavailable: 'Ordu hau ezin da gehiago erreserbatu.',
    nearest: 'Ordu hauek libre daude. Aukeratu bat: idatzitakoa gordeta dago.',
    nearestMove: 'Ordu hauek libre daude. Aukeratu bat.',
    noNearest: 'Inguruan ez dago beste ordu librerik.',
    tooMany: max =>
      `Dagoeneko ${max} hitzordu dituzu egiteke. Utzi bat bertan behera haren estekarekin, beste bat erreserbatu aurretik.`,
    tooOften:
      'Une honetan hitzordu gehiegi erreserbatzen ari dira. Saiatu geroago edo jarri gurekin harremanetan.',
    codeWrong: 'Kodea ez da zuzena. Begiratu azken mezua.',
    codeExpired: 'Kodeak ez du balio. Eskatu beste bat.',
    codeWait: 'Kode bat bidali berri dizugu. Itxaron minutu bat beste bat eskatu aurretik.',
    codeUnsendable: 'Une honetan ezin dugu koderik bidali. Jarri gurekin harremanetan.',
  },
  closed: 'Une honetan ezin da hitzordurik erreserbatu hemen. Jarri gurekin harremanetan.',

  status: {
    confirmed: 'Zure hitzordua baieztatuta dago',
    pending: 'Zure eskaera jaso dugu',
    cancelled: 'Hitzordu hau bertan behera geratu da',
    over: 'Hitzordu hau amaitu da',
  },
  pendingNote: 'Ordua zuretzat gordeta dago. Lehenbailehen baieztatuko dugu.',
  confirmedNote: 'Gorde orri honen helbidea: hemen alda edo bertan behera utz dezakezu hitzordua.',
  moved: 'Zure hitzordua aldatu dugu.',
  joinVideo: 'Sartu bideo-deian',
  addToCalendar: 'Gehitu egutegira',
  reschedule: 'Aukeratu beste ordu bat',
  cancel: 'Utzi hitzordua bertan behera',
  bookAgain: 'Erreserbatu beste hitzordu bat',
  formerTime: 'Orain arte',
  newTime: 'Ordu berria',
  moveIt: 'Aldatu hitzordua',
  cancelQuestion: 'Hitzordu hau bertan behera utzi nahi duzu?',
  reason: 'Arrazoia',
  keep: 'Mantendu hitzordua',
  tooLate: 'Hemen ezin da gehiago aldatu edo bertan behera utzi. Jarri gurekin harremanetan.',
}
