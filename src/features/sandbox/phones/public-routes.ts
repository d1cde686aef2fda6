/** The public routes of the phone: its page, its messages for the page's script, and the files in them. */
import { randomBytes } from 'node:crypto'
import type { Blobs } from '../../../kit/blobs/blobs.ts'
import { fileFormBody } from '../../../kit/public-body.ts'
import { type PublicPage, type PublicRoute, publicRoute } from '../../../kit/public-route.ts'
import { findFileOfThread } from '../../messaging/service.ts'
import { findShared } from '../../shares/service.ts'
import { phoneKind, phonePath } from './links.ts'
import { readPhoneFile } from './media.ts'
import { phonePolicy, renderPhone } from './page.ts'
import { findPhone } from './queries.ts'
import type { PhoneDependencies } from './routes.ts'
import { formBytesMax, readForm, readText, say, waitUntilReceived } from './say.ts'
import { createReadReporter, findPhoneView, type PhoneView } from './view.ts'

/** An open page looks for new messages 40 times a minute, and several may be open. */
const limits = { address: 900, token: 300 }
const findResource = findShared(phoneKind, phoneId => `phone ${phoneId}`)
/** The id of a form: new for each page, and chosen by its script. */
const formId = /^[\w-]{1,64}$/

export function phonePublicRoutes({
  accounts,
  cipher,
  blobs,
}: PhoneDependencies & { blobs: Pick<Blobs, 'read'> }): PublicRoute[] {
  const reportRead = createReadReporter(cipher)
  return [
    publicRoute({
      path: `${phonePath}/{token}`,
      kind: 'page',
      limits,
      findResource,
      async get({ database, resource: { tenantId, objectId, token }, isVisit }) {
        return database.withTenant({ tenantId }, async tx => {
          const view = await findPhoneView(tx, accounts, { phoneId: objectId, token })
          if (view && isVisit) await reportRead(tx, view)
          return view && toPage(view, { token })
        })
      },
      post: {
        body: fileFormBody({ maxBytes: formBytesMax }),
        async handle({ database, resource: { tenantId, objectId, token }, body }) {
          const given = readText(body, 'id')
          const id = `phone-${formId.test(given) ? given : createFormId()}`
          const reply = await database.withTenant({ tenantId }, async tx => {
            const view = await findPhoneView(tx, accounts, { phoneId: objectId, token })
            if (!view?.isOpen) return view && { page: toPage(view, { token, error: view.words.ended }) }
            const said = await readForm(tx, view.phone, body, view.words)
            if ('error' in said)
              return { page: toPage(view, { token, error: said.error, draft: readText(body, 'text') }) }
            await say(tx, cipher, view.phone, { id, ...said })
            return { accountId: view.phone.accountId }
          })
          if (!reply) return null
          if ('page' in reply) return reply.page
          await waitUntilReceived(database, tenantId, { accountId: reply.accountId, id })
          return { redirect: token }
        },
      },
    }),
    publicRoute({
      path: `${phonePath}/{token}/messages`,
      kind: 'json',
      limits,
      findResource,
      async get({ database, resource: { tenantId, objectId, token }, query, isVisit }) {
        const view = await database.withTenant({ tenantId }, async tx => {
          const view = await findPhoneView(tx, accounts, { phoneId: objectId, token })
          if (view && isVisit) await reportRead(tx, view)
          return view
        })
        if (!view) return null
        const { version, items } = view
        return { json: { version, items: query.get('version') === version ? null : items } }
      },
    }),
    publicRoute({
      path: `${phonePath}/{token}/media/{file}`,
      kind: 'file',
      limits,
      findResource,
      async get({ database, resource: { tenantId, objectId }, params: { file = '' } }) {
        const found = await database.readTenant({ tenantId }, async tx => {
          const phone = await findPhone(tx, objectId)
          return phone && uuid.test(file) ? findFileOfThread(tx, phone, file) : null
        })
        return found && readPhoneFile(blobs, tenantId, found)
      },
    }),
  ]
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const createFormId = () => randomBytes(12).toString('base64url')

function toPage(
  { phone, account, words, items, version, isOpen }: PhoneView,
  { token, error = null, draft = '' }: { token: string; error?: string | null; draft?: string },
): PublicPage {
  const body = renderPhone({
    words,
    account,
    person: phone.name ?? phone.person.value,
    items,
    version,
    source: `${token}/messages`,
    nextId: createFormId(),
    isOpen,
    error,
    draft,
  })
  return {
    type: 'text/html',
    status: error === null ? 200 : 422,
    headers: { 'Content-Security-Policy': phonePolicy },
    body,
  }
}
