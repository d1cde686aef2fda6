/** The setting for the retention of messages. */
import { Type } from '../../kit/schema.ts'
import { setting } from '../../kit/settings/setting.ts'

export const messageRetention = setting({
  name: 'messageRetentionMonths',
  scope: 'workspace',
  description:
    'How many months messages and their files are kept; older ones are deleted every night. Conversations stay. Null: for ever.',
  schema: Type.Union([Type.Integer({ minimum: 1, maximum: 1200 }), Type.Null()]),
  default: null,
  roles: { read: 'agent', write: 'owner' },
})

export const settings = [messageRetention]
