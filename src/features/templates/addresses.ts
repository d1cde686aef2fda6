/** The values of buttons: addresses with variables, and phone numbers. */
import type { TemplateButton } from '../../plugins/chat.ts'
import type { EscapeOutput } from './liquid/limits.ts'

/** Escapes what an address cannot contain, and keeps what is escaped already. */
export const encodeAddress = (address: string): string =>
  encodeURI(address.toWellFormed()).replace(/%25(?=[\da-f]{2})/gi, '%')

/** Escapes a text that is a part of an address. Its slashes stay, so that it may be a path. */
const encodeAddressPart = (text: string): string =>
  encodeURIComponent(text.replace(/\s+/g, ' ').toWellFormed()).replaceAll('%2F', '/')

const validSuffix = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i

/**
 * Returns what escapes the outputs of an address, in their order. What the address begins with is an address. What it
 * ends with may bring a query of its own, if it comes from a caller: programs send tokens and paths that are escaped.
 */
export function createAddressEscape(address: string): EscapeOutput {
  const last = address.split('{{').length - 1
  const endsWithSuffix =
    /^\s*https?:\/\/[^/?#{\s]+[/?#]/i.test(address) &&
    !address.includes('{%') &&
    address.trimEnd().endsWith('}}')
  let count = 0
  return (output, names) => {
    count += 1
    const text = output.trim()
    if (count === 1 && beginsWithVariable(address)) return encodeAddress(text)
    const isSuffix = count === last && endsWithSuffix && names.every(isOwn) && validSuffix.test(text)
    return isSuffix ? encodeAddress(text) : encodeAddressPart(text)
  }
}

export const beginsWithVariable = (address: string): boolean => address.trimStart().startsWith('{{')

/** Those of records have a full stop. */
const isOwn = (name: string): boolean => !name.includes('.')

/** What is wrong with the value of a button as the person gets it; null: nothing. */
export function findValueError(kind: TemplateButton['kind'], value: string): string | null {
  if (kind === 'url' && !(/^https?:\/\/[^/?#]/i.test(value) && URL.canParse(value)))
    return 'must be an address with a host that begins with https:// or http://'
  if (kind === 'phone' && !isPhone(value)) return 'must be a phone number such as +34910000000'
  return null
}

function isPhone(value: string): boolean {
  const digits = value.replace(/\D/g, '').length
  return /^\+?[\d\s()./-]+$/.test(value) && digits >= 3 && digits <= 20
}
