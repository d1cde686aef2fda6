/** Approvals by providers over HTTP: submit a text, synchronize the templates of an account. */

import { Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { type ChatAccounts, callProvider, connectionProblems } from '../accounts/service.ts'
import { TemplateSubmission, TemplateSync, TemplateSyncRequest } from './approval-schemas.ts'
import { submissionExample, syncExample, templateExample } from './examples.ts'
import { openAccount } from './open-account.ts'
import {
  approvalNotNeeded,
  languageMissing,
  templateArchived,
  templateErased,
  templateNotSubmittable,
} from './problems.ts'
import { params, readReply, type TemplatesDependencies, tag } from './routes.ts'
import { Template } from './schemas.ts'
import { storeSubmitted, submitTemplate } from './submit.ts'
import { syncTemplates } from './sync.ts'

/** A provider lists at most this many templates. */
const listedMax = 1000

export const approvalRoutes = (dependencies: TemplatesDependencies): Route[] => [
  submitRoute(dependencies),
  syncRoute(dependencies.accounts),
]

function submitRoute({ accounts, openUpload }: TemplatesDependencies): Route {
  return route({
    method: 'POST',
    path: '/templates/{id}/submit',
    operation: 'submitTemplate',
    tag,
    summary: 'Submit a text to the provider of an account',
    description:
      'Variables become `{{1}}`, `{{2}}`, …, with examples. A text with tags (if, for, assign) cannot be submitted. A header with a file needs an example of it, `headerMediaId`. Each version is submitted under a name of its own, so that the approved one is sent while the new one is reviewed. A text that was submitted already is not submitted again, unless it was rejected.',
    scope: 'templates:write',
    params,
    body: TemplateSubmission,
    example: submissionExample,
    status: 200,
    reply: Template,
    replyExample: templateExample,
    errors: [
      approvalNotNeeded,
      languageMissing,
      templateArchived,
      templateErased,
      templateNotSubmittable,
      ...connectionProblems,
    ],
    isOutgoing: true,
    prepare: ({ params, body, caller, database, signal }) =>
      submitTemplate(params.id, body, { accounts, openUpload, caller, database, signal }),
    async handle({ params, tx, prepared }) {
      if (prepared) await storeSubmitted(tx, prepared)
      return readReply(tx, params.id)
    },
  })
}

function syncRoute(accounts: ChatAccounts): Route {
  return route({
    method: 'POST',
    path: '/templates/sync',
    operation: 'syncTemplates',
    tag,
    summary: 'Synchronize the templates of an account with its provider',
    description:
      'Updates the state of submitted texts, and imports the templates that were made at the provider: `{{1}}` becomes the variable `value1` (`headerValue` in the header, `button1` in the first button), whose value comes with each message.',
    scope: 'templates:write',
    body: TemplateSyncRequest,
    example: { accountId: submissionExample.accountId },
    status: 200,
    reply: TemplateSync,
    replyExample: syncExample,
    errors: ['NOT_FOUND', approvalNotNeeded, ...connectionProblems],
    isOutgoing: true,
    async prepare({ body, caller, database, signal }) {
      const opened = await database.readTenant(caller, tx => openAccount(tx, accounts, body.accountId))
      const { templates, label } = opened.provider
      if (!templates)
        throw new Problem(
          approvalNotNeeded,
          `${label} sends templates without an approval: it has none of its own.`,
        )
      return callProvider({ signal }, signal =>
        templates.list(opened.connection, accounts.createContext(opened, signal)),
      )
    },
    handle: ({ body, tx, prepared }) =>
      syncTemplates(
        tx,
        { accountId: body.accountId, isComplete: prepared.length < listedMax },
        prepared.slice(0, listedMax),
      ),
  })
}
