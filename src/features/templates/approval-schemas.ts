/** The schemas of the API for the approval of templates by providers. */
import { id, type Static, strictObject, Type } from '../../kit/schema.ts'
import { language, providerTemplateName } from './schemas.ts'

export const TemplateSubmission = strictObject(
  {
    accountId: id('The account whose provider approves the text.'),
    language: Type.Optional(language('The text to submit; default: that of the default language.')),
    providerTemplateName: Type.Optional(providerTemplateName),
    headerMediaId: Type.Optional(
      id(
        'An uploaded file of at most 16 MB, `POST /media`: the example of a header with a file, which people at the provider review.',
      ),
    ),
  },
  { title: 'TemplateSubmission' },
)
export type TemplateSubmission = Static<typeof TemplateSubmission>

export const TemplateSyncRequest = strictObject(
  { accountId: id('The account.') },
  { title: 'NewTemplateSync' },
)
export const TemplateSync = strictObject(
  {
    imported: Type.Integer({ description: 'The texts that were made at the provider, and are new here.' }),
    updated: Type.Integer({ description: 'The texts whose state has changed.' }),
    unchanged: Type.Integer({ description: 'The texts whose state is the same.' }),
    skipped: Type.Array(
      strictObject({
        providerTemplateName: Type.String({ description: 'The name at the provider.' }),
        language: Type.String({ description: 'The language.' }),
        reason: Type.String({ description: 'Why it was not imported.' }),
      }),
      { description: 'The texts that cannot be imported.' },
    ),
  },
  { title: 'TemplateSync' },
)
export type TemplateSync = Static<typeof TemplateSync>
