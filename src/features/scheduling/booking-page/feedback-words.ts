/** The texts with which a visitor says what they think after an appointment. */
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { outcomeResults } from '../appointments/schemas.ts'

export interface FeedbackWords {
  title: string
  question: string
  results: Record<(typeof outcomeResults)[number], string>
  /** From 1 to 5. */
  rating: string
  noRating: string
  text: string
  send: string
  thanks: string
}

const words: Record<MessageLanguage, FeedbackWords> = {
  es: {
    title: 'Denos su opinión',
    question: '¿Qué le ha parecido?',
    results: {
      interested: 'Me interesa',
      not_interested: 'No me interesa',
      offer: 'Quiero hacer una oferta',
      undecided: 'Todavía no lo sé',
      other: 'Otra cosa',
    },
    rating: 'Valoración, de 1 (mala) a 5 (muy buena)',
    noRating: 'Sin valoración',
    text: 'Comentario',
    send: 'Enviar la opinión',
    thanks: 'Gracias por su opinión.',
  },
  ca: {
    title: 'Doneu-nos la vostra opinió',
    question: 'Què us ha semblat?',
    results: {
      interested: 'M’interessa',
      not_interested: 'No m’interessa',
      offer: 'Vull fer una oferta',
      undecided: 'Encara no ho sé',
      other: 'Una altra cosa',
    },
    rating: 'Valoració, d’1 (dolenta) a 5 (molt bona)',
    noRating: 'Sense valoració',
    text: 'Comentari',
    send: 'Envia l’opinió',
    thanks: 'Gràcies per la vostra opinió.',
  },
  gl: {
    title: 'Déanos a súa opinión',
    question: 'Que lle pareceu?',
    results: {
      interested: 'Interésame',
      not_interested: 'Non me interesa',
      offer: 'Quero facer unha oferta',
      undecided: 'Aínda non o sei',
      other: 'Outra cousa',
    },
    rating: 'Valoración, de 1 (mala) a 5 (moi boa)',
    noRating: 'Sen valoración',
    text: 'Comentario',
    send: 'Enviar a opinión',
    thanks: 'Grazas pola súa opinión.',
  },
  eu: {
    title: 'Eman zure iritzia',
    question: 'Zer iruditu zaizu?',
    results: {
      interested: 'Interesatzen zait',
      not_interested: 'Ez zait interesatzen',
      offer: 'Eskaintza bat egin nahi dut',
      undecided: 'Oraindik ez dakit',
      other: 'Beste zerbait',
    },
    rating: 'Balorazioa, 1etik (txarra) 5era (oso ona)',
    noRating: 'Baloraziorik gabe',
    text: 'Iruzkina',
    send: 'Bidali iritzia',
    thanks: 'Eskerrik asko zure iritziagatik.',
  },
  pt: {
    title: 'Dê-nos a sua opinião',
    question: 'O que achou?',
    results: {
      interested: 'Tenho interesse',
      not_interested: 'Não tenho interesse',
      offer: 'Quero fazer uma proposta',
      undecided: 'Ainda não sei',
      other: 'Outra coisa',
    },
    rating: 'Avaliação, de 1 (má) a 5 (muito boa)',
    noRating: 'Sem avaliação',
    text: 'Comentário',
    send: 'Enviar a opinião',
    thanks: 'Obrigado pela sua opinião.',
  },
  it: {
    title: 'Ci dica la sua opinione',
    question: 'Che cosa ne pensa?',
    results: {
      interested: 'Mi interessa',
      not_interested: 'Non mi interessa',
      offer: 'Vorrei fare un’offerta',
      undecided: 'Non lo so ancora',
      other: 'Altro',
    },
    rating: 'Valutazione, da 1 (scarsa) a 5 (ottima)',
    noRating: 'Nessuna valutazione',
    text: 'Commento',
    send: 'Invia l’opinione',
    thanks: 'Grazie per la sua opinione.',
  },
  en: {
    title: 'Give your feedback',
    question: 'What do you think?',
    results: {
      interested: 'I am interested',
      not_interested: 'I am not interested',
      offer: 'I would like to make an offer',
      undecided: 'I don’t know yet',
      other: 'Something else',
    },
    rating: 'Rating, from 1 (poor) to 5 (very good)',
    noRating: 'No rating',
    text: 'Comment',
    send: 'Send feedback',
    thanks: 'Thank you for your feedback.',
  },
  fr: {
    title: 'Donnez votre avis',
    question: 'Qu’en pensez-vous ?',
    results: {
      interested: 'Cela m’intéresse',
      not_interested: 'Cela ne m’intéresse pas',
      offer: 'Je souhaite faire une offre',
      undecided: 'Je ne sais pas encore',
      other: 'Autre chose',
    },
    rating: 'Note, de 1 (mauvaise) à 5 (très bonne)',
    noRating: 'Sans note',
    text: 'Commentaire',
    send: 'Envoyer l’avis',
    thanks: 'Merci pour votre avis.',
  },
  de: {
    title: 'Feedback geben',
    question: 'Was denken Sie?',
    results: {
      interested: 'Ich habe Interesse',
      not_interested: 'Ich habe kein Interesse',
      offer: 'Ich möchte ein Angebot machen',
      undecided: 'Ich weiß es noch nicht',
      other: 'Etwas anderes',
    },
    rating: 'Bewertung, von 1 (schlecht) bis 5 (sehr gut)',
    noRating: 'Keine Bewertung',
    text: 'Kommentar',
    send: 'Feedback senden',
    thanks: 'Vielen Dank für Ihr Feedback.',
  },
}

export const getFeedbackWords = (language: MessageLanguage): FeedbackWords => words[language]
