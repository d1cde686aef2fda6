/** A stored body: one line with what the mailbox knows of the message, and the message as it arrived. */

import type { MailFile } from './read-mail.ts'

/** The first line with the names of all files. */
const lineMaxBytes = 256 * 1024

export interface MailOrigin {
  accountId: string
  /** The address of the account. */
  address: string
  /** The IMAP server, whose reports about the sender are trusted. */
  host: string
  uidValidity: string
  uid: number
  /** When the mailbox received it; milliseconds. */
  receivedAt: number
  bytes: number
  /**
   * `text`: the message is too large, only its headers and its text are stored. `head`: it cannot be read, only its
   * beginning is stored. `start`: no message, reading begins here.
   */
  part: 'all' | 'text' | 'head' | 'start'
  /** Of `text`: the files that stayed in the mailbox. */
  files?: MailFile[]
}

export function formatStoredMail(origin: MailOrigin, mail: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(origin)}\n`), mail])
}

/** Null: the body is not one of `formatStoredMail`. */
export function parseStoredMail(body: Buffer): { origin: MailOrigin; mail: Buffer } | null {
  const end = body.subarray(0, lineMaxBytes).indexOf('\n')
  if (end < 0) return null
  try {
    const origin = JSON.parse(body.toString('utf8', 0, end)) as MailOrigin
    return isOrigin(origin) ? { origin, mail: body.subarray(end + 1) } : null
  } catch {
    return null
  }
}

function isOrigin({ accountId, address, host, uidValidity, uid, receivedAt }: MailOrigin): boolean {
  return (
    [accountId, address, host, uidValidity].every(text => typeof text === 'string') &&
    [uid, receivedAt].every(number => Number.isSafeInteger(number) && Math.abs(number) < 8.64e15)
  )
}

/** Where reading continues. `receivedAt` is for a mailbox that was restored and numbers its messages anew. */
export interface MailboxCursor {
  uidValidity: string
  uid: number
  receivedAt: number
}

export function formatCursor({ uidValidity, uid, receivedAt }: MailboxCursor): string {
  return `${uidValidity}:${uid}:${receivedAt}`
}

export function parseCursor(text: string): MailboxCursor | null {
  const [, uidValidity, uid, receivedAt] = /^(\d{1,20}):(\d{1,10}):(\d{1,16})$/.exec(text) ?? []
  return uidValidity ? { uidValidity, uid: Number(uid), receivedAt: Number(receivedAt) } : null
}

/** The id of a file: the message in the mailbox and the part of it. */
export function formatMediaId({ uidValidity, uid }: MailOrigin, partId: string): string {
  return `${uidValidity}:${uid}:${partId}`
}

export function parseMediaId(id: string): { uidValidity: string; uid: number; partId: string } | null {
  const [, uidValidity, uid, partId] = /^(\d{1,20}):(\d{1,10}):(\d+(?:\.\d+){0,30})$/.exec(id) ?? []
  return uidValidity && partId ? { uidValidity, uid: Number(uid), partId } : null
}
