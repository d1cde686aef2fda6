/** The widget of a campaign over HTTP. */

import { findLanguage } from '../../../documents/visitor-language.ts'
import { toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { type InputError, notFound, Problem, type ProblemType } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { getEnvironment } from '../../accounts/service.ts'
import { readBrandingFacts } from '../../identity/settings.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { privacyNotice } from '../../privacy/settings.ts'
import { getCampaign, lockCampaign } from '../campaigns/queries.ts'
import { toConsentText } from './consent.ts'
import { widgetExample } from './example.ts'
import { findKey, replaceKey, revokeKey, toWidgetUrls, type WidgetDependencies } from './key.ts'
import { defaultConfig, findWidget, storeWidget } from './queries.ts'
import { Widget, WidgetSettings } from './schemas.ts'
import { estimateHeightPx, toSnippet } from './snippet.ts'
import { toShortName } from './view.ts'
import { getWidgetWords } from './words.ts'

export const noWidget: ProblemType = {
  code: 'NO_WIDGET',
  status: 409,
  meaning: 'Only campaigns of the platform `widget` have a widget.',
  action: 'Create a campaign of the platform `widget`, or set the platform of this one.',
  example:
    'The campaign is one of the platform portal_a. Only campaigns of the platform widget have a widget.',
}

const tag = 'Campaigns'
const params = strictObject({ id: id('The campaign.') })
const path = '/campaigns/{id}/widget'

/** Throws 404, and 409 NO_WIDGET. */
async function assertWidget(tx: Tx, campaignId: string): Promise<void> {
  const { platform } = await getCampaign(tx, campaignId)
  refuseOther(platform)
}

async function lockWidget(tx: Tx, campaignId: string): Promise<void> {
  const campaign = await lockCampaign(tx, campaignId)
  if (!campaign) throw notFound('campaign')
  refuseOther(campaign.platform)
}

function refuseOther(platform: string): void {
  if (platform === 'widget') return
  const message = `The campaign is one of the platform ${platform}. Only campaigns of the platform widget have a widget.`
  throw new Problem(noWidget, message)
}

async function readWidget(tx: Tx, campaignId: string, dependencies: WidgetDependencies): Promise<Widget> {
  const [stored, key, { branding }, { url }, { country }, environment] = await Promise.all([
    findWidget(tx, campaignId),
    findKey(tx, campaignId, dependencies),
    readBrandingFacts(tx),
    readSetting(tx, privacyNotice),
    getWorkspaceLocale(tx),
    getEnvironment(tx),
  ])
  const widget = {
    ...defaultConfig,
    consentVersion: 0,
    submissions: { created: 0, known: 0, spam: 0, suppressed: 0, refused: 0 },
    ...stored,
  }
  const language = findLanguage(widget.language) ?? toMessageLanguage(country)
  const words = getWidgetWords(language)
  const agency = toShortName(branding.name)
  const consent = toConsentText(widget, { words, language, agency }).text
  const heightPx = estimateHeightPx(widget.fields, {
    words,
    agency,
    consent,
    hasLink: url !== null,
    isTest: environment === 'test',
  })
  const urls = key === null ? null : toWidgetUrls(key, dependencies)
  return {
    campaignId,
    allowedOrigins: widget.allowedOrigins,
    theme: widget.theme,
    language: widget.language as Widget['language'],
    fields: widget.fields,
    consentTexts: widget.consentTexts as Widget['consentTexts'],
    consentVersion: widget.consentVersion,
    key,
    scriptUrl: urls?.scriptUrl ?? null,
    pageUrl: urls?.pageUrl ?? null,
    snippet: urls === null ? null : toSnippet({ key: key!, ...urls, title: words.title, heightPx }),
    submissions: widget.submissions,
    updatedAt: stored?.updatedAt.toISOString() ?? null,
  }
}

/** Browsers send no usual port. */
const toOrigin = (written: string): string => new URL(written).origin

const checkOrigins = ({ allowedOrigins = [] }: Partial<WidgetSettings>): InputError[] =>
  allowedOrigins.flatMap((origin, index) =>
    URL.canParse(origin)
      ? []
      : [
          {
            path: `/allowedOrigins/${index}`,
            code: 'WRONG_FORMAT',
            message: 'must be an origin, such as https://agency.example',
          },
        ],
  )

function checkFields({ fields }: Partial<WidgetSettings>): InputError[] {
  if (!fields) return []
  const names = fields.map(({ name }) => name)
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (twice !== -1)
    return [
      {
        path: `/fields/${twice}/name`,
        code: 'DUPLICATE',
        message: `The field ${names[twice]} is there twice.`,
      },
    ]
  const hasIdentity = fields.some(({ name, required }) => (name === 'phone' || name === 'email') && required)
  if (hasIdentity) return []
  const message = 'Require phone or email: without one nobody can be contacted.'
  return [{ path: '/fields', code: 'REQUIRED', message }]
}

export const widgetApiRoutes = (dependencies: WidgetDependencies): Route[] => [
  route({
    method: 'GET',
    path,
    operation: 'getWidget',
    tag,
    summary: 'Retrieve the widget of a campaign',
    description: 'The form for the site of the agency, its key, and how many forms were sent.',
    scope: 'campaigns:read',
    params,
    status: 200,
    reply: Widget,
    replyExample: widgetExample,
    errors: [noWidget],
    async handle({ params, tx }) {
      await assertWidget(tx, params.id)
      return readWidget(tx, params.id, dependencies)
    },
  }),
  route({
    method: 'PUT',
    path,
    operation: 'configureWidget',
    tag,
    summary: 'Configure the widget of a campaign',
    description:
      'Replaces the configuration; the first time the widget also gets its key. An omitted field gets its default.',
    scope: 'campaigns:write',
    params,
    body: WidgetSettings,
    example: { allowedOrigins: ['https://agency.example'], theme: 'light' },
    status: 200,
    reply: Widget,
    replyExample: widgetExample,
    errors: [noWidget],
    check: ({ body }) => {
      const settings = body as Partial<WidgetSettings>
      return [...checkOrigins(settings), ...checkFields(settings)]
    },
    async handle({ params, body, tx }) {
      await lockWidget(tx, params.id)
      const consentTexts = (body.consentTexts ?? {}) as Record<string, string>
      const allowedOrigins = [...new Set((body.allowedOrigins ?? []).map(toOrigin))]
      const isNew = !(await findWidget(tx, params.id))
      await storeWidget(tx, params.id, { ...defaultConfig, ...body, consentTexts, allowedOrigins })
      if (isNew) await replaceKey(tx, params.id, dependencies)
      return readWidget(tx, params.id, dependencies)
    },
  }),
  route({
    method: 'POST',
    path: `${path}/key`,
    operation: 'replaceWidgetKey',
    tag,
    summary: 'Replace the key of a widget',
    description:
      'The former key ends at once: put the new snippet into the pages. It also opens a form whose key was revoked.',
    scope: 'campaigns:write',
    params,
    status: 200,
    reply: Widget,
    replyExample: widgetExample,
    errors: [noWidget],
    async handle({ params, tx }) {
      await lockWidget(tx, params.id)
      if (!(await findWidget(tx, params.id))) await storeWidget(tx, params.id, defaultConfig)
      await replaceKey(tx, params.id, dependencies)
      return readWidget(tx, params.id, dependencies)
    },
  }),
  route({
    method: 'DELETE',
    path: `${path}/key`,
    operation: 'revokeWidgetKey',
    tag,
    summary: 'Revoke the key of a widget',
    description:
      'Its pages show only the link of the snippet, which leads nowhere any more. If there is no key, nothing happens.',
    scope: 'campaigns:write',
    params,
    status: 204,
    reply: Type.Null(),
    errors: [noWidget],
    async handle({ params, tx }) {
      await lockWidget(tx, params.id)
      await revokeKey(tx, params.id)
      return null
    },
  }),
]
