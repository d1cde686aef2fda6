/** What the portal and the options say against the start of an extraction. */
import type { InputError } from '../../kit/problem.ts'
import type { Static } from '../../kit/schema.ts'
import { checkFilters, type Portals } from '../platforms/service.ts'
import type { newExtraction } from './schemas.ts'

/** Why the portal can't be searched so, as far as the filters and options given show. */
export function validateStart(portals: Portals, body: Partial<NewExtraction>): InputError[] {
  const { platform, filters } = body
  if (platform === undefined || filters === undefined) return []
  const request: Search = { filters, options: body.options ?? {} }
  const { errors } = checkFilters(portals, platform, toSearchFilters(request))
  const allErrors = errors.map(error => ({
    ...error,
    path: `${isFromOptions(error.path, request) ? '/options' : '/filters'}${error.path}`,
  }))
  allErrors.push(...contradictingOptions(request))
  if (request.options.includeDetails === false && hasUrlCardsOnly(portals, platform)) {
    allErrors.push({
      path: '/options/includeDetails',
      code: 'NOT_SUPPORTED',
      message: `${platform} says nothing of an advert but on its own page`,
    })
  }
  return allErrors
}

function hasUrlCardsOnly(portals: Portals, platform: string): boolean {
  const search = portals.find(platform)?.search
  return search?.kind === 'pages' && search.cards === 'addresses'
}

type NewExtraction = Static<ReturnType<typeof newExtraction>>

/** What of a start is held against the portal. */
interface Search {
  filters: object
  options: Partial<NewExtraction['options']>
}

/** The options that are filters of the portal, too. */
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

/** Options beside a filter of the same name that says otherwise. */
function contradictingOptions(body: Search): InputError[] {
  const filters: Record<string, unknown> = { ...body.filters }
  return Object.entries(filtersInOptions(body))
    .filter(([name, value]) => Object.hasOwn(filters, name) && filters[name] !== value)
    .map(([name]) => ({
      path: `/options/${name}`,
      code: 'CONTRADICTION',
      message: `is not what filters.${name} says: give one of the two`,
    }))
}

/** Whether the filter at this JSON pointer was given as an option. */
function isFromOptions(path: string, { filters, options }: Search): boolean {
  const name = path.split('/')[1] ?? ''
  return Object.hasOwn(options, name) && !Object.hasOwn(filters, name)
}
