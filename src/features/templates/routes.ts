/** Templates over HTTP. */
import { requireScope } from '../../kit/auth.ts'
import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { createPager, pageSchema, slicePage } from '../../kit/page.ts'
import { Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import type { ChatAccounts } from '../accounts/service.ts'
import { catalogue } from './catalogue.ts'
import type { CatalogueVariable as Variable } from './catalogue-variable.ts'
import { newTemplateExample, previewExample, templateExample, versionExample } from './examples.ts'
import { templateEnding } from './hooks.ts'
import { createTextFormats } from './liquid/formats.ts'
import { formatContent } from './liquid/piece.ts'
import { previewTemplate } from './preview.ts'
import { NewPreview, Preview } from './preview-schemas.ts'
import {
  languageMissing,
  templateArchived,
  templateErased,
  templateFailed,
  templateInUse,
  tooManyTemplates,
} from './problems.ts'
import { archiveTemplate, getTemplate, listTemplates, listVersions, lockTemplate } from './queries.ts'
import { toTemplate, toVersion } from './reply.ts'
import {
  CatalogueFilter,
  CatalogueVariable,
  NewTemplate,
  Template,
  TemplateChanges,
  TemplateFilter,
  TemplateVersion,
  VersionFilter,
} from './schemas.ts'
import type { OpenUpload } from './submit.ts'
import { checkNewTemplate } from './texts.ts'
import { printValue, readSources, type Sources } from './values.ts'
import { changeTemplate, createTemplate } from './write.ts'

export interface TemplatesDependencies {
  accounts: ChatAccounts
  openUpload: OpenUpload
}

export const tag = 'Templates'
export const params = strictObject({ id: id('The template.') })

/** Reads the reply of a template. Throws 404. */
export const readReply = async (tx: Tx, templateId: string): Promise<Template> =>
  toTemplate(await getTemplate(tx, templateId))

const namedMax = 5

/** `remedy`: a sentence. Throws 409 TEMPLATE_IN_USE. */
async function assertUnused(
  tx: Tx,
  { id, name }: { id: string; name: string },
  remedy = 'Choose another template in their steps, or delete them.',
): Promise<void> {
  const names = (await callHook(tx, templateEnding, { templateId: id })).flat()
  if (names.length === 0) return
  const named = names.slice(0, namedMax).map(each => `"${each}"`)
  const others = names.length > namedMax ? ` and ${names.length - namedMax} others` : ''
  throw new Problem(
    templateInUse,
    `The template "${name}" is sent by the campaigns ${named.join(', ')}${others}. ${remedy}`,
  )
}

export function templateRoutes({ accounts }: Pick<TemplatesDependencies, 'accounts'>): Route[] {
  return [
    createRoute,
    listRoute,
    variablesRoute,
    route({
      method: 'GET',
      path: '/templates/{id}',
      operation: 'getTemplate',
      tag,
      summary: 'Retrieve a template',
      description:
        'A deleted template stays readable; `archivedAt` says since when it can no longer be used.',
      scope: 'templates:read',
      params,
      status: 200,
      reply: Template,
      replyExample: templateExample,
      handle: ({ params, tx }) => readReply(tx, params.id),
    }),
    changeRoute,
    route({
      method: 'DELETE',
      path: '/templates/{id}',
      operation: 'deleteTemplate',
      tag,
      summary: 'Delete a template',
      description:
        'It can no longer be used. What was sent with it stays readable, as do its versions. One that campaigns send, which run or are paused, is kept.',
      scope: 'templates:write',
      params,
      status: 204,
      reply: Type.Null(),
      errors: [templateInUse],
      async handle({ params, tx }) {
        const template = await lockTemplate(tx, params.id)
        if (template.archivedAt !== null) return null
        await assertUnused(tx, template)
        await archiveTemplate(tx, params.id)
        return null
      },
    }),
    versionsRoute,
    previewRoute(accounts),
  ]
}

const createRoute = route({
  method: 'POST',
  path: '/templates',
  operation: 'createTemplate',
  tag,
  summary: 'Create a template',
  description:
    'The text is parsed, its variables are found, and it is rendered with examples. Errors of the text name its line and column.',
  scope: 'templates:write',
  body: NewTemplate,
  example: newTemplateExample,
  status: 201,
  reply: Template,
  replyExample: templateExample,
  errors: [tooManyTemplates],
  check: ({ body }) => checkNewTemplate(body).errors,
  handle: async ({ body, tx }) => readReply(tx, await createTemplate(tx, body)),
})

const listRoute = route({
  method: 'GET',
  path: '/templates',
  operation: 'listTemplates',
  tag,
  summary: 'List templates, newest first',
  scope: 'templates:read',
  query: TemplateFilter,
  status: 200,
  reply: pageSchema(Template),
  replyExample: { data: [templateExample], nextCursor: null },
  errors: ['INVALID_CURSOR'],
  async handle({ query, caller, tx }) {
    const pager = createPager('templates', caller.tenantId, query)
    const { limit, archived = false } = query
    const rows = await listTemplates(tx, { ...query, archived }, pager.after)
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? [page.at(-1)!.id] : null
    return pager.reply({ json: JSON.stringify(page.map(toTemplate)), last })
  },
})

const changeRoute = route({
  method: 'PATCH',
  path: '/templates/{id}',
  operation: 'updateTemplate',
  tag,
  summary: 'Update a template',
  description:
    'Omitted fields keep their value. A changed text becomes a new version; earlier ones stay (`GET /templates/{id}/versions`), and messages keep the text that they were sent with. If a provider has approved the earlier version, that one is sent outside the reply window until the new one is approved: see `notice`. A text that no lead could get is refused while campaigns that run or are paused send the template.',
  scope: 'templates:write',
  params,
  body: TemplateChanges,
  example: { body: newTemplateExample.body },
  status: 200,
  reply: Template,
  replyExample: templateExample,
  errors: [templateArchived, templateInUse],
  async handle({ params, body, tx }) {
    const unusable = await changeTemplate(tx, params.id, body)
    if (unusable) await assertUnused(tx, await getTemplate(tx, params.id), unusable.message)
    return readReply(tx, params.id)
  },
})

const versionsRoute = route({
  method: 'GET',
  path: '/templates/{id}/versions',
  operation: 'listTemplateVersions',
  tag,
  summary: 'List the versions of a template, newest first',
  scope: 'templates:read',
  params,
  query: VersionFilter,
  status: 200,
  reply: pageSchema(TemplateVersion),
  replyExample: { data: [versionExample], nextCursor: null },
  errors: ['INVALID_CURSOR'],
  async handle({ params, query, caller, tx }) {
    const pager = createPager(`templates/${params.id}/versions`, caller.tenantId, query)
    const template = await getTemplate(tx, params.id)
    const rows = await listVersions(tx, params.id, query, pager.after)
    const page = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? [page.at(-1)!.versionId] : null
    return pager.reply({ json: JSON.stringify(page.map(row => toVersion(row, template))), last })
  },
})

const variablesRoute = route({
  method: 'GET',
  path: '/templates/variables',
  operation: 'listTemplateVariables',
  tag,
  summary: 'List the variables that every template may use',
  description:
    'For autocompletion, with the values of a lead if you like: `leadId` requires the scope `leads:read` too. Your own variables are declared in each template.',
  scope: 'templates:read',
  query: CatalogueFilter,
  status: 200,
  reply: pageSchema(CatalogueVariable),
  replyExample: {
    data: catalogue.slice(0, 1).map(variable => describeVariable(variable, 'es', null)),
    nextCursor: null,
  },
  errors: ['INVALID_CURSOR'],
  async handle({ query, caller, tx }) {
    const { leadId = null, language = 'es' } = query
    if (leadId !== null) requireScope(caller, 'leads:read')
    const pager = createPager('templates/variables', caller.tenantId, query)
    const { page, last } = slicePage(catalogue, pager, query.limit, ({ name }) => name)
    const sources = leadId === null ? null : await readSources(tx, { leadId, agentUserId: null })
    const data = page.map(variable => describeVariable(variable, language, sources))
    return pager.reply({ json: JSON.stringify(data), last })
  },
})

/** `sources` null: without a value. */
function describeVariable(variable: Variable, language: string, sources: Sources | null) {
  const { name, type, label, example } = variable
  return {
    name,
    type,
    label,
    example: formatContent(example, createTextFormats(language, 'UTC')),
    value: sources && printValue(variable, sources, language),
  }
}

function previewRoute(accounts: ChatAccounts): Route {
  return route({
    method: 'POST',
    path: '/templates/{id}/preview',
    operation: 'previewTemplate',
    tag,
    summary: 'Preview a template',
    description:
      'Renders the text for a lead, or with examples. `leadId` requires the scope `leads:read` too. Nothing is stored or sent.',
    scope: 'templates:read',
    params,
    body: NewPreview,
    example: { language: 'es' },
    status: 200,
    reply: Preview,
    replyExample: previewExample,
    errors: [languageMissing, templateArchived, templateErased, templateFailed],
    handle({ params, body, caller, tx }) {
      if (body.leadId !== undefined) requireScope(caller, 'leads:read')
      return previewTemplate(tx, { templateId: params.id, accounts }, body)
    },
  })
}
