/** The public routes of the widget: the script, the form that it requests and sends, and the page without it. */
import { createHash } from 'node:crypto'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database } from '../../../kit/db/index.ts'
import { toWeakETag } from '../../../kit/etag.ts'
import { issueTicket } from '../../../kit/form-ticket.ts'
import { Problem } from '../../../kit/problem.ts'
import { formBody, jsonBody } from '../../../kit/public-body.ts'
import { type PublicFile, type PublicRoute, publicRoute } from '../../../kit/public-route.ts'
import { readLogoFile } from '../../identity/service.ts'
import { hasLogo } from '../../identity/settings.ts'
import { findShared, findSharedObject, type SharedResource } from '../../shares/service.ts'
import { toPageUrl, toTicketSubject } from './consent.ts'
import { type OpenWidget, openWidget, type VisitorRequest } from './context.ts'
import type { Typed } from './fields.ts'
import { toWidgetUrls, type WidgetDependencies, widgetKind, widgetPath } from './key.ts'
import { toWidgetPage } from './page-html.ts'
import { findWidget } from './queries.ts'
import { type Outcome, receiveSubmission } from './receive.ts'
import { Submission } from './schemas.ts'
import { widgetScript } from './script.ts'
import { toColors } from './style.ts'
import type { TreeNode } from './tree.ts'
import { type FormView, toClosedView, toFormView, toThanksView } from './view.ts'

/** Every page of the site that shows the widget requests the form. */
const limits = { address: 120, token: 1200 }
const bodyBytesMax = 32_000

const script: PublicFile = {
  type: 'text/javascript; charset=utf-8',
  bytes: Buffer.from(widgetScript),
  etag: toWeakETag(createHash('sha256').update(widgetScript).digest('base64url')),
  headers: { 'Cache-Control': 'public, max-age=3600', 'Cross-Origin-Resource-Policy': 'cross-origin' },
}

interface WidgetResource extends SharedResource {
  origins: string[]
}

async function findForm(database: Database, token: string): Promise<WidgetResource | null> {
  const found = await findSharedObject(database, widgetKind, token)
  if (!found) return null
  const { tenantId, objectId } = found
  const widget = await database.readTenant({ tenantId }, tx => findWidget(tx, objectId))
  return { ...found, token, name: `widget ${objectId}`, origins: widget?.allowedOrigins ?? [] }
}

/** The view of an outcome that is not an error of the visitor. */
function toView(
  cipher: Cipher,
  campaignId: string,
  opened: OpenWidget,
  form: Partial<FormView> = {},
): TreeNode {
  const { widget, campaign, view, consent } = opened
  if (!campaign) return toClosedView(view)
  const ticket = issueTicket(cipher, toTicketSubject(campaignId, view.language, consent))
  return toFormView(view, {
    fields: widget.fields,
    consent: consent.text,
    ticket,
    typed: {},
    errors: {},
    alert: null,
    ...form,
  })
}

const toSiteRequest = (
  headers: VisitorRequest['headers'],
  { lang, page, theme }: { lang: string | null; page: string | null; theme: string | null },
): VisitorRequest => ({ language: lang, pageLanguage: page, theme, headers, isPage: false })

/** What the script does with an outcome. */
function toReply(cipher: Cipher, campaignId: string, opened: OpenWidget, outcome: Outcome): object {
  const { words } = opened.view
  switch (outcome.kind) {
    case 'done':
      return { view: toThanksView(opened.view), isDone: true }
    case 'closed':
      return { view: toClosedView(opened.view) }
    case 'invalid':
      return { errors: outcome.errors, message: words.errors.heading }
    case 'limited':
      return { message: words.errors.tooOften }
    case 'repeat':
      return { view: toView(cipher, campaignId, opened), message: words.errors.repeat }
  }
}

