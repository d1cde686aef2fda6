/** Starting, watching and steering extractions over HTTP. */
import { enqueue } from '../../kit/enqueue.ts'
import { jsonText } from '../../kit/json-text.ts'
import { pageOf, pageQuery, pageThrough } from '../../kit/page.ts'
import { type InputError, notFound, Problem } from '../../kit/problem.ts'
import { reserve } from '../../kit/quota.ts'
import { eventStreamRoute, type Route, route } from '../../kit/route.ts'
import { closed, id, type Static } from '../../kit/schema.ts'
import { untilEnded, waitQuery } from '../../kit/wait.ts'
import { chosenFields, Lead, leadExample } from '../leads/schemas.ts'
import { listLeads } from '../leads/service.ts'
import { checkFilters, type Portals } from '../platforms/service.ts'
import { cancel } from './ending.ts'
import { attemptsMax, runExtractionName } from './jobs.ts'
import * as queries from './queries.ts'
import {
  completedExample,
  Extraction,
  ExtractionFilter,
  type ExtractionStatus,
  extractionExample,
  newExtraction,
  queuedExample,
} from './schemas.ts'
import { endOf, watch } from './watching.ts'

const tag = 'Extractions'
const params = closed({ id: id('The extraction.') })
/** Events of one extraction: its state, each time anew. */
const states = {
  progress: {
    description: 'The extraction as it is now: at once, and again whenever something has changed.',
    data: Extraction,
    example: extractionExample,
  },
  end: {
    description: 'The extraction as it ended; the stream ends with it.',
    data: Extraction,
    example: completedExample,
  },
}
export function extractionRoutes(portals: Portals): Route[] {
  return [
    startRoute(portals),
    route({
      method: 'GET',
      path: '/extractions',
      operation: 'listExtractions',
      tag,
      summary: 'Extractions, the newest first',
      scope: 'extractions:read',
      query: ExtractionFilter,
      status: 200,
      reply: pageOf(Extraction),
      replyExample: { data: [extractionExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const list = pageThrough('extractions', caller.tenantId, query)
        return list.reply(await queries.listExtractions(tx, query, list.after))
      },
    }),
    getRoute(),
    eventStreamRoute({
      path: '/extractions/{id}/events',
      operation: 'watchExtraction',
      tag,
      summary: 'Watch an extraction: its progress as it happens',
      scope: 'extractions:read',
      params,
      events: states,
      open: ({ params, caller, database, signal }) => watch(database, caller, params.id, signal),
    }),
    route({
      method: 'GET',
      path: '/extractions/{id}/leads',
      operation: 'listExtractionLeads',
      tag,
      summary: 'The leads that an extraction brought or met again',
      scope: 'extractions:read',
      params,
      query: closed({ ...pageQuery, ...chosenFields }),
      status: 200,
      reply: pageOf(Lead),
      replyExample: { data: [leadExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ params, query: { fields, ...query }, caller, tx }) {
        await statusOf(tx, params.id)
        const list = pageThrough(`extractions/${params.id}/leads`, caller.tenantId, query)
        const filter = { ...query, extractionId: params.id, sort: '-createdAt' as const }
        return list.reply(await listLeads(tx, filter, list.after, fields))
      },
    }),
    route({
      method: 'POST',
      path: '/extractions/{id}/cancel',
      operation: 'cancelExtraction',
      tag,
      summary: 'Cancel an extraction',
      description: 'The portal is left alone within two seconds. What was read until then is kept.',
      scope: 'extractions:write',
      params,
      status: 200,
      reply: Extraction,
      replyExample: {
        ...extractionExample,
        ...{ status: 'CANCELLED', outcome: 'partial', finishedAt: '2026-11-02T10:00:31.000Z' },
      },
      errors: ['INVALID_TRANSITION'],
      async handle({ params, tx }) {
        await cancel(tx, params.id)
        return jsonText((await queries.findExtraction(tx, params.id))!)
      },
    }),
    retryRoute(portals),
  ]
}

function startRoute(portals: Portals): Route {
  return route({
    method: 'POST',
    path: '/extractions',
    operation: 'startExtraction',
    tag,
    summary: 'Start an extraction',
    description:
      'Answers at once; the events `extraction.completed` and `leads.imported` tell when it is done, as does asking every 5 to 10 seconds.',
    scope: 'extractions:write',
    body: newExtraction(portals.list()),
    example: {
      platform: 'portal_a',
      filters: {
        operation: 'sale',
        propertyType: 'homes',
        location: { id: 'barcelona', label: 'Barcelona' },
      },
      maxResults: 200,
      options: {
        ...{ includeDetails: true, advertiserType: 'any', incremental: false },
        ...{ updateExisting: true, tags: [] },
      },
    },
    status: 202,
    reply: Extraction,
    replyExample: queuedExample,
    errors: ['PORTAL_UNCONFIGURED', 'QUOTA_EXCEEDED'],
    check: ({ body }) => checkStart(portals, body),
    async handle({ body, caller, tx }) {
      const { platform } = body
      const { normalized } = checkFilters(portals, platform, withOptions(body))
      requireConfigured(portals, platform, caller.environment)
      await reserve(tx, 'maxExtractionsPerMonth')
      const extractionId = await queries.insertExtraction(tx, { ...body, filters: normalized ?? {} })
      await enqueue(tx, runExtractionName, { extractionId }, { maxAttempts: attemptsMax })
      return jsonText((await queries.findExtraction(tx, extractionId))!)
    },
  })
}

/** Why the portal can't be searched so, as far as the filters and options given show. */
function checkStart(portals: Portals, body: Partial<NewExtraction>): InputError[] {
  const { platform, filters } = body
  if (platform === undefined || filters === undefined) return []
  const given: Search = { filters, options: body.options ?? {} }
  const { errors } = checkFilters(portals, platform, withOptions(given))
  const found = errors.map(error => ({
    ...error,
    path: `${isFromOptions(error.path, given) ? '/options' : '/filters'}${error.path}`,
  }))
  found.push(...contradictingOptions(given))
  if (given.options.includeDetails === false && tellsAddressesAlone(portals, platform)) {
    found.push({
      path: '/options/includeDetails',
      code: 'NOT_SUPPORTED',
      message: `${platform} says nothing of an advert but on its own page`,
    })
  }
  return found
}

function getRoute(): Route {
  return route({
    method: 'GET',
    path: '/extractions/{id}',
    operation: 'getExtraction',
    tag,
    summary: 'An extraction and its progress',
    scope: 'extractions:read',
    params,
    query: closed(waitQuery),
    status: 200,
    reply: Extraction,
    replyExample: extractionExample,
    async prepare({ params, query, caller, database, signal }) {
      await untilEnded(database, caller, { ...endOf(params.id), ...query, signal })
    },
    async handle({ params, tx }) {
      const json = await queries.findExtraction(tx, params.id)
      if (!json) throw notFound('extraction')
      return jsonText(json)
    },
  })
}

function retryRoute(portals: Portals): Route {
  return route({
    method: 'POST',
    path: '/extractions/{id}/retry',
    operation: 'retryExtraction',
    tag,
    summary: 'Go on with an extraction that failed or was cancelled',
    description:
      'A new extraction begins where this one stopped; at the start, if there were adverts that could not be read: those that are leads already count as duplicates then, and are not read again. Its `maxResults` is what was left of this one. Counts against the quota like any other.',
    scope: 'extractions:write',
    params,
    status: 202,
    reply: Extraction,
    replyExample: queuedExample,
    errors: ['INVALID_TRANSITION', 'PORTAL_UNCONFIGURED', 'QUOTA_EXCEEDED'],
    async handle({ params, caller, tx }) {
      const status = await statusOf(tx, params.id)
      if (status !== 'FAILED' && status !== 'CANCELLED') {
        throw new Problem(
          'INVALID_TRANSITION',
          `A ${status} extraction can't be retried: only one that FAILED or was CANCELLED can.`,
        )
      }
      const extractionId = await queries.resumeExtraction(tx, params.id)
      if (!extractionId) {
        throw new Problem(
          'INVALID_TRANSITION',
          `This extraction had brought all that was asked for when it was ${status}: nothing is left to go on with.`,
        )
      }
      const json = (await queries.findExtraction(tx, extractionId))!
      requireConfigured(portals, (JSON.parse(json) as Extraction).platform, caller.environment)
      await reserve(tx, 'maxExtractionsPerMonth')
      await enqueue(tx, runExtractionName, { extractionId }, { maxAttempts: attemptsMax })
      return jsonText(json)
    },
  })
}

/** Throws 404 if there is no such extraction. */
async function statusOf(tx: Parameters<typeof queries.findStatus>[0], id: string): Promise<ExtractionStatus> {
  const status = await queries.findStatus(tx, id)
  if (!status) throw notFound('extraction')
  return status
}

function requireConfigured(portals: Portals, platform: string, environment: 'live' | 'test'): void {
  const obstacle = portals.obstacleOf(platform, environment)
  if (obstacle) throw new Problem('PORTAL_UNCONFIGURED', obstacle)
}

function tellsAddressesAlone(portals: Portals, platform: string): boolean {
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

function withOptions(body: Search): Record<string, unknown> {
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
