/** The errors of signing in. */
import type { ProblemType } from '../../kit/problem.ts'

/** The same error for every cause, so that it does not reveal who has an account. */
export const signInFailed: ProblemType = {
  code: 'SIGN_IN_FAILED',
  status: 401,
  meaning: 'The e-mail address or the password is wrong. The reply is the same for unknown addresses.',
  action: 'Check both; name the workspace if you work in several.',
  example:
    'The e-mail address or the password is wrong. If you work in several workspaces, name the workspace.',
}

export const passwordTokenInvalid: ProblemType = {
  code: 'PASSWORD_TOKEN_INVALID',
  status: 400,
  meaning: 'The token is unknown, used or expired.',
  action: 'Request another one from the operator, who runs `npx aldaba users invite`.',
  example: 'This token is unknown, used or expired. Request a new one from the operator of the service.',
}
