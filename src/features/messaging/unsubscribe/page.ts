/**
 * The page on which a person refuses further e-mails. Opening it changes nothing, because mail programs open links to
 * check them; its button and the button of a mail program (RFC 8058) do.
 */
import { createHash } from 'node:crypto'
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { type MessageLanguage, optOutConfirmations } from '../../../domain/messaging/opt-out-words.ts'
import { rawBody } from '../../../kit/public-body.ts'
import { type PublicPage, type PublicRoute, publicRoute } from '../../../kit/public-route.ts'
import { findShared, type SharedResource } from '../../shares/service.ts'
import { unsubscribeKind, unsubscribePath } from './link.ts'
import { findMessage, refuseEmail } from './refuse-email.ts'
import { chooseLanguage, pageWords } from './words.ts'

/** A form without fields, or the one of RFC 8058 as a form of any kind. */
const bodyMaxBytes = 10_000

export const unsubscribeRoute: PublicRoute = publicRoute<SharedResource, 'page', Buffer>({
  path: `${unsubscribePath}/{token}`,
  kind: 'page',
  findResource: findShared(unsubscribeKind),
  async get({ database, resource: { tenantId, objectId }, headers }) {
    const found = await database.readTenant({ tenantId }, tx => findMessage(tx, objectId))
    if (!found) return null
    const language = chooseLanguage(headers['accept-language'], found.language)
    const { question, button } = pageWords[language]
    const form = `<form method="post"><button>${escapeMarkup(button)}</button></form>`
    return toPage(language, `<p>${escapeMarkup(question(toPrintable(found.sender)))}</p>\n${form}`)
  },
  post: {
    body: rawBody({ maxBytes: bodyMaxBytes }),
    async handle({ database, resource: { tenantId, objectId }, headers }) {
      const found = await database.withTenant({ tenantId }, tx => refuseEmail(tx, objectId))
      if (!found) return null
      const language = chooseLanguage(headers['accept-language'], found.language)
      return toPage(language, `<p role="status">${escapeMarkup(optOutConfirmations[language])}</p>`)
    },
  },
})

const style =
  'body{margin:15vh auto;max-width:26rem;padding:0 1.5rem;font:1rem/1.5 system-ui,sans-serif;color:#14181f;overflow-wrap:anywhere}' +
  'h1{font-size:1.5rem}button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:6px;background:#14181f;color:#fff}'
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

function toPage(language: MessageLanguage, content: string): PublicPage {
  const title = escapeMarkup(pageWords[language].title)
  return {
    type: 'text/html',
    headers: { 'Content-Security-Policy': policy },
    body: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`,
  }
}
