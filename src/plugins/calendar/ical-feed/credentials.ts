/** What access to a feed consists of. */
import { type Static, strictObject, Type } from '../../../kit/schema.ts'

export const FeedCredentials = strictObject({
  url: Type.String({
    minLength: 8,
    maxLength: 2000,
    pattern: '^(?:https?|webcal)://',
    title: 'Address of the feed, such as the secret address in iCal format',
    examples: ['https://calendar.example/ana/private-5f3a/basic.ics'],
  }),
})
export type FeedCredentials = Static<typeof FeedCredentials>
