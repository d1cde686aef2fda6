/**
 * The page on which a person ends the digests of a search, or subscribes again. Opening it changes nothing, because mail programs open
 * links to check them; its button and the button of a mail program (RFC 8058) do.
 */
import { createHash } from 'node:crypto'
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import {
  type MessageLanguage,
  messageLanguages,
  toMessageLanguage,
} from '../../../domain/messaging/opt-out-words.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { rawBody } from '../../../kit/public-body.ts'
import { type PublicPage, type PublicRoute, publicRoute } from '../../../kit/public-route.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { findShared, type SharedResource } from '../../shares/service.ts'
import { emailsMax } from '../campaigns/notification-schemas.ts'
import { findCampaign, lockCampaign, updateCampaign } from '../campaigns/queries.ts'
import type { CampaignRow } from '../campaigns/row.ts'
import { digestKind } from '../campaigns/search-state.ts'
import { getDigestWords } from './languages.ts'
import { digestPath, findSubscriber, type SubscriberRow, setUnsubscribed } from './subscribers.ts'

/** A form with one field, or the one of RFC 8058 as a form of any kind. */
const bodyMaxBytes = 10_000
/** Browsers send some languages; a longer header has no more meaning. */
const headerMax = 500

interface View {
  campaign: CampaignRow
  isUnsubscribed: boolean
  /** That of the browser, else that of the digest. */
  language: MessageLanguage
}

export const digestRoute: PublicRoute = publicRoute<SharedResource, 'page', Buffer>({
  path: `${digestPath}/{token}`,
  kind: 'page',
  findResource: findShared(digestKind),
  async get({ database, resource: { tenantId, objectId }, headers }) {
    const view = await database.readTenant({ tenantId }, async tx => {
      const subscriber = await findSubscriber(tx, objectId)
      const campaign = subscriber && (await findCampaign(tx, subscriber.campaignId))
      return campaign ? toView(tx, campaign, subscriber.isUnsubscribed, headers['accept-language']) : null
    })
    return view && toPage(view)
  },
  post: {
    body: rawBody({ maxBytes: bodyMaxBytes }),
    async handle({ database, resource: { tenantId, objectId }, headers, body }) {
      const subscribes = new URLSearchParams(body.toString()).get('again') === '1'
      const view = await database.withTenant({ tenantId }, async tx => {
        const subscriber = await findSubscriber(tx, objectId)
        const campaign = subscriber && (await lockCampaign(tx, subscriber.campaignId))
        if (!campaign) return null
        await change(tx, campaign, subscriber, subscribes)
        return toView(tx, campaign, !subscribes, headers['accept-language'])
      })
      return view && toPage(view)
    },
  },
})

/** The address leaves or enters the settings of the locked campaign, so that its users see it. Repeating it changes nothing. */
async function change(
  tx: Tx,
  { id, settings }: CampaignRow,
  subscriber: SubscriberRow,
  subscribes: boolean,
): Promise<void> {
  const { notifications } = settings
  await setUnsubscribed(tx, subscriber.id, !subscribes)
  if (!notifications) return
  const others = notifications.emails.filter(email => email !== subscriber.email)
  const emails = subscribes ? [...others, subscriber.email].slice(-emailsMax) : others
  if (emails.length !== notifications.emails.length)
    await updateCampaign(tx, id, { settings: { ...settings, notifications: { ...notifications, emails } } })
}

async function toView(
  tx: Tx,
  campaign: CampaignRow,
  isUnsubscribed: boolean,
  header: string | undefined,
): Promise<View> {
  const wanted = (header ?? '').slice(0, headerMax).toLowerCase().split(',')
  const bases = wanted.map(range => range.trim().split(/[-;]/, 1)[0])
  const known = bases.map(base => messageLanguages.find(one => one === base)).find(one => one)
  const { country } = await getWorkspaceLocale(tx)
  const language = known ?? campaign.settings.notifications?.language ?? toMessageLanguage(country)
  return { campaign, isUnsubscribed, language }
}

const style =
  'body{margin:15vh auto;max-width:26rem;padding:0 1.5rem;font:1rem/1.5 system-ui,sans-serif;color:#14181f;overflow-wrap:anywhere}' +
  'h1{font-size:1.5rem}button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:6px;background:#14181f;color:#fff}'
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

function toPage({ campaign, isUnsubscribed, language }: View): PublicPage {
  const { title, question, button, done, again } = getDigestWords(language).page
  const content = isUnsubscribed
    ? `<p role="status">${escapeMarkup(done)}</p>
<form method="post"><button name="again" value="1">${escapeMarkup(again)}</button></form>`
    : `<p>${escapeMarkup(question(toPrintable(campaign.name)))}</p>
<form method="post"><button>${escapeMarkup(button)}</button></form>`
  return {
    type: 'text/html',
    headers: { 'Content-Security-Policy': policy },
    body: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${content}
</main>
</body>
</html>
`,
  }
}
