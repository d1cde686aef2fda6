/** Splits an address that is written in one line, by the form of the country's postcodes. */
export interface AddressLine {
  address?: string
  postcode?: string
  neighbourhood?: string
  municipality?: string
  province?: string
  country?: string
}

const lengthMax = 160
const ukPattern = /(?<![A-Z0-9])([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?![A-Z0-9])/
const eircodePattern = /(?<![A-Z0-9])((?:[AC-FHKNPRTV-Y]\d{2}|D6W) ?[0-9AC-FHKNPRTV-Y]{4})(?![A-Z0-9])/

/** Postcodes that stand before the municipality. */
const leadingPostcodes: Record<string, RegExp> = {
  ES: /(?<![\p{L}\d-])(\d{5})(?![\d-])/u,
  FR: /(?<![\p{L}\d-])(\d{5})(?![\d-])/u,
  IT: /(?<![\p{L}\d-])(\d{5})(?![\d-])/u,
  DE: /(?<![\p{L}\d-])(\d{5})(?![\d-])/u,
  AT: /(?<![\p{L}\d-])(\d{4})(?![\d-])/u,
  CH: /(?<![\p{L}\d-])(\d{4})(?![\d-])/u,
  BE: /(?<![\p{L}\d-])(\d{4})(?![\d-])/u,
  PT: /(?<![\p{L}\d-])(\d{4}-\d{3})(?![\d-])/u,
  NL: /(?<![\p{L}\d-])(\d{4} ?[A-Z]{2})(?![A-Z])/u,
  PL: /(?<![\p{L}\d-])(\d{2}-\d{3})(?![\d-])/u,
  CZ: /(?<![\p{L}\d-])(\d{3} ?\d{2})(?![\d-])/u,
}
/** Postcodes at the end of the address. */
const trailingPostcodes: Record<string, RegExp> = {
  GB: ukPattern,
  IE: eircodePattern,
  US: /(?<=\b[A-Z]{2}[ ,]+)(\d{5})(?:-\d{4})?(?![\d-])/u,
  AU: /(?<=\b(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT)[ ,]+)(\d{4})(?![\d-])/u,
}

/** Countries whose postcodes no other country writes in the same form. */
const distinctCountries = ['US', 'AU', 'IE', 'GB', 'PT', 'NL', 'PL']

/** The parts of an address line; null if it has no postcode of the country. */
export function parseAddressLine(text: string, country: string | null): AddressLine | null {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length > lengthMax || line.length < 4) return null
  for (const code of country === null ? distinctCountries : [country]) {
    const found = splitLine(line, code)
    if (found !== null) return country === null ? { ...found, country: code } : found
  }
  return null
}

function splitLine(line: string, country: string): AddressLine | null {
  const leading = leadingPostcodes[country]
  if (leading !== undefined) return splitLeading(line, leading)
  const match = trailingPostcodes[country]?.exec(line)
  if (!match) return null
  const isState = country === 'US' || country === 'AU'
  return { postcode: match[1]!, ...(isState && splitState(line, match.index)) }
}

function splitLeading(line: string, pattern: RegExp): AddressLine | null {
  const match = pattern.exec(line)
  if (match === null) return null
  const [whole, postcode] = match
  const after = line.slice(match.index + whole.length).replace(/^[\s,-]+/, '')
  const municipality = /^[\p{Lu}][\p{L}.'’ -]{1,40}?(?=$|[,(/|·]|\s[-–]\s|\d)/u.exec(after)?.[0]?.trim()
  const rest = after.slice(municipality?.length ?? 0)
  const province = /^\s*\(([A-Z]{2})\)/.exec(rest)?.[1]
  const neighbourhood = /^\s*(?:[/(]|[-–]\s)\s*(\p{Lu}[\p{L}.'’ -]{2,40})\)?$/u.exec(rest)?.[1]?.trim()
  const before = line.slice(0, match.index).replace(/[\s,;|·-]+$/, '')
  return {
    postcode: postcode!,
    ...(municipality !== undefined && { municipality }),
    ...(province !== undefined && { province }),
    ...(neighbourhood !== undefined && { neighbourhood }),
    ...(isStreet(before) && { address: before }),
  }
}

/** `6851 Roswell Rd, Sandy Springs, GA 30328`. */
function splitState(line: string, end: number): AddressLine {
  const parts = line
    .slice(0, end)
    .split(',')
    .flatMap(part => part.trim() || [])
  const province = parts.at(-1)
  const state = province === undefined ? undefined : /(?:^|\s)([A-Z]{2,3})$/.exec(province)?.[1]
  if (state === undefined) return {}
  const inline = province!.slice(0, -state.length).trim()
  const municipality = inline === '' ? parts.at(-2) : inline
  const street = parts.slice(0, inline === '' ? -2 : -1).join(', ')
  return {
    province: state,
    ...(municipality !== undefined && { municipality }),
    ...(isStreet(street) && { address: street }),
  }
}

function isStreet(text: string): boolean {
  return (
    text.length >= 5 &&
    text.length <= 100 &&
    /\p{L}{3}/u.test(text) &&
    /\d/.test(text) &&
    !/[€$£]|\bm²|\d{5}/.test(text)
  )
}
