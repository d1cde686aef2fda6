/** Addresses with variables. */

/** Escapes what an address cannot contain, and keeps what is escaped already. */
export const encodeAddress = (address: string): string =>
  encodeURI(address.toWellFormed()).replace(/%25(?=[\da-f]{2})/gi, '%')

/** Escapes a text that is a part of an address. Its slashes stay, so that it may be a path. */
export const encodeAddressPart = (text: string): string =>
  encodeURIComponent(text.trim().replace(/\s+/g, ' ').toWellFormed()).replaceAll('%2F', '/')

/** Returns what escapes the outputs of an address, in their order. What the address begins with is an address. */
export function createAddressEscape(address: string): (output: string) => string {
  let isBeginning = beginsWithVariable(address)
  return output => {
    const escaped = isBeginning ? encodeAddress(output) : encodeAddressPart(output)
    isBeginning = false
    return escaped
  }
}

export const beginsWithVariable = (address: string): boolean => address.trimStart().startsWith('{{')

export const beginsWithTag = (address: string): boolean => address.trimStart().startsWith('{%')
