/** Starting and watching extractions over HTTP. */
import { enqueue } from '../../kit/enqueue.ts'
import { jsonText } from '../../kit/json-text.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { reserve } from '../../kit/quota.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, compile, id, type Static } from '../../kit/schema.ts'
import type { Portals } from '../platforms/service.ts'
import { runExtractionName } from './jobs.ts'
import { findExtraction, insertExtraction } from './queries.ts'
import { Extraction, extractionExample, newExtraction } from './schemas.ts'

export function extractionRoutes(portals: Portals): Route[] {
  const body = newExtraction(portals.list())
  const filterChecks = new Map(portals.list().map(portal => [portal.id, compile(portal.filters)]))

  return [
    route({
      method: 'POST',
      path: '/extractions',
      operation: 'startExtraction',
      tag: 'Extractions',
      summary: 'Start an extraction',
      description:
        'Answers at once; the events `extraction.completed` and `leads.imported` tell when it is done, as does asking every 5 to 10 seconds.',
      scope: 'extractions:write',
      body,
      example: {
        platform: 'portal_a',
        filters: {
          operation: 'sale',
          propertyType: 'homes',
          location: { id: 'barcelona', label: 'Barcelona' },
        },
        maxResults: 200,
        options: { includeDetails: true, advertiserType: 'any', updateExisting: true, tags: [] },
      },
      status: 202,
      reply: Extraction,
      replyExample: { ...extractionExample, status: 'QUEUED', startedAt: null },
      errors: ['PORTAL_UNCONFIGURED', 'QUOTA_EXCEEDED'],
      async handle({ body, caller, tx }) {
        const filters = withOptions(body)
        const errors = filterChecks.get(body.platform)!(filters).map(error => ({
          ...error,
          path: `${isFromOptions(error.path, body) ? '/options' : '/filters'}${error.path}`,
        }))
        if (errors.length > 0)
          throw new Problem('INVALID_INPUT', `The filters do not fit ${body.platform}: see errors.`, {
            errors,
          })
        if (!portals.isConfigured(body.platform, caller.environment)) {
          throw new Problem(
            'PORTAL_UNCONFIGURED',
            `The portal ${body.platform} has no address in ${caller.environment} yet. The operator sets it with PORTAL_URLS.`,
          )
        }
        await reserve(tx, 'maxExtractionsPerMonth')
        const extractionId = await insertExtraction(tx, { ...body, filters })
        await enqueue(tx, runExtractionName, { extractionId })
        return jsonText((await findExtraction(tx, extractionId))!)
      },
    }),
    route({
      method: 'GET',
      path: '/extractions/{id}',
      operation: 'getExtraction',
      tag: 'Extractions',
      summary: 'An extraction and its progress',
      scope: 'extractions:read',
      params: closed({ id: id('The extraction.') }),
      status: 200,
      reply: Extraction,
      replyExample: extractionExample,
      async handle({ params, tx }) {
        const json = await findExtraction(tx, params.id)
        if (!json) throw notFound('extraction')
        return jsonText(json)
      },
    }),
  ]
}

type NewExtraction = Static<ReturnType<typeof newExtraction>>

/** Two options are filters of the portal by another name; a filter that is given outright goes before them. */
function withOptions({ filters, options }: NewExtraction): Record<string, unknown> {
  const { advertiserType, publishedWithinDays } = options
  return {
    ...(advertiserType === 'any' ? {} : { advertiserType }),
    ...(publishedWithinDays === undefined ? {} : { publishedWithinDays }),
    ...filters,
  }
}

/** Whether the filter at this JSON pointer was given as an option. */
function isFromOptions(path: string, { filters, options }: NewExtraction): boolean {
  const name = path.split('/')[1] ?? ''
  return Object.hasOwn(options, name) && !Object.hasOwn(filters, name)
}
