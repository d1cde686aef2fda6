/** The texts of the public pages of scheduling in German. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const de: BookingWords = {
  ...formWords.de,
  locale: 'de',
  timezone: 'Zeitzone',
  change: 'Ändern',

  mode: { onsite: 'Vor Ort', call: 'Telefonat', video: 'Videoanruf' },
  agentCalls: 'Wir rufen Sie an',
  visitorCalls: phone => `Rufen Sie ${phone} an`,
  details: { length: 'Dauer', place: 'Ort', agent: 'Mit', time: 'Datum und Uhrzeit' },

  chooseTime: 'Wählen Sie Tag und Uhrzeit',
  previousMonth: 'Voriger Monat',
  nextMonth: 'Nächster Monat',
  freeTimes: (day, count) => `${day}: ${count} ${count === 1 ? 'freie Zeit' : 'freie Zeiten'}`,
  noTimesOnDay: 'An diesem Tag ist nichts mehr frei.',
  noTimesInMonth: 'In diesem Monat ist nichts mehr frei.',
  places: count => `noch ${count} ${count === 1 ? 'Platz' : 'Plätze'}`,
  timesIn: zone => `Zeiten: ${zone}`,
  readAll: 'Alles lesen',

  yourDetails: 'Ihre Angaben',
  privacy: agency => `${agency} nutzt diese Angaben, um diesen Termin zu vereinbaren und durchzuführen.`,
  book: 'Buchen',
  requestBooking: 'Termin anfragen',
  changeTime: 'Zeit ändern',

  code: {
    heading: 'Bestätigen Sie Ihre E-Mail-Adresse',
    sent: email => `Wir haben einen sechsstelligen Code an ${email} geschickt. Er gilt 10 Minuten.`,
    label: 'Code',
    submit: 'Bestätigen und buchen',
    resend: 'Neuen Code schicken',
    subject: agency => `Ihr Code für ${agency}`,
    text: (code, agency) =>
      `Ihr Code für einen Termin bei ${agency}: ${code}\n\nEr gilt 10 Minuten. Wenn Sie ihn nicht angefordert haben, beachten Sie diese Nachricht nicht.`,
  },

  errors: {
    ...formWords.de.errors,
    taken: 'Diese Zeit hat gerade jemand gebucht.',
    unavailable: 'Diese Zeit kann nicht mehr gebucht werden.',
    nearest: 'Diese Zeiten sind frei. Wählen Sie eine: Ihre Angaben bleiben erhalten.',
    nearestMove: 'Diese Zeiten sind frei. Wählen Sie eine.',
    noNearest: 'In der Nähe ist nichts anderes frei.',
    tooMany: max =>
      `Sie haben schon ${max} offene Termine. Sagen Sie einen über seinen Link ab, bevor Sie einen weiteren buchen.`,
    tooOften:
      'Im Moment werden zu viele Termine gebucht. Bitte versuchen Sie es später noch einmal oder kontaktieren Sie uns.',
    codeWrong: 'Der Code ist falsch. Bitte prüfen Sie die letzte E-Mail.',
    codeExpired: 'Der Code gilt nicht mehr. Fordern Sie einen neuen an.',
    codeWait: 'Wir haben gerade einen Code geschickt. Bitte warten Sie eine Minute bis zum nächsten.',
    codeUnsendable: 'Wir können gerade keinen Code schicken. Bitte wenden Sie sich an uns.',
  },
  closed: 'Hier können gerade keine Termine gebucht werden. Bitte wenden Sie sich an uns.',

  status: {
    confirmed: 'Ihr Termin ist bestätigt',
    pending: 'Ihre Anfrage ist eingegangen',
    cancelled: 'Dieser Termin ist abgesagt',
    over: 'Dieser Termin ist vorbei',
  },
  pendingNote: 'Die Zeit ist für Sie reserviert. Wir bestätigen sie so bald wie möglich.',
  confirmedNote:
    'Bewahren Sie die Adresse dieser Seite auf: Hier können Sie den Termin verlegen oder absagen.',
  moved: 'Ihr Termin ist verlegt.',
  joinVideo: 'Am Videoanruf teilnehmen',
  addToCalendar: 'In den Kalender eintragen',
  reschedule: 'Andere Zeit wählen',
  cancel: 'Termin absagen',
  bookAgain: 'Weiteren Termin buchen',
  formerTime: 'Bisher',
  newTime: 'Neue Zeit',
  moveIt: 'Termin verlegen',
  cancelQuestion: 'Möchten Sie diesen Termin absagen?',
  reason: 'Grund',
  keep: 'Termin behalten',
  tooLate: 'Er kann hier nicht mehr verlegt oder abgesagt werden. Bitte wenden Sie sich an uns.',
}
