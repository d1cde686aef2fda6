/** Which additional headers a subscription may have. */
import { toPointerPart } from '../../kit/json-pointer.ts'
import type { InputError } from '../../kit/problem.ts'

/** Headers that HTTP or the signature need; `webhook-…` as well. Names are tokens (RFC 9110, section 5.6.2). */
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

/** Every header that can't be sent, each with the first thing that is wrong with it. */
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
    return { code: 'HEADER_NAME', message: `“${name}” is no name of a header: letters, digits and - alone.` }
  if (!/^[\t -~]*$/.test(value))
    return { code: 'HEADER_VALUE', message: `The value of ${name} may hold printable ASCII alone.` }
  if (reserved.has(lower) || lower.startsWith('webhook-'))
    return { code: 'HEADER_RESERVED', message: `The header ${name} can't be chosen: it is Aldaba's own.` }
  if (isDuplicate)
    return { code: 'HEADER_DUPLICATE', message: `The header ${name} is there twice: case does not matter.` }
  return null
}
