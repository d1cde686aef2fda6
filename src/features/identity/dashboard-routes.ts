/** The dashboard's own routes: signing in and out, and settings. */
import type { Cipher } from '../../kit/crypto.ts'
import { type Entrance, entrance } from '../../kit/entrance.ts'
import { type Route, route } from '../../kit/route.ts'
import { Type } from '../../kit/schema.ts'
import { endSession, endSessionsOf, sessionCookie } from '../../kit/session.ts'
import { isSecureUrl } from '../../kit/session-caller.ts'
import {
  NewPassword,
  NewSession,
  newPasswordExample,
  newSessionExample,
  Session,
  sessionExample,
} from './dashboard-schemas.ts'
import { passwordTokenInvalid, signInFailed } from './problems.ts'
import { getSession } from './queries.ts'
import { choosePassword, signIn } from './sign-in.ts'

const tag = 'Sessions'

interface Parts {
  cipher: Cipher
  publicUrl: string
}

/** What people send before they are signed in. */
export const identityEntrances = ({ cipher, publicUrl }: Parts): Entrance[] => [
  entrance({
    path: '/session',
    operation: 'signIn',
    tag,
    summary: 'Sign in',
    description:
      'Sets the cookie of the session. After five failed attempts with an e-mail address, each is followed by a pause that doubles, up to five minutes.',
    body: NewSession,
    example: newSessionExample,
    status: 204,
    reply: Type.Null(),
    errors: [signInFailed],
    async enter({ body: { email, password, workspace = null }, database, address, gone }) {
      const token = await signIn(database, cipher, { email, password, workspace }, { address, gone })
      return {
        reply: null,
        headers: { 'Set-Cookie': sessionCookie(token, { isSecure: isSecureUrl(publicUrl) }) },
      }
    },
  }),
  entrance({
    path: '/password',
    operation: 'setPassword',
    tag,
    summary: 'Set a password with a token',
    description: 'The token works once. All sessions of the user end.',
    body: NewPassword,
    example: newPasswordExample,
    status: 204,
    reply: Type.Null(),
    errors: [passwordTokenInvalid],
    async enter({ body, database, address, gone }) {
      await choosePassword(database, body, { address, gone })
      return { reply: null }
    },
  }),
]

/** What people may do once they are signed in. */
export const sessionRoutes = ({ publicUrl }: Pick<Parts, 'publicUrl'>): Route[] => {
  const signedOut = {
    json: 'null',
    headers: { 'Set-Cookie': sessionCookie(null, { isSecure: isSecureUrl(publicUrl) }) },
  }
  return [
    route({
      method: 'GET',
      path: '/session',
      operation: 'getSession',
      tag,
      summary: 'Get who is signed in',
      scope: 'any',
      status: 200,
      reply: Session,
      replyExample: sessionExample,
      handle: ({ caller, tx }) => getSession(tx, { id: caller.keyId, userId: caller.userId! }),
    }),
    route({
      method: 'DELETE',
      path: '/session',
      operation: 'signOut',
      tag,
      summary: 'Sign out',
      scope: 'any',
      status: 204,
      reply: Type.Null(),
      async handle({ caller, tx }) {
        await endSession(tx, caller.keyId)
        return signedOut
      },
    }),
    route({
      method: 'DELETE',
      path: '/sessions',
      operation: 'signOutEverywhere',
      tag,
      summary: 'Sign out on every device',
      scope: 'any',
      status: 204,
      reply: Type.Null(),
      async handle({ caller, tx }) {
        await endSessionsOf(tx, caller.userId!)
        return signedOut
      },
    }),
  ]
}
