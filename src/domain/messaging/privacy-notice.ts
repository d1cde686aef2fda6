/**
 * The notice about the processing of personal data (art. 14 GDPR): who writes, where the data come from, and how to object
 * (art. 21). It is a part of the first message to a person who did not give their data themselves.
 */
import { type MessageLanguage, messageLanguages } from './opt-out-words.ts'

export interface NoticeFacts {
  /** The name of the agency. */
  agency: string
  /** The site where the data were found; null: not known. */
  source: string | null
  /** The whole notice on the web; null: there is none. */
  url: string | null
  /** Texts of the workspace by language (BCP 47), instead of the default sentences. */
  texts: Readonly<Record<string, string>>
  /** The language if there is none for the message. */
  fallback: MessageLanguage
}

interface Sentences {
  writes: (agency: string) => string
  found: (agency: string, source: string) => string
  object: string
  more: string
}

const sentences: Record<MessageLanguage, Sentences> = {
  es: {
    writes: agency => `${agency} tiene tus datos de contacto y los usa para escribirte sobre tu inmueble.`,
    found: (agency, source) =>
      `${agency} tiene tus datos de contacto por tu anuncio en ${source} y los usa para escribirte sobre tu inmueble.`,
    object: 'Puedes oponerte cuando quieras: responde STOP.',
    more: 'Más información y tus derechos:',
  },
  ca: {
    writes: agency =>
      `${agency} té les teves dades de contacte i les fa servir per escriure’t sobre el teu immoble.`,
    found: (agency, source) =>
      `${agency} té les teves dades de contacte pel teu anunci a ${source} i les fa servir per escriure’t sobre el teu immoble.`,
    object: 'T’hi pots oposar quan vulguis: respon STOP.',
    more: 'Més informació i els teus drets:',
  },
  gl: {
    writes: agency => `${agency} ten os teus datos de contacto e úsaos para escribirche sobre o teu inmoble.`,
    found: (agency, source) =>
      `${agency} ten os teus datos de contacto polo teu anuncio en ${source} e úsaos para escribirche sobre o teu inmoble.`,
    object: 'Podes opoñerte cando queiras: responde STOP.',
    more: 'Máis información e os teus dereitos:',
  },
  eu: {
    writes: agency =>
      `${agency} zure harremanetarako datuak ditu, eta zure higiezinari buruz idazteko erabiltzen ditu.`,
    found: (agency, source) =>
      `${agency} zure harremanetarako datuak ditu, ${source} webgunean jarritako iragarkitik hartuta, eta zure higiezinari buruz idazteko erabiltzen ditu.`,
    object: 'Nahi duzunean aurka egin dezakezu: erantzun STOP.',
    more: 'Informazio gehiago eta zure eskubideak:',
  },
  pt: {
    writes: agency =>
      `${agency} tem os seus dados de contacto e usa-os para lhe escrever sobre o seu imóvel.`,
    found: (agency, source) =>
      `${agency} tem os seus dados de contacto a partir do seu anúncio em ${source} e usa-os para lhe escrever sobre o seu imóvel.`,
    object: 'Pode opor-se a qualquer momento: responda STOP.',
    more: 'Mais informação e os seus direitos:',
  },
  it: {
    writes: agency => `${agency} ha i suoi dati di contatto e li usa per scriverle del suo immobile.`,
    found: (agency, source) =>
      `${agency} ha i suoi dati di contatto dal suo annuncio su ${source} e li usa per scriverle del suo immobile.`,
    object: 'Può opporsi in qualsiasi momento: risponda STOP.',
    more: 'Altre informazioni e i suoi diritti:',
  },
  en: {
    writes: agency => `${agency} has your contact details and uses them to write to you about your property.`,
    found: (agency, source) =>
      `${agency} has your contact details from your advertisement on ${source} and uses them to write to you about your property.`,
    object: 'You may object at any time: reply STOP.',
    more: 'More information and your rights:',
  },
  fr: {
    writes: agency =>
      `${agency} dispose de vos coordonnées et les utilise pour vous écrire au sujet de votre bien.`,
    found: (agency, source) =>
      `${agency} dispose de vos coordonnées grâce à votre annonce sur ${source} et les utilise pour vous écrire au sujet de votre bien.`,
    object: 'Vous pouvez vous y opposer à tout moment : répondez STOP.',
    more: 'Plus d’informations et vos droits :',
  },
  de: {
    writes: agency =>
      `${agency} hat Ihre Kontaktdaten und nutzt sie, um Ihnen zu Ihrer Immobilie zu schreiben.`,
    found: (agency, source) =>
      `${agency} hat Ihre Kontaktdaten aus Ihrer Anzeige auf ${source} und nutzt sie, um Ihnen zu Ihrer Immobilie zu schreiben.`,
    object: 'Sie können jederzeit widersprechen: Antworten Sie STOP.',
    more: 'Weitere Informationen und Ihre Rechte:',
  },
}

/** Returns the notice in a language (BCP 47; null: the fallback): the text of the workspace, or the default sentences. */
export function formatNotice(
  language: string | null,
  { agency, source, url, texts, fallback }: NoticeFacts,
): string {
  const own = findText(language, texts) ?? findText(fallback, texts)
  if (own !== undefined) return url === null || own.includes(url) ? own : `${own} ${url}`
  const { writes, found, object, more } = sentences[toLanguage(language) ?? fallback]
  const parts = [source === null ? writes(agency) : found(agency, source), object]
  return (url === null ? parts : [...parts, `${more} ${url}`]).join(' ')
}

function findText(language: string | null, texts: NoticeFacts['texts']): string | undefined {
  const names = language === null ? [] : [language, language.split('-')[0]!]
  const name = names.find(each => Object.hasOwn(texts, each))
  return name === undefined ? undefined : texts[name]
}

const toLanguage = (language: string | null): MessageLanguage | undefined =>
  messageLanguages.find(known => known === language?.split('-')[0])

/** True if the text has the notice, or links to it. */
export const hasNotice = (text: string, { notice, url }: { notice: string; url: string | null }): boolean =>
  text.includes(notice) || (url !== null && text.includes(url))
