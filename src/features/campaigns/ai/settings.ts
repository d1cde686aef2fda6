/** The settings of AI replies. */
import { strictObject, Type, visible } from '../../../kit/schema.ts'
import { setting } from '../../../kit/settings/setting.ts'

const faqMax = 100

export const aiFaq = setting({
  name: 'aiFaq',
  scope: 'workspace',
  description:
    'Questions about the agency with their answers: with the listing of the lead, they are all that AI replies may say.',
  schema: Type.Array(
    strictObject({
      question: Type.String({ maxLength: 300, pattern: visible, description: 'What people ask.' }),
      answer: Type.String({ maxLength: 1000, pattern: visible, description: 'What the agency answers.' }),
    }),
    { maxItems: faqMax },
  ),
  default: [],
  roles: { read: 'agent', write: 'admin' },
})

export const aiReplyRetention = setting({
  name: 'aiReplyRetentionMonths',
  scope: 'workspace',
  description:
    'How many months the log of AI replies is kept, with what the model was asked; older entries are deleted every night. Messages have their own retention.',
  schema: Type.Integer({ minimum: 1, maximum: 120 }),
  default: 12,
  roles: { read: 'agent', write: 'owner' },
})

export const aiSettings = [aiFaq, aiReplyRetention]
