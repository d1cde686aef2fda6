/** What access to a calendar by OAuth consists of. */
import { type Static, strictObject, Type } from '../../kit/schema.ts'

const token = (title: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 8192, title, examples: [example] })

export const OAuthCredentials = strictObject({
  accessToken: token('Access token', 'ya29.a0AfH6SMBx'),
  refreshToken: token('Refresh token', '1//0gLx8cvJ7'),
  expiresAt: Type.Integer({
    minimum: 0,
    title: 'End of the access token, in milliseconds since 1970',
    examples: [1795687200000],
  }),
})
export type OAuthCredentials = Static<typeof OAuthCredentials>
