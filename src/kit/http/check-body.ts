/** Runs what a route checks beyond its schemas, so that one reply reports the errors of both. */
import { pathLengthMax } from '../input-errors.ts'
import { type InputError, listedErrorsMax } from '../problem.ts'
import type { JsonRoute } from '../route.ts'

/**
 * Returns the errors that a route finds in those values of a body that fit their schema, nested ones as well. `known`: the
 * errors of the schemas. If there are more of them than a reply lists, nothing is checked: some may not have been collected.
 */
export function checkBody(
  check: NonNullable<JsonRoute['check']>,
  body: unknown,
  known: InputError[],
): InputError[] {
  if (!isObject(body) || known.length > listedErrorsMax) return []
  const paths = known.map(({ path }) => path)
  const isKnown = ({ path }: InputError) =>
    paths.some(other => other === path || other.startsWith(`${path}/`))
  return check(withoutFaulty(body, paths)).filter(error => !isKnown(error))
}

/** The body without the values at these paths. A list with a faulty item is left out as a whole, as its places count. */
function withoutFaulty(body: Record<string, unknown>, paths: string[]): Record<string, unknown> {
  if (paths.length === 0) return body
  const fitting = structuredClone(body)
  for (const path of paths) {
    const names = path
      .slice(1)
      .split('/')
      .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    // A longer path was cut.
    remove(fitting, path.length < pathLengthMax ? names : names.slice(0, 1))
  }
  return fitting
}

function remove(object: Record<string, unknown>, [name, ...rest]: string[]): void {
  if (name === undefined || !Object.hasOwn(object, name)) return
  const value = object[name]
  if (rest.length > 0 && isObject(value)) remove(value, rest)
  else delete object[name]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
