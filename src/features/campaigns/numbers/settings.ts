/** What messages cost, by provider. */
import { oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { setting } from '../../../kit/settings/setting.ts'
import { templateCategories } from '../../../plugins/chat.ts'

const MessageCost = strictObject({
  provider: Type.String({
    maxLength: 50,
    description: 'A chat provider, such as `whatsapp_cloud`.',
    examples: ['whatsapp_cloud'],
  }),
  category: Type.Union([oneOf(templateCategories), Type.Null()], {
    default: null,
    description: 'The category of the template; null: all others.',
  }),
  cost: Type.Number({ minimum: 0, maximum: 1000, description: 'The price of a message.' }),
})

export const messageCosts = setting({
  name: 'messageCosts',
  scope: 'workspace',
  description:
    'What a message costs, in the currency of the workspace, by provider and category of the template. It is used to show what a campaign costs, not to charge anything.',
  schema: Type.Array(MessageCost, { maxItems: 100 }),
  default: [],
  roles: { read: 'agent', write: 'admin' },
})

export type MessageCosts = Static<typeof messageCosts.schema>
