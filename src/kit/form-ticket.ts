/**
 * The ticket of a public form: its id and when it was issued, signed. The id makes a second submission harmless. The time shows
 * which forms were sent sooner than a person can fill them in. It is the machine's: a test environment's clock may be moved.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { machineNow } from './clock/clock.ts'
import type { Cipher } from './crypto.ts'

/** A person takes longer, even if the browser fills in the form. */
const minimumAgeMs = 2000
const maximumAgeMs = 24 * 3_600_000

export interface Ticket {
  formId: string
  /** Only a form that is due is accepted. An early one can be sent again; an old one gets a new ticket. */
  age: 'early' | 'due' | 'old'
}

/** `subject`: what the form is for, such as the event type. */
export function issueTicket(
  cipher: Cipher,
  subject: string,
  { formId = randomUUID(), issuedMs = machineNow() }: { formId?: string; issuedMs?: number } = {},
): string {
  const content = `${formId}.${issuedMs.toString(36)}`
  return `${content}.${sign(cipher, subject, content)}`
}

const format = /^([0-9a-f-]{36})\.([0-9a-z]{1,12})\.([\w-]{43})$/

/** Returns null if it was not issued for the subject. */
export function readTicket(cipher: Cipher, subject: string, text: string): Ticket | null {
  const found = format.exec(text)
  if (!found) return null
  const [, formId = '', issued = '', signature = ''] = found
  const expected = sign(cipher, subject, `${formId}.${issued}`)
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null
  const ageMs = machineNow() - Number.parseInt(issued, 36)
  return { formId, age: ageMs < minimumAgeMs ? 'early' : ageMs > maximumAgeMs ? 'old' : 'due' }
}

const sign = (cipher: Cipher, subject: string, content: string): string =>
  cipher.digest(`form ${subject} ${content}`).toString('base64url')
