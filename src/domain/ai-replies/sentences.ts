/** The sentences that the program adds itself, never the model: that a machine writes (art. 50 of the EU AI Act), and that a person will. */
import type { MessageLanguage } from '../messaging/opt-out-words.ts'

interface Sentences {
  disclosure: (agency: string) => string
  handOff: (agency: string) => string
}

const sentences: Record<MessageLanguage, Sentences> = {
  es: {
    disclosure: agency =>
      `Te responde el asistente automático de ${agency} (inteligencia artificial). Escribe PERSONA si prefieres hablar con alguien del equipo.`,
    handOff: agency => `Gracias por tu mensaje. Alguien de ${agency} te responderá en cuanto pueda.`,
  },
  ca: {
    disclosure: agency =>
      `Et respon l’assistent automàtic de ${agency} (intel·ligència artificial). Escriu PERSONA si prefereixes parlar amb algú de l’equip.`,
    handOff: agency => `Gràcies pel teu missatge. Algú de ${agency} et respondrà tan aviat com pugui.`,
  },
  gl: {
    disclosure: agency =>
      `Respóndeche o asistente automático de ${agency} (intelixencia artificial). Escribe PERSOA se prefires falar con alguén do equipo.`,
    handOff: agency => `Grazas pola túa mensaxe. Alguén de ${agency} responderache en canto poida.`,
  },
  eu: {
    disclosure: agency =>
      `${agency} agentziaren laguntzaile automatikoak (adimen artifiziala) erantzuten dizu. Idatzi PERTSONA taldeko norbaitekin hitz egin nahi baduzu.`,
    handOff: agency =>
      `Eskerrik asko zure mezuagatik. ${agency} agentziako norbaitek ahal bezain laster erantzungo dizu.`,
  },
  pt: {
    disclosure: agency =>
      `Quem responde é o assistente automático da ${agency} (inteligência artificial). Escreva PESSOA se preferir falar com alguém da equipa.`,
    handOff: agency => `Obrigado pela sua mensagem. Alguém da ${agency} responder-lhe-á assim que possível.`,
  },
  it: {
    disclosure: agency =>
      `Le risponde l’assistente automatico di ${agency} (intelligenza artificiale). Scriva PERSONA se preferisce parlare con qualcuno del team.`,
    handOff: agency => `Grazie per il suo messaggio. Qualcuno di ${agency} le risponderà appena possibile.`,
  },
  en: {
    disclosure: agency =>
      `You are talking to the automatic assistant of ${agency} (artificial intelligence). Write PERSON if you would rather talk to somebody of the team.`,
    handOff: agency => `Thank you for your message. Somebody from ${agency} will answer as soon as possible.`,
  },
  fr: {
    disclosure: agency =>
      `L’assistant automatique de ${agency} (intelligence artificielle) vous répond. Écrivez PERSONNE si vous préférez parler à quelqu’un de l’équipe.`,
    handOff: agency => `Merci pour votre message. Quelqu’un de ${agency} vous répondra dès que possible.`,
  },
  de: {
    disclosure: agency =>
      `Ihnen antwortet der automatische Assistent von ${agency} (künstliche Intelligenz). Schreiben Sie PERSON, wenn Sie lieber mit jemandem aus dem Team sprechen.`,
    handOff: agency => `Danke für Ihre Nachricht. Jemand von ${agency} antwortet Ihnen so bald wie möglich.`,
  },
}

export const formatDisclosure = (language: MessageLanguage, agency: string): string =>
  sentences[language].disclosure(agency)

export const formatHandOff = (language: MessageLanguage, agency: string): string =>
  sentences[language].handOff(agency)
