/** Starting, watching and steering extractions over HTTP. */

import { enqueue } from '../../kit/jobs/enqueue.ts'
import { jsonText } from '../../kit/json-text.ts'
import { pageOf, pageQuery, pageThrough } from '../../kit/page.ts'
import { notFound, Problem, type ProblemType } from '../../kit/problem.ts'
import { reserve } from '../../kit/quota.ts'
import { eventStreamRoute, type Route, route } from '../../kit/route.ts'
import { closed, id } from '../../kit/schema.ts'
import { untilEnded, waitQuery } from '../../kit/wait.ts'
import { requireRoom, tooManyJobs, type WorkLimit } from '../../kit/work-limit.ts'
import { chosenFields, Lead, leadExample } from '../leads/schemas.ts'
import { listLeads } from '../leads/service.ts'
import { checkFilters, type Portals } from '../platforms/service.ts'
import { cancel } from './ending.ts'
import { attemptsMax, runExtractionName } from './jobs.ts'
import * as queries from './queries.ts'
import { extractionsPerMonth } from './quotas.ts'
import {
  completedExample,
  Extraction,
  ExtractionFilter,
  type ExtractionStatus,
  extractionExample,
  newExtraction,
  queuedExample,
} from './schemas.ts'
import { errorsOfStart, withOptions } from './start-errors.ts'
import { endOf, watch } from './watching.ts'

const portalUnconfigured: ProblemType = {
  code: 'PORTAL_UNCONFIGURED',
  status: 422,
  example: 'The portal portal_a has no address in live yet. The operator sets it with PORTAL_URLS.',
}

const tag = 'Extractions'
/** Every town of a large agency on several portals at once is less. */
const underWay: WorkLimit = {
  table: 'extractions',
  statuses: ['QUEUED', 'RUNNING'],
  max: 200,
  of: 'extractions',
}
const params = closed({ id: id('The extraction.') })
/** Events of one extraction: its state, each time anew. */
const states = {
  progress: {
    description: 'The current state of the extraction: sent at once, and after each change.',
    data: Extraction,
    example: extractionExample,
  },
  end: {
    description: 'The final state of the extraction. The stream ends with it.',
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
      summary: 'List extractions, newest first',
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
      summary: 'Stream the progress of an extraction',
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
      summary: 'List the leads that an extraction created or found again',
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
      description: 'The extraction stops within two seconds. Leads stored until then are kept.',
      scope: 'extractions:write',
      params,
      status: 200,
      reply: Extraction,
      replyExample: {
        ...extractionExample,
        ...{ status: 'CANCELLED', outcome: 'partial', finishedAt: '2026-11-02T10:00:31.000Z' },
      },
      errors: ['INVALID_TRANSITION'],
      errorExamples: {
        INVALID_TRANSITION:
          "A COMPLETED extraction can't be cancelled: only one that is QUEUED or RUNNING can.",
      },
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
      'The reply comes at once; the extraction runs in the background. The events `extraction.completed` and `leads.imported` report its end. Without webhooks, read the extraction every 5 to 10 seconds.',
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
    errors: [portalUnconfigured, 'QUOTA_EXCEEDED', tooManyJobs(underWay)],
    errorExamples: {
      QUOTA_EXCEEDED:
        'The quota maxExtractionsPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
    check: ({ body }) => errorsOfStart(portals, body),
    async handle({ body, caller, tx }) {
      const { platform } = body
      const { normalized } = checkFilters(portals, platform, withOptions(body))
      requireConfigured(portals, platform, caller.environment)
      await reserve(tx, extractionsPerMonth)
      const extractionId = await queries.insertExtraction(tx, { ...body, filters: normalized ?? {} })
      await requireRoom(tx, underWay)
      await enqueue(tx, runExtractionName, { extractionId }, { maxAttempts: attemptsMax })
      return jsonText((await queries.findExtraction(tx, extractionId))!)
    },
  })
}

function getRoute(): Route {
  return route({
    method: 'GET',
    path: '/extractions/{id}',
    operation: 'getExtraction',
    tag,
    summary: 'Get an extraction and its progress',
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
    summary: 'Resume an extraction that failed or was cancelled',
    description:
      'A new extraction continues where this one stopped. If some listings could not be read, it starts at the first page; listings that are leads already count as duplicates and are not read again. Its `maxResults` is the number that this extraction had left. It counts against the quota.',
    scope: 'extractions:write',
    params,
    status: 202,
    reply: Extraction,
    replyExample: queuedExample,
    errors: ['INVALID_TRANSITION', portalUnconfigured, 'QUOTA_EXCEEDED', tooManyJobs(underWay)],
    errorExamples: {
      INVALID_TRANSITION:
        "A COMPLETED extraction can't be retried: only one that FAILED or was CANCELLED can.",
      QUOTA_EXCEEDED:
        'The quota maxExtractionsPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
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
      await reserve(tx, extractionsPerMonth)
      await requireRoom(tx, underWay)
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
  if (obstacle) throw new Problem(portalUnconfigured, obstacle)
}
