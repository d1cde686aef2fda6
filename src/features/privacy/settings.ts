/** The settings for the retention of leads and the privacy notice. */
import { toPointerPart } from '../../kit/json-pointer.ts'
import { byName, strictObject, Type } from '../../kit/schema.ts'
import { setting } from '../../kit/settings/setting.ts'

export const retention = setting({
  name: 'retention',
  scope: 'workspace',
  description:
    'How many months leads are kept after the last contact with the person; older leads are erased every night, and visitors of appointments without a lead so many months after the appointment. Null: for ever.',
  schema: strictObject({
    months: Type.Union([Type.Integer({ minimum: 1, maximum: 1200 }), Type.Null()]),
  }),
  default: { months: null },
  roles: { read: 'agent', write: 'owner' },
})

export const privacyNotice = setting({
  name: 'privacyNotice',
  scope: 'workspace',
  description:
    'The privacy notice (art. 14 GDPR) in the first message to a person whose data come from a portal or a list. `texts` by language instead of the default sentences, such as `{ "es": "…" }`: they are sent as they are, without variables, and should say how to refuse; `url`: the link to the whole notice, added to the text.',
  schema: strictObject({
    url: Type.Union([Type.String({ maxLength: 300, pattern: '^https://[^\\s]+$' }), Type.Null()], {
      default: null,
    }),
    texts: byName(Type.String({ minLength: 1, maxLength: 600 }), 35, { maxProperties: 20, default: {} }),
  }),
  check: ({ texts }) =>
    Object.entries(texts).flatMap(([language, text]) =>
      /[{}]/.test(text)
        ? [
            {
              path: `/texts/${toPointerPart(language)}`,
              code: 'NOT_ALLOWED',
              message: 'has no variables: remove the braces',
            },
          ]
        : [],
    ),
  default: { url: null, texts: {} },
  roles: { read: 'agent', write: 'admin' },
})

export const settings = [retention, privacyNotice]

/** SQL: the months of the current workspace; null: leads are kept for ever. */
export const retentionMonths = `(select (value ->> 'months')::integer from workspace_settings
  where workspace_id = aldaba.current_workspace() and name = '${retention.name}')`
