/** The settings of AI replies. */
import { strictObject, Type, visible } from '../../../kit/schema.ts'
import { setting } from '../../../kit/settings/setting.ts'

const faqMax = 100
/** The whole FAQ is a part of each prompt. */
const faqMaxLength = 20_000

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
  check(faq) {
    const length = faq.reduce((sum, { question, answer }) => sum + question.length + answer.length, 0)
    const message = `must have at most ${faqMaxLength} characters in all questions and answers together`
    return length > faqMaxLength ? [{ path: '', code: 'TOO_LONG', message }] : []
  },
})

export const aiReplyRetention = setting({
  name: 'aiReplyRetentionMonths',
  scope: 'workspace',
  description:
    'How many months the log of AI replies is kept, with what was sent to the model; older entries are deleted every night. Messages have their own retention.',
  schema: Type.Integer({ minimum: 1, maximum: 120 }),
  default: 12,
  roles: { read: 'agent', write: 'owner' },
})

export const aiSettings = [aiFaq, aiReplyRetention]
