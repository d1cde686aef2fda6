/** Validates the start of an extraction with the rules of the portal. */
import type { InputError } from '../../kit/problem.ts'
import type { Static } from '../../kit/schema.ts'
import { checkFilters, type Portals } from '../platforms/service.ts'
import type { newExtraction } from './schemas.ts'

/** Returns the errors of filters and options. A body that the schema refuses may lack either: then it returns none. */
export function validateStart(portals: Portals, body: Partial<NewExtraction>): InputError[] {
  const { platform, filters } = body
  if (platform === undefined || filters === undefined) return []
  const request: Search = { filters, options: body.options ?? {} }
  const { errors } = checkFilters(portals, platform, toSearchFilters(request))
  const allErrors = errors.map(error => ({
    ...error,
    path: `${isFromOptions(error.path, request) ? '/options' : '/filters'}${error.path}`,
  }))
  allErrors.push(...findContradictingOptions(request))
  if (request.options.includeDetails === false && hasUrlCardsOnly(portals, platform)) {
    allErrors.push({
      path: '/options/includeDetails',
      code: 'NOT_SUPPORTED',
      message: `must not be false for ${platform}: its search shows only the addresses of listings`,
    })
  }
  return allErrors
}

function hasUrlCardsOnly(portals: Portals, platform: string): boolean {
  const search = portals.find(platform)?.search
  return search?.kind === 'pages' && search.cards === 'addresses'
}

type NewExtraction = Static<ReturnType<typeof newExtraction>>

/** The part of the body that is validated with the rules of the portal. */
interface Search {
  filters: object
  options: Partial<NewExtraction['options']>
}

/** The options that are also filters of the portal. */
function filtersInOptions({ options }: Search): Record<string, unknown> {
  const { advertiserType = 'any', publishedWithinDays } = options
  return {
    ...(advertiserType === 'any' ? {} : { advertiserType }),
    ...(publishedWithinDays === undefined ? {} : { publishedWithinDays }),
  }
}

export function toSearchFilters(body: Search): Record<string, unknown> {
  return { ...filtersInOptions(body), ...body.filters }
}

/** Returns an error for each option that contradicts the filter of the same name. */
function findContradictingOptions(body: Search): InputError[] {
  const filters: Record<string, unknown> = { ...body.filters }
  return Object.entries(filtersInOptions(body))
    .filter(([name, value]) => Object.hasOwn(filters, name) && filters[name] !== value)
    .map(([name]) => ({
      path: `/options/${name}`,
      code: 'CONTRADICTION',
      message: `contradicts filters.${name}: send only one of the two`,
    }))
}

/** Returns true if the filter at this JSON pointer was sent as an option. */
function isFromOptions(path: string, { filters, options }: Search): boolean {
  const name = path.split('/')[1] ?? ''
  return Object.hasOwn(options, name) && !Object.hasOwn(filters, name)
}
