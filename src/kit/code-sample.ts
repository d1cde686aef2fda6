/** Code samples with the SDK, for the API reference. */
import type { Route } from './route.ts'
import type { TObject } from './schema.ts'

/**
 * An entry of `x-codeSamples`, which Redoc and Scalar display
 * (https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples).
 */
export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** Returns a program with one call. Path parameters are variables; the body is the route's example. */
export function toTypeScriptSample(route: Route): CodeSample {
  const source = [
    `import { createClient } from '@aldaba/sdk'`,
    '',
    'const aldaba = createClient({ baseUrl: process.env.ALDABA_URL!, apiKey: process.env.ALDABA_KEY! })',
    '',
    ...toCall(route),
  ].join('\n')
  return { lang: 'TypeScript', label: 'TypeScript SDK', source }
}

function toCall(route: Route): string[] {
  const call = `'${route.operation}'${toInput(route)}`
  if ('open' in route)
    return [`for await (const { event, data } of aldaba.stream(${call}))`, '  console.log(event, data)']
  if ('download' in route) return [`const stream = await aldaba.download(${call})`]
  if (isList(route)) return [`for await (const item of aldaba.list(${call}))`, '  console.log(item)']
  if (route.status === 204) return [`await aldaba.call(${call})`]
  return [`const reply = await aldaba.call(${call})`, 'console.log(reply)']
}

/** A reply with the fields `data` and `nextCursor` is a page of a list. */
function isList({ reply }: Route): boolean {
  const { properties } = (reply ?? {}) as Partial<TObject>
  return Boolean(properties?.data && properties.nextCursor)
}

function toInput({ params, upload, example }: Route): string {
  const names = Object.keys(params?.properties ?? {})
  const fields = [
    names.length > 0 ? `params: { ${names.join(', ')} }` : null,
    example === undefined ? null : `body: ${toLiteral(example)}`,
    upload ? 'body: file' : null,
  ].filter(field => field !== null)
  return fields.length === 0 ? '' : `, { ${fields.join(', ')} }`
}

/** Returns a JavaScript literal: JSON without quotation marks around property names. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
}