export const widgetRoutes = (dependencies: WidgetDependencies): PublicRoute[] => [
  publicRoute({
    path: `${widgetPath}/{token}/widget.js`,
    kind: 'file',
    limits: { address: 120, token: 6000 },
    findResource: findShared(widgetKind, id => `widget script ${id}`),
    get: async () => script,
  }),
  publicRoute({
    path: `${widgetPath}/{token}/form`,
    kind: 'json',
    limits,
    findResource: findForm,
    origins: ({ origins }) => origins,
    async get({ database, resource: { tenantId, objectId }, query, headers }) {
      const chosen = { lang: query.get('lang'), page: query.get('page'), theme: query.get('theme') }
      const opened = await database.readTenant({ tenantId }, tx =>
        openWidget(tx, objectId, toSiteRequest(headers, chosen)),
      )
      if (!opened) return null
      return { json: { view: toView(dependencies.cipher, objectId, opened), colors: toColors(opened.color) } }
    },
    post: {
      body: jsonBody(Submission, { maxBytes: bodyBytesMax }),
      async handle({ database, resource, query, headers, address, body }) {
        const { tenantId, objectId, token } = resource
        const { origin } = headers
        // Browsers always send it to another site.
        if (origin === undefined)
          throw new Problem('ORIGIN_NOT_ALLOWED', 'The form is sent from a page: send its Origin.')
        const typed = body as Typed
        const chosen = { lang: typed.lang ?? null, page: null, theme: query.get('theme') }
        const opened = await database.readTenant({ tenantId }, tx =>
          openWidget(tx, objectId, toSiteRequest(headers, chosen)),
        )
        if (!opened) return null
        const pageUrl = toPageUrl(typed.page, origin)
        const sent = { tenantId, campaignId: objectId, key: token, address, pageUrl, typed }
        const outcome = await receiveSubmission(database, dependencies.cipher, opened, sent)
        return { json: toReply(dependencies.cipher, objectId, opened, outcome) }
      },
    },
  }),
  pageRoute(dependencies),
  publicRoute({
    path: `${widgetPath}/{token}/logo`,
    kind: 'file',
    findResource: findShared(widgetKind, id => `widget page ${id}`),
    get: ({ database, resource: { tenantId }, signal }) => readLogoFile(database, tenantId, signal),
  }),
]

function pageRoute(dependencies: WidgetDependencies): PublicRoute {
  const { cipher } = dependencies
  async function open(
    database: Database,
    { tenantId, objectId, token }: SharedResource,
    request: VisitorRequest,
  ) {
    return database.readTenant({ tenantId }, async tx => {
      const opened = await openWidget(tx, objectId, request)
      return opened && { ...opened, logoPath: (await hasLogo(tx)) ? `${token}/logo` : null }
    })
  }
  const toRequest = (headers: VisitorRequest['headers'], language: string | null): VisitorRequest => ({
    language,
    pageLanguage: null,
    theme: null,
    headers,
    isPage: true,
  })
  return publicRoute({
    path: `${widgetPath}/{token}`,
    kind: 'page',
    limits: { address: 60, token: 600 },
    findResource: findShared(widgetKind, id => `widget page ${id}`),
    async get({ database, resource, query, headers }) {
      const opened = await open(database, resource, toRequest(headers, query.get('lang')))
      if (!opened) return null
      const { view: context, color, logoPath } = opened
      return toWidgetPage({ context, color, logoPath, view: toView(cipher, resource.objectId, opened) })
    },
    post: {
      body: formBody({ maxBytes: bodyBytesMax }),
      async handle({ database, resource, headers, address, body }) {
        const { tenantId, objectId, token } = resource
        const opened = await open(database, resource, toRequest(headers, body.get('lang')))
        if (!opened) return null
        const typed: Typed = Object.fromEntries(body)
        const { pageUrl } = toWidgetUrls(token, dependencies)
        const sent = { tenantId, campaignId: objectId, key: token, address, pageUrl, typed }
        const outcome = await receiveSubmission(database, cipher, opened, sent)
        const { view: context, color, logoPath } = opened
        const { words } = context
        const toForm = (form: Partial<FormView>) =>
          toWidgetPage({
            context,
            color,
            logoPath,
            view: toView(cipher, objectId, opened, { typed, ...form }),
            isRefused: true,
          })
        switch (outcome.kind) {
          case 'done':
            return toWidgetPage({ context, color, logoPath, view: toThanksView(context) })
          case 'closed':
            return toWidgetPage({ context, color, logoPath, view: toClosedView(context) })
          case 'invalid':
            return toForm({ errors: outcome.errors, alert: words.errors.heading })
          case 'limited':
            return toForm({ alert: words.errors.tooOften })
          case 'repeat':
            return toForm({ alert: words.errors.repeat })
        }
      },
    },
  })
}
