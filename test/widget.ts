/** The widget for tests: configures one, and sends its form as the script does. */
import { toTicketSubject } from '../src/features/campaigns/widget/consent.ts'
import { openWidget } from '../src/features/campaigns/widget/context.ts'
import type { Widget, WidgetSettings } from '../src/features/campaigns/widget/schemas.ts'
import type { TreeNode } from '../src/features/campaigns/widget/tree.ts'
import { issueTicket } from '../src/kit/form-ticket.ts'
import { toClientAddress } from './client-address.ts'
import type { TestApp } from './harness.ts'
import type { TestTenant } from './tenant.ts'

export const siteOrigin = 'https://agency.example'

export interface TestWidget extends Widget {
  /** At the address of the test program. */
  url: string
}

export async function makeWidget(
  app: TestApp,
  tenant: TestTenant,
  settings: WidgetSettings = {},
): Promise<TestWidget> {
  const { body: campaign } = await tenant.call<{ id: string }>('POST', '/campaigns', {
    body: { name: 'Owners of our site', platform: 'widget', mode: 'extract_and_contact' },
  })
  const path = `/campaigns/${campaign.id}/widget`
  const body = { allowedOrigins: [siteOrigin], ...settings }
  const { status, text, body: widget } = await tenant.call<Widget>('PUT', path, { body })
  if (status !== 200) throw new Error(`PUT ${path} answered ${status}: ${text}`)
  return { ...widget, url: `${app.url}/widget/${widget.key}` }
}

/** A ticket of a form that was opened a minute ago. */
export async function makeWidgetTicket(
  app: TestApp,
  tenant: TestTenant,
  campaignId: string,
  language = 'en',
): Promise<string> {
  const request = { language, pageLanguage: null, theme: null, headers: {}, isPage: false }
  const { consent } = (await tenant.inTenant(tx => openWidget(tx, campaignId, request)))!
  const subject = toTicketSubject(campaignId, language, consent)
  return issueTicket(app.deployment.cipher, subject, { issuedMs: Date.now() - 60_000 })
}

export interface WidgetReply {
  status: number
  headers: Headers
  view?: TreeNode
  isDone?: true
  errors?: Record<string, string>
  message?: string
  code?: string
}

let visitors = 0

/** `undefined` leaves a field out. The default is a visitor whom nobody knows. */
export async function sendWidget(
  app: TestApp,
  tenant: TestTenant,
  { campaignId, url }: TestWidget,
  fields: Record<string, string | undefined> = {},
  headers: Record<string, string> = { Origin: siteOrigin },
): Promise<WidgetReply> {
  const number = String(++visitors).padStart(4, '0')
  const lang = fields.lang ?? 'en'
  const body = {
    ticket: await makeWidgetTicket(app, tenant, campaignId, lang),
    lang,
    name: 'Marta Soler',
    phone: `65502${number}`,
    consent: 'yes',
    page: `${siteOrigin}/sell?from=ad#form`,
    ...fields,
  }
  const reply = await fetch(`${url}/form`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': toClientAddress(tenant.tenantId),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { status: reply.status, headers: reply.headers, ...((await reply.json()) as object) }
}
