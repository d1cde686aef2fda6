/** What a Telegram account requires. */
import { type Static, strictObject, Type } from '../../../kit/schema.ts'

export const Credentials = strictObject({
  token: Type.String({
    pattern: '^[0-9]{3,20}:[A-Za-z0-9_-]{20,100}$',
    maxLength: 130,
    title: 'Token',
    description: 'The token of the bot, which @BotFather shows.',
    examples: ['110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'],
  }),
})
export type BotCredentials = Static<typeof Credentials>
