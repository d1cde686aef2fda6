/** Validates the additional headers of a subscription. */
import { toPointerPart } from '../../kit/json-pointer.ts'
import type { InputError } from '../../kit/problem.ts'

/**
 * Headers used by HTTP itself or by Aldaba; `webhook-…` is reserved too. Names are tokens (RFC 9110, section 5.6.2).
 */
const reserved = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

/** Returns the first error of each invalid header. */
export function validateHeaders(headers: Record<string, string>): InputError[] {
  const seen = new Set<string>()
  return Object.keys(headers)
    .sort()
    .flatMap(name => {
      const lower = name.toLowerCase()
      const isDuplicate = seen.has(lower)
      seen.add(lower)
      const fault = findHeaderError(name, headers[name]!, isDuplicate)
      const path = `/headers/${toPointerPart(name)}`
      return fault ? [{ path, ...fault }] : []
    })
}

function findHeaderError(
  name: string,
  value: string,
  isDuplicate: boolean,
): Pick<InputError, 'code' | 'message'> | null {
  const lower = name.toLowerCase()
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(lower))
    return {
      code: 'HEADER_NAME',
      message: `“${name}” is not a valid header name: use letters, digits and - only.`,
    }
  if (!/^[\t -~]*$/.test(value))
    return { code: 'HEADER_VALUE', message: `The value of ${name} must be printable ASCII.` }
  if (reserved.has(lower) || lower.startsWith('webhook-'))
    return { code: 'HEADER_RESERVED', message: `The header ${name} is reserved: Aldaba sets it itself.` }
  if (isDuplicate)
    return {
      code: 'HEADER_DUPLICATE',
      message: `The header ${name} is a duplicate: header names ignore case.`,
    }
  return null
}
