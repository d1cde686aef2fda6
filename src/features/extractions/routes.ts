/** The HTTP routes of extractions: start, list, read, cancel and retry them, and list their leads. */

import type { Tx } from '../../kit/db/index.ts'
import { callHook } from '../../kit/hook.ts'
import { toJsonText } from '../../kit/json-text.ts'
import { findOperationStatus, invalidTransition, startOperation } from '../../kit/operations/operation.ts'
import { operationRoutes } from '../../kit/operations/routes.ts'
import { tooManyJobs } from '../../kit/operations/work-limit.ts'
import { createPager, pageQuery, pageSchema } from '../../kit/page.ts'
import { notFound, Problem } from '../../kit/problem.ts'
import { reserve } from '../../kit/quota.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject } from '../../kit/schema.ts'
import { fieldsParameter, Lead, leadExample } from '../leads/schemas.ts'
import { listLeads } from '../leads/service.ts'
import { checkFilters, type Portals, portalUnconfigured } from '../platforms/service.ts'
import { cancel } from './completion.ts'
import { campaignExtractionRetried } from './hooks.ts'
import { extractionKind } from './operation.ts'
import * as queries from './queries.ts'
import { extractionsPerMonth } from './quotas.ts'
import {
  completedExample,
  Extraction,
  ExtractionFilter,
  extractionExample,
  newExtraction,
  queuedExample,
} from './schemas.ts'
import { assertConfigured, startExtraction } from './start.ts'
import { toSearchFilters, validateStart } from './validate-start.ts'

const tag = 'Extractions'
const params = strictObject({ id: id('The extraction.') })

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
      reply: pageSchema(Extraction),
      replyExample: { data: [extractionExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const pager = createPager('extractions', caller.tenantId, query)
        return pager.reply(await queries.listExtractions(tx, query, pager.after))
      },
    }),
    ...operationRoutes({
      kind: extractionKind,
      path: '/extractions/{id}',
      tag,
      title: 'Extraction',
      scopes: { read: 'extractions:read', write: 'extractions:write' },
      reply: Extraction,
      examples: {
        running: extractionExample,
        ended: completedExample,
        cancellation: {
          ...extractionExample,
          status: 'CANCELLED',
          outcome: 'partial',
          finishedAt: '2026-11-02T10:00:31.000Z',
        },
      },
      cancelDescription: 'The extraction stops within two seconds. Leads stored until then are kept.',
      find: queries.findExtraction,
      cancel,
    }),
    route({
      method: 'GET',
      path: '/extractions/{id}/leads',
      operation: 'listExtractionLeads',
      tag,
      summary: 'List the leads that an extraction created or found again',
      scope: 'extractions:read',
      params,
      query: strictObject({ ...pageQuery, ...fieldsParameter }),
      status: 200,
      reply: pageSchema(Lead),
      replyExample: { data: [leadExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ params, query: { fields, ...query }, caller, tx }) {
        await getStatus(tx, params.id)
        const pager = createPager(`extractions/${params.id}/leads`, caller.tenantId, query)
        const filter = { ...query, extractionId: params.id, sort: '-createdAt' as const }
        return pager.reply(await listLeads(tx, filter, pager.after, fields))
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
        includeDetails: true,
        advertiserType: 'any',
        incremental: false,
        updateExisting: true,
        tags: [],
      },
    },
    status: 202,
    reply: Extraction,
    replyExample: queuedExample,
    errors: [portalUnconfigured, 'QUOTA_EXCEEDED', tooManyJobs(extractionKind.limit)],
    errorExamples: {
      QUOTA_EXCEEDED:
        'The quota maxExtractionsPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
    check: ({ body }) => validateStart(portals, body),
    async handle({ body, caller, tx }) {
      const { platform } = body
      const { normalized } = checkFilters(portals, platform, toSearchFilters(body))
      const extraction = { ...body, filters: normalized ?? {} }
      const extractionId = await startExtraction(tx, portals, caller.environment, extraction)
      return toJsonText((await queries.findExtraction(tx, extractionId))!)
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
      'A new extraction continues where this one stopped. If some listings could not be read, it starts at the first page; listings that are leads already count as duplicates and are not read again. Its `maxResults` is the number that this extraction had left. It counts against the quota. The extraction of a campaign is retried by a run of its own, unless the campaign has ended or another run is going on.',
    scope: 'extractions:write',
    params,
    status: 202,
    reply: Extraction,
    replyExample: queuedExample,
    errors: ['INVALID_TRANSITION', portalUnconfigured, 'QUOTA_EXCEEDED', tooManyJobs(extractionKind.limit)],
    errorExamples: {
      INVALID_TRANSITION:
        "A COMPLETED extraction can't be retried: only one that FAILED or was CANCELLED can.",
      QUOTA_EXCEEDED:
        'The quota maxExtractionsPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
    async handle({ params, caller, tx }) {
      const status = await getStatus(tx, params.id)
      if (status !== 'FAILED' && status !== 'CANCELLED') {
        throw invalidTransition(extractionKind, status, {
          action: 'retried',
          condition: 'FAILED or was CANCELLED',
        })
      }
      const extractionId = await queries.resumeExtraction(tx, params.id)
      if (!extractionId) {
        throw new Problem(
          'INVALID_TRANSITION',
          `This extraction had reached its maxResults when it became ${status}: nothing is left to resume.`,
        )
      }
      const json = (await queries.findExtraction(tx, extractionId))!
      const { platform, campaignId } = JSON.parse(json) as Extraction
      assertConfigured(portals, platform, caller.environment)
      if (campaignId !== null)
        await callHook(tx, campaignExtractionRetried, { campaignId, extractionId, resumedFrom: params.id })
      await reserve(tx, extractionsPerMonth)
      await startOperation(tx, extractionKind, extractionId)
      return toJsonText(json)
    },
  })
}

/** Throws 404 if there is no such extraction. */
async function getStatus(tx: Tx, id: string): Promise<string> {
  const status = await findOperationStatus(tx, extractionKind, id)
  if (!status) throw notFound('extraction')
  return status
}
