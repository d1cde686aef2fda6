/** The text of the consent, and the proof of it that is stored with the lead. */
import { createHash } from 'node:crypto'
import type { MessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { WidgetRow } from './queries.ts'
import type { WidgetWords } from './words.ts'

/** Change it with the texts of the program. */
const programVersion = 'program-1'

export interface ConsentText {
  /** As it is shown. */
  text: string
  /** `program-1`, or the version of the agency's own text. */
  version: string
}

export interface Consent extends ConsentText {
  language: MessageLanguage
  /** The page with the form, without query. */
  pageUrl: string
  /** The key of the widget. */
  key: string
  /** ISO 8601. */
  agreedAt: string
}

export function toConsentText(
  { consentTexts, consentVersion }: Pick<WidgetRow, 'consentTexts' | 'consentVersion'>,
  { words, language, agency }: { words: WidgetWords; language: MessageLanguage; agency: string },
): ConsentText {
  const own = consentTexts[language]
  return own === undefined
    ? { text: words.consent(agency), version: programVersion }
    : { text: own.replaceAll('{agency}', agency), version: String(consentVersion) }
}

/** What a ticket is for: a form with another text of the consent does not count. */
export const toTicketSubject = (
  campaignId: string,
  language: string,
  { text, version }: ConsentText,
): string =>
  `widget ${campaignId} ${language} ${version} ${createHash('sha256').update(text).digest('base64url')}`

export const toProof = ({ text, version, language, pageUrl, key, agreedAt }: Consent): string =>
  `Ticked “${text}” (${language}, version ${version}) in the widget ${key} on ${pageUrl} at ${agreedAt}.`

const pageUrlMax = 500

/** The page that the script names, if it belongs to the site that sent the form; otherwise the site. */
export function toPageUrl(page: string | undefined, origin: string): string {
  const url = URL.parse(page ?? '')
  return url?.origin === origin ? (origin + url.pathname).slice(0, pageUrlMax) : origin
}
