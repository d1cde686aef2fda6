/** The texts of the public pages of scheduling in French. */
import { formWords } from '../../../../documents/form-words.ts'
import type { BookingWords } from '../words.ts'

export const fr: BookingWords = {
  ...formWords.fr,
  locale: 'fr',
  timezone: 'Fuseau horaire',
  change: 'Changer',

  mode: { onsite: 'Sur place', call: 'Appel téléphonique', video: 'Appel vidéo' },
  agentCalls: 'Nous vous appelons',
  visitorCalls: phone => `Appelez le ${phone}`,
  details: { length: 'Durée', place: 'Lieu', agent: 'Avec', time: 'Date et heure' },

  chooseTime: 'Choisissez un jour et une heure',
  previousMonth: 'Mois précédent',
  nextMonth: 'Mois suivant',
  freeTimes: (day, count) => `${day} : ${count} ${count === 1 ? 'heure libre' : 'heures libres'}`,
  noTimesOnDay: 'Il n’y a plus d’heures libres ce jour-là.',
  noTimesInMonth: 'Il n’y a plus d’heures libres ce mois-ci.',
  places: count => `${count} ${count === 1 ? 'place restante' : 'places restantes'}`,
  timesIn: zone => `Heures : ${zone}`,
  readAll: 'Lire la suite',

  yourDetails: 'Vos coordonnées',
  privacy: agency => `${agency} utilise ces données pour organiser et tenir ce rendez-vous.`,
  book: 'Réserver',
  requestBooking: 'Demander le rendez-vous',
  changeTime: 'Changer l’heure',

  code: {
    heading: 'Confirmez votre adresse e-mail',
    sent: email => `Nous avons envoyé un code à 6 chiffres à ${email}. Il est valable 10 minutes.`,
    label: 'Code',
    submit: 'Confirmer et réserver',
    resend: 'Envoyer un nouveau code',
    subject: agency => `Votre code pour ${agency}`,
    text: (code, agency) =>
      `Votre code pour prendre rendez-vous avec ${agency} : ${code}\n\nIl est valable 10 minutes. Si vous ne l’avez pas demandé, ignorez ce message.`,
  },

  errors: {
    ...formWords.fr.errors,
    taken: 'Quelqu’un vient de réserver cette heure.',
    unavailable: 'Cette heure ne peut plus être réservée.',
    nearest: 'Ces heures sont libres. Choisissez-en une : ce que vous avez écrit est conservé.',
    nearestMove: 'Ces heures sont libres. Choisissez-en une.',
    noNearest: 'Il n’y a pas d’autres heures libres à proximité.',
    tooMany: max =>
      `Vous avez déjà ${max} rendez-vous à venir. Annulez-en un avec son lien avant d’en prendre un autre.`,
    tooOften: 'Trop de rendez-vous sont pris en ce moment. Veuillez réessayer plus tard ou nous contacter.',
    codeWrong: 'Ce n’est pas le bon code. Vérifiez le dernier e-mail.',
    codeExpired: 'Le code n’est plus valable. Demandez-en un autre.',
    codeWait: 'Nous venons de vous envoyer un code. Attendez une minute avant d’en demander un autre.',
    codeUnsendable: 'Nous ne pouvons pas envoyer de code pour le moment. Veuillez nous contacter.',
  },
  closed: 'Il n’est pas possible de prendre rendez-vous ici pour le moment. Veuillez nous contacter.',

  status: {
    confirmed: 'Votre rendez-vous est confirmé',
    pending: 'Nous avons reçu votre demande',
    cancelled: 'Ce rendez-vous est annulé',
    over: 'Ce rendez-vous est passé',
  },
  pendingNote: 'L’heure vous est réservée. Nous la confirmerons dès que possible.',
  confirmedNote: 'Conservez l’adresse de cette page : vous pouvez y déplacer ou annuler le rendez-vous.',
  moved: 'Votre rendez-vous a été déplacé.',
  joinVideo: 'Rejoindre l’appel vidéo',
  addToCalendar: 'Ajouter à l’agenda',
  reschedule: 'Choisir une autre heure',
  cancel: 'Annuler le rendez-vous',
  bookAgain: 'Prendre un autre rendez-vous',
  formerTime: 'Jusqu’ici',
  newTime: 'Nouvelle heure',
  moveIt: 'Déplacer le rendez-vous',
  cancelQuestion: 'Voulez-vous annuler ce rendez-vous ?',
  reason: 'Motif',
  keep: 'Garder le rendez-vous',
  tooLate: 'Il ne peut plus être déplacé ni annulé ici. Veuillez nous contacter.',
}
