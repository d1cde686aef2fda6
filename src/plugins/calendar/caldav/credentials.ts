/** What a CalDAV calendar requires. */
import { type Static, strictObject, Type } from '../../../kit/schema.ts'

export const CalDavCredentials = strictObject({
  url: Type.String({
    minLength: 3,
    maxLength: 2000,
    title: 'Address',
    description:
      'The address of the server, such as https://cloud.example.org, or your e-mail address there.',
    examples: ['https://cloud.example.org'],
  }),
  username: Type.String({
    minLength: 1,
    maxLength: 320,
    pattern: '^[^:\\u0000-\\u001f]+$',
    title: 'User name',
    examples: ['ana@example.org'],
  }),
  password: Type.String({
    minLength: 1,
    maxLength: 1000,
    title: 'App password',
    description: 'Create one for this program in the security settings of the server.',
    examples: ['abcd-efgh-ijkl-mnop'],
  }),
})
export type CalDavCredentials = Static<typeof CalDavCredentials>
