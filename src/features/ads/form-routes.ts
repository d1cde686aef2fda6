/** Forms of lead ads, and what people submitted, over HTTP. */

import type { Mapping } from '../../domain/table/lead-fields.ts'
import type { Tx } from '../../kit/db/index.ts'
import { createPager, pageQuery, pageSchema } from '../../kit/page.ts'
import { type InputError, notFound, throwIfInvalid } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import type { Ads } from './ad-connections.ts'
import { adLeadExample, formExample } from './examples.ts'
import { type FormRow, findForms, listForms, updateForm } from './forms.ts'
import { listAdLeads, retryAdLeads } from './lead-queries.ts'
import { validateFieldMapping } from './mapping/field-mapping.ts'
import { toAdLead, toForm } from './reply.ts'
import { enqueueRetrieval } from './retrieval/enqueue.ts'
import { AdLead, AdLeadFilter, LeadForm, LeadFormChanges } from './schemas.ts'

const tag = 'Ads'
const connection = { id: id('The connection.') }

export const formRoutes = (ads: Ads): Route[] => [
  formsRoute(ads),
  updateFormRoute,
  leadsRoute(ads),
  retryRoute(ads),
]

const formsRoute = (ads: Ads): Route =>
  route({
    method: 'GET',
    path: '/ads/connections/{id}/forms',
    operation: 'listLeadForms',
    tag,
    summary: 'List the forms of a page, and how their answers become leads',
    description: 'They are read every hour, and when somebody submits a new one.',
    scope: 'campaigns:read',
    params: strictObject(connection),
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(LeadForm),
    replyExample: { data: [formExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await ads.open(tx, params.id)
      const pager = createPager(`lead-forms ${params.id}`, caller.tenantId, query)
      const rows = await listForms(tx, params.id, query, pager.after)
      const page = rows.slice(0, query.limit)
      return pager.reply({
        json: JSON.stringify(page.map(toForm)),
        last: rows.length > page.length ? [page.at(-1)!.formId] : null,
      })
    },
  })

const updateFormRoute: Route = route({
  method: 'PATCH',
  path: '/ads/connections/{id}/forms/{formId}',
  operation: 'updateLeadForm',
  tag,
  summary: 'Set the fields of a lead that answers are written to, and which boxes mean consent',
  description:
    'Omitted fields keep their value. It counts for forms that are submitted from now on. `consent: null`: the boxes that must be ticked mean consent.',
  scope: 'campaigns:write',
  params: strictObject({
    ...connection,
    formId: Type.String({ minLength: 1, maxLength: 200, description: "The network's id of the form." }),
  }),
  body: LeadFormChanges,
  example: {
    fieldMapping: { cuando: 'customFields.plan' },
    consent: { boxes: ['contacto'], channels: ['chat', 'phone', 'email'] },
  },
  status: 200,
  reply: LeadForm,
  replyExample: formExample,
  findErrors: ({ params, body, read }) =>
    read(async tx => {
      const { id, formId } = params
      if (id === undefined || formId === undefined) return []
      const form = (await findForms(tx, id, [formId])).get(formId)
      return form ? validateForm(body, form) : []
    }),
  async handle({ params, body, tx }) {
    const form = await getForm(tx, params)
    throwIfInvalid(validateForm(body, form))
    const { fieldMapping, consent } = body
    await updateForm(tx, params.id, params.formId, {
      ...(fieldMapping === undefined ? {} : { fieldMapping: fieldMapping as Mapping }),
      ...(consent === undefined ? {} : { consentRule: consent }),
    })
    return toForm(await getForm(tx, params))
  },
})

async function getForm(tx: Tx, { id, formId }: { id: string; formId: string }): Promise<FormRow> {
  const form = (await findForms(tx, id, [formId])).get(formId)
  if (!form) throw notFound('lead form')
  return form
}

/** A box that is ticked before is refused: it can't be a consent. */
function validateForm({ fieldMapping = {}, consent }: Partial<LeadFormChanges>, form: FormRow): InputError[] {
  const boxes = new Map((form.consent?.boxes ?? []).map(box => [box.key, box]))
  const ofBoxes = (consent?.boxes ?? []).flatMap((key, index): InputError[] => {
    const path = `/consent/boxes/${index}`
    const box = boxes.get(key)
    if (!box) return [{ path, code: 'UNKNOWN_BOX', message: 'is no box of this form' }]
    if (!box.isTickedBefore) return []
    const message = 'is ticked before the person touches it, which is no consent (recital 32 GDPR)'
    return [{ path, code: 'NOT_ALLOWED', message }]
  })
  return [...validateFieldMapping(fieldMapping, form.questions), ...ofBoxes]
}

const leadsRoute = (ads: Ads): Route =>
  route({
    method: 'GET',
    path: '/ads/connections/{id}/leads',
    operation: 'listAdLeads',
    tag,
    summary: 'List what people submitted, newest first, with its lead or the reason why there is none',
    scope: 'campaigns:read',
    params: strictObject(connection),
    query: AdLeadFilter,
    status: 200,
    reply: pageSchema(AdLead),
    replyExample: { data: [adLeadExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await ads.open(tx, params.id)
      const pager = createPager(`ad-leads ${params.id}`, caller.tenantId, query)
      const rows = await listAdLeads(tx, params.id, query, pager.after)
      const page = rows.slice(0, query.limit)
      return pager.reply({
        json: JSON.stringify(page.map(toAdLead)),
        last: rows.length > page.length ? [page.at(-1)!.id] : null,
      })
    },
  })

const retryRoute = (ads: Ads): Route =>
  route({
    method: 'POST',
    path: '/ads/connections/{id}/leads/retry',
    operation: 'retryAdLeads',
    tag,
    summary: 'Read those submissions again that wait or failed',
    scope: 'campaigns:write',
    params: strictObject(connection),
    status: 200,
    reply: strictObject({ retried: Type.Integer({ description: 'How many are read again.' }) }),
    replyExample: { retried: 3 },
    async handle({ params, tx }) {
      await ads.open(tx, params.id)
      const retried = await retryAdLeads(tx, params.id, ['waiting', 'failed'])
      await enqueueRetrieval(tx, params.id)
      return { retried }
    },
  })
