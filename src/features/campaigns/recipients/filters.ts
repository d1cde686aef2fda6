/** The filters of lists of recipients. */
import { commaSeparated, Type } from '../../../kit/schema.ts'
import { recipientStatuses } from './schemas.ts'

export const recipientFilters = {
  status: Type.Optional(
    commaSeparated(recipientStatuses, {
      description: `Only recipients with one of these statuses, separated by commas: ${recipientStatuses.join(', ')}.`,
    }),
  ),
  reason: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Only recipients with one of these codes of their reason, separated by commas.',
      examples: ['NO_LAWFUL_BASIS'],
    }),
  ),
}
