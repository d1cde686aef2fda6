/** The setting for the retention of leads. */
import { strictObject, Type } from '../../kit/schema.ts'
import { setting } from '../../kit/settings/setting.ts'

export const retention = setting({
  name: 'retention',
  scope: 'workspace',
  description:
    'How many months leads are kept after the last contact with the person; older leads are erased every night. Null: for ever.',
  schema: strictObject({
    months: Type.Union([Type.Integer({ minimum: 1, maximum: 1200 }), Type.Null()]),
  }),
  default: { months: null },
  roles: { read: 'agent', write: 'owner' },
})

export const settings = [retention]

/** SQL: the months of the current workspace; null: leads are kept for ever. */
export const retentionMonths = `(select (value ->> 'months')::integer from workspace_settings
  where workspace_id = aldaba.current_workspace() and name = '${retention.name}')`
