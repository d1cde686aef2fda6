/** The page: verified with its credentials, and subscribed to the webhooks of its leads. */
import type { AdContext, AdPage } from '../../ads.ts'
import { asList, asText } from '../../graph-kit/json.ts'
import { fail } from './failures.ts'
import { type CredentialValues, callGraph, listGraph } from './graph.ts'

const field = 'leadgen'

/** Reads the page, a form and a lead, because each needs a permission of its own. */
export async function connectPage(credentials: CredentialValues, context: AdContext): Promise<AdPage> {
  const { pageId } = credentials
  const page = await callGraph(credentials, { path: pageId, query: { fields: 'id,name' } }, context)
  if (asText(page.id) !== pageId) throw fail('UNAVAILABLE')
  const one = { fields: 'id', limit: '1' }
  const forms = await listGraph(credentials, { path: `${pageId}/leadgen_forms`, query: one }, context)
  const formId = asText(forms.items[0]?.id)
  if (formId && /^\d+$/.test(formId))
    await listGraph(credentials, { path: `${formId}/leads`, query: one }, context)
  await subscribe(credentials, context)
  return { id: pageId, name: asText(page.name) ?? pageId }
}

/** A call sets all fields of the app, so those that it receives already are sent again. */
async function subscribe(credentials: CredentialValues, context: AdContext): Promise<void> {
  const fields = await readSubscribedFields(credentials, context)
  if (fields.includes(field)) return
  await setFields(credentials, [...fields, field], context)
}

export async function disconnectPage(credentials: CredentialValues, context: AdContext): Promise<void> {
  const fields = await readSubscribedFields(credentials, context)
  if (!fields.includes(field)) return
  const others = fields.filter(name => name !== field)
  if (others.length > 0) return setFields(credentials, others, context)
  const path = `${credentials.pageId}/subscribed_apps`
  await callGraph(credentials, { path, method: 'DELETE' }, context)
}

/** Those of the app that the token belongs to. */
async function readSubscribedFields(credentials: CredentialValues, context: AdContext): Promise<string[]> {
  const app = await callGraph(credentials, { path: 'app', query: { fields: 'id' } }, context)
  const appId = asText(app.id)
  const { items } = await listGraph(
    credentials,
    { path: `${credentials.pageId}/subscribed_apps`, query: { limit: '100' } },
    context,
  )
  const own = items.find(({ id }) => appId !== null && asText(id) === appId)
  return asList(own?.subscribed_fields).flatMap(name => asText(name) ?? [])
}

async function setFields(credentials: CredentialValues, fields: string[], context: AdContext): Promise<void> {
  const path = `${credentials.pageId}/subscribed_apps`
  const query = { subscribed_fields: fields.join(',') }
  const reply = await callGraph(credentials, { path, query, method: 'POST' }, context)
  if (reply.success !== true) throw fail('REJECTED')
}
