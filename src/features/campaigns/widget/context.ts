/** Reads what a visitor sees: the configuration of the widget, the agency and the language. */
import type { IncomingHttpHeaders } from 'node:http'
import { findAcceptedLanguage, findLanguage } from '../../../documents/visitor-language.ts'
import { toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { getEnvironment } from '../../accounts/service.ts'
import { readBrandingFacts } from '../../identity/settings.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { privacyNotice } from '../../privacy/settings.ts'
import { findCampaign } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { type ConsentText, toConsentText } from './consent.ts'
import { findWidget, type WidgetRow } from './queries.ts'
import { themes, toShortName, type ViewContext } from './view.ts'
import { getWidgetWords } from './words.ts'

export interface VisitorRequest {
  /** The one that the script tag or the page states; null: not chosen. */
  language: string | null
  /** The language of the page around the widget; null: unknown. */
  pageLanguage: string | null
  theme: string | null
  headers: IncomingHttpHeaders
  isPage: boolean
}

export interface OpenWidget {
  widget: WidgetRow
  /** Null: it takes no more leads. */
  campaign: CampaignRow | null
  view: ViewContext
  consent: ConsentText
  /** `#rrggbb`; null: the default colour. */
  color: string | null
  /** The country of phone numbers without a prefix. */
  country: string
}

/** Null: the widget does not exist. */
export async function openWidget(
  tx: Tx,
  campaignId: string,
  request: VisitorRequest,
): Promise<OpenWidget | null> {
  const [widget, campaign, { branding }, { url }, { country }, environment] = await Promise.all([
    findWidget(tx, campaignId),
    findCampaign(tx, campaignId),
    readBrandingFacts(tx),
    readSetting(tx, privacyNotice),
    getWorkspaceLocale(tx),
    getEnvironment(tx),
  ])
  if (!widget) return null
  const language =
    findLanguage(request.language) ??
    findLanguage(widget.language) ??
    findLanguage(request.pageLanguage) ??
    findAcceptedLanguage(request.headers['accept-language']) ??
    toMessageLanguage(country)
  const words = getWidgetWords(language)
  const agency = toShortName(branding.name)
  return {
    widget,
    campaign: campaign?.platform === 'widget' && campaign.status !== 'completed' ? campaign : null,
    color: branding.color,
    country,
    consent: toConsentText(widget, { words, language, agency }),
    view: {
      words,
      language,
      theme: themes.find(theme => theme === request.theme) ?? widget.theme,
      agency: { name: agency, phone: branding.phone, email: branding.email, privacyUrl: url },
      isPage: request.isPage,
      isTest: environment === 'test',
    },
  }
}
