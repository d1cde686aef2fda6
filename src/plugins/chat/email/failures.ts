/** Turns errors of mail servers and of connections into our failures, with a sentence for people. */
import { ChatError, type ChatFailure, type ChatFailureCode } from '../../chat.ts'

export function createFailure(
  code: ChatFailureCode,
  message: string,
  facts: Partial<Omit<ChatFailure, 'code' | 'message'>> = {},
): ChatFailure {
  return { code, message, providerCode: null, retryable: false, retryAfterMs: 0, scope: 'account', ...facts }
}

export type Protocol = 'SMTP' | 'IMAP'

/** What is known of an error of nodemailer or imapflow. */
export interface ConnectionError {
  code?: string | undefined
  /** The code of the socket, where `code` is one of nodemailer. */
  originalCode?: string | undefined
  message?: string | undefined
  /** SMTP: the reply of the server. */
  response?: unknown
  responseCode?: number | undefined
  /** IMAP: the text of the refusal. */
  responseText?: string | undefined
  serverResponseCode?: string | undefined
  authenticationFailed?: boolean | undefined
  tlsFailed?: boolean | undefined
  command?: string | undefined
}

const unreachableCodes = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EDNS',
]
const timeoutCodes = ['ETIMEDOUT', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT']
const retryAfterMs = 60_000

/** The failure to open a connection or to sign in. */
export function toConnectionFailure(error: unknown, protocol: Protocol, host: string): ChatFailure {
  if (error instanceof ChatError) return error.failure
  const facts = error as ConnectionError
  const text = toServerText(facts)
  if (facts.authenticationFailed || facts.code === 'EAUTH')
    return toSignInFailure(text, protocol, host, facts)
  if (facts.tlsFailed || isTlsError(facts)) return toTlsFailure(facts, protocol, host)
  const server = `The ${protocol} server ${host}`
  const code = facts.originalCode ?? facts.code ?? ''
  if (timeoutCodes.includes(code))
    return toUnavailable(`${server} does not answer. Check its name, port and encryption.`, facts)
  if (unreachableCodes.includes(code))
    return toUnavailable(`${server} can't be reached. Check its name and port.`, facts)
  return toUnavailable(
    `${server} closed the connection or answered something else than ${protocol}. Check its port and encryption.`,
    facts,
  )
}

function toUnavailable(message: string, facts: ConnectionError): ChatFailure {
  return createFailure('PROVIDER_UNAVAILABLE', message, {
    providerCode: toProviderCode(facts),
    retryable: true,
    retryAfterMs,
  })
}

const appPasswordText =
  /application[- ]specific password|app(?:lication)? password|5\.7\.9\b|web login required|support\.google\.com\/mail\/\?p=BadCredentials/i
const basicAuthenticationText =
  /basic ?auth(?:entication)? is disabled|5\.7\.139|SmtpClientAuthentication is disabled/i

function toSignInFailure(
  text: string,
  protocol: Protocol,
  host: string,
  facts: ConnectionError,
): ChatFailure {
  const providerCode = toProviderCode(facts)
  if (basicAuthenticationText.test(text))
    return createFailure(
      'PERMISSION_MISSING',
      `${host} does not allow programs to sign in with a password. Ask the administrator of the mailbox to allow ${protocol} with a password.`,
      { providerCode },
    )
  if (appPasswordText.test(text))
    return createFailure(
      'INVALID_CREDENTIALS',
      `${host} requires an app password. Create one in the security settings of the mailbox, and enter it instead of the usual password.`,
      { providerCode },
    )
  if ((facts.responseCode ?? 0) >= 400 && facts.responseCode! < 500)
    return toUnavailable(`${host} can't check the password at the moment.`, facts)
  if (facts.serverResponseCode === 'UNAVAILABLE')
    return toUnavailable(`${host} can't check the password at the moment.`, facts)
  return createFailure(
    'INVALID_CREDENTIALS',
    `The ${protocol} server ${host} refuses the user name or the password. Enter them again.`,
    { providerCode },
  )
}

const certificateError = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

function isTlsError({ code, message }: ConnectionError): boolean {
  return (
    code === 'ETLS' ||
    /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code ?? '') ||
    /STARTTLS|wrong version number|self[- ]signed certificate|certificate/i.test(message ?? '')
  )
}

function toTlsFailure(facts: ConnectionError, protocol: Protocol, host: string): ChatFailure {
  const isCertificate = certificateError.test(facts.code ?? '') || /certificate/i.test(facts.message ?? '')
  const message = isCertificate
    ? `The certificate of the ${protocol} server ${host} is not valid for this name. Check the name of the server.`
    : `The ${protocol} server ${host} does not offer this encryption at this port. Check the port and the encryption.`
  return createFailure('UNSUPPORTED', message, { providerCode: toProviderCode(facts) })
}

/** The code of a reply: the enhanced one (RFC 3463), the SMTP reply code, or the code of the error. */
export function toProviderCode(facts: ConnectionError): string | null {
  const code =
    findEnhancedCode(toServerText(facts)) ?? facts.responseCode ?? facts.serverResponseCode ?? facts.code
  return code === undefined ? null : String(code).slice(0, 100)
}

export function toServerText({ response, responseText, message }: ConnectionError): string {
  const text = typeof response === 'string' ? response : (responseText ?? message ?? '')
  return text.slice(0, 2000)
}

/** The first code as of RFC 3463, such as `5.1.1`. */
export function findEnhancedCode(text: string): string | undefined {
  return /(?:^|[\s\-(#])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text.slice(0, 2000))?.[1]
}
