/** Where to connect to: the address of a server that a user entered, checked, with what TLS needs. */
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from '../../../kit/http/public-address.ts'
import { type ChatContext, ChatError } from '../../chat.ts'
import type { MailServer } from './credentials.ts'
import { createFailure, type Protocol } from './failures.ts'

export interface Endpoint {
  /** The address that was checked: no second lookup can lead elsewhere. */
  host: string
  port: number
  security: MailServer['security']
  tls: ConnectionOptions
}

/** The ports of mail servers; servers in a private network that the operator allows may use any port. */
const allowedPorts: Record<Protocol, number[]> = { SMTP: [25, 465, 587], IMAP: [143, 993] }

/** Throws ChatError. */
export async function resolveEndpoint(
  server: MailServer,
  protocol: Protocol,
  { resolveHost }: Pick<ChatContext, 'resolveHost'>,
): Promise<Endpoint> {
  const address = await resolveHost(server.host)
  const problem = findEndpointProblem(server, protocol, address)
  if (problem) throw new ChatError(problem)
  return {
    host: address,
    port: server.port,
    security: server.security,
    tls: toTlsOptions(server.host, address),
  }
}

function findEndpointProblem({ host, port, security }: MailServer, protocol: Protocol, address: string) {
  const ports = allowedPorts[protocol]
  if (isPublicAddress(address) && !ports.includes(port))
    return createFailure(
      'FORBIDDEN_HOST',
      `Port ${port} is not one of ${protocol}. Use ${new Intl.ListFormat('en', { type: 'disjunction' }).format(ports.map(String))}.`,
    )
  if (security === 'none' && !isLoopback(address))
    return createFailure(
      'UNSUPPORTED',
      `The connection to ${host} must be encrypted. Set security to tls or starttls.`,
    )
  return null
}

/** A certificate is checked for the name that the user entered. A server on the same machine needs no valid one. */
export function toTlsOptions(host: string, address: string): ConnectionOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: !isLoopback(address),
    ...(isIP(host) ? {} : { servername: host }),
  }
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
