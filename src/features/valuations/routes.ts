/** Valuations over HTTP. */

import { isDeepStrictEqual } from 'node:util'
import { comparablesMin } from '../../domain/valuation/similarity.ts'
import { getInstant } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { assertVersion, toETag } from '../../kit/etag.ts'
import { emit } from '../../kit/events/emit.ts'
import { type JsonText, toJsonText } from '../../kit/json-text.ts'
import { createPager, pageQuery, pageSchema, slicePage } from '../../kit/page.ts'
import { throwIfInvalid } from '../../kit/problem.ts'
import { reserve } from '../../kit/quota.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { listMarketAccuracies, toMarketCursor } from './accuracy.ts'
import { MarketAccuracy } from './accuracy-schemas.ts'
import { valuationCreated } from './events.ts'
import { accuracyExample, newValuationExample, summaryExample, valuationExample } from './examples.ts'
import * as queries from './queries.ts'
import { valuationsPerMonth } from './quotas.ts'
import { resolveReportConfig, toSummary, toValuation, type ValuationsDependencies } from './reply.ts'
import { NewValuation, Valuation, ValuationChanges, ValuationFilter, ValuationSummary } from './schemas.ts'
import { normalizeIds, toArea, toSubject, validateBody, validateChoice } from './subject.ts'
import { notEnoughComparables } from './valuation-errors.ts'
import type { ValuationRequest } from './valuation-request.ts'
import { findBodyErrors, revalueProperty, valueProperty } from './value-property.ts'

const tag = 'Valuations'
const params = strictObject({ id: id('The valuation.') })

export function valuationRoutes(dependencies: ValuationsDependencies): Route[] {
  return [
    createRoute(dependencies),
    route({
      method: 'GET',
      path: '/valuations',
      operation: 'listValuations',
      tag,
      summary: 'List valuations without their comparables, newest first',
      scope: 'valuations:read',
      query: ValuationFilter,
      status: 200,
      reply: pageSchema(ValuationSummary),
      replyExample: { data: [summaryExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const pager = createPager('valuations', caller.tenantId, query)
        const rows = await queries.listValuations(tx, query, pager.after)
        const page = rows.slice(0, query.limit)
        return pager.reply({
          json: JSON.stringify(await Promise.all(page.map(row => toSummary(row, dependencies)))),
          last: rows.length > page.length ? [page.at(-1)!.id] : null,
        })
      },
    }),
    route({
      method: 'GET',
      path: '/valuations/accuracy',
      operation: 'getValuationAccuracy',
      tag,
      summary: 'List the accuracy of estimates by market',
      description:
        'To measure it, properties of the deployment are valued with their own price and the prices in their neighbourhood hidden, and each estimate is compared with the price.',
      scope: 'valuations:read',
      status: 200,
      query: strictObject(pageQuery),
      reply: pageSchema(MarketAccuracy),
      replyExample: { data: [accuracyExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const pager = createPager('valuations/accuracy', caller.tenantId, query)
        const markets = await listMarketAccuracies(tx, caller.environment)
        const { page, last } = slicePage(markets, pager, query.limit, toMarketCursor)
        return pager.reply({ json: JSON.stringify(page), last })
      },
    }),
    route({
      method: 'GET',
      path: '/valuations/{id}',
      operation: 'getValuation',
      tag,
      summary: 'Retrieve a valuation',
      description: 'Send the `ETag` of the reply as `If-Match` to update this version only.',
      scope: 'valuations:read',
      params,
      status: 200,
      reply: Valuation,
      replyExample: valuationExample,
      handle: ({ params, tx }) => readReply(tx, params.id, dependencies),
    }),
    updateRoute(dependencies),
    route({
      method: 'DELETE',
      path: '/valuations/{id}',
      operation: 'deleteValuation',
      tag,
      summary: 'Delete a valuation',
      description: 'Its report and the link to it are deleted too.',
      scope: 'valuations:write',
      params,
      matchesETag: true,
      status: 204,
      reply: Type.Null(),
      async handle({ params, ifMatch, tx }) {
        const { revision } = await queries.lockValuation(tx, params.id)
        assertVersion('valuation', revision, ifMatch)
        await queries.deleteValuation(tx, params.id)
        return null
      },
    }),
  ]
}

function createRoute(dependencies: ValuationsDependencies): Route {
  return route({
    method: 'POST',
    path: '/valuations',
    operation: 'createValuation',
    tag,
    summary: 'Value a property from comparables',
    description: `\`value\` is the sum of \`adjustedPrice\` × \`weight\` over the comparables; an adjusted price is the price of a comparable plus its \`adjustments\`. Comparables come from extractions and \`market import\` in this environment. They are sales if at least ten of the nearest similar properties were sold, or more of them were sold than are listed; otherwise listings. They have the most frequent currency. At least ${comparablesMin} are needed. A refused valuation uses no quota.`,
    scope: 'valuations:write',
    body: NewValuation,
    example: newValuationExample,
    status: 201,
    reply: Valuation,
    replyExample: valuationExample,
    errors: [notEnoughComparables, 'QUOTA_EXCEEDED'],
    errorExamples: {
      QUOTA_EXCEEDED:
        'The quota maxValuationsPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
    check: ({ body, now }) => validateBody(body, now.toTemporalInstant()),
    findErrors: ({ body, caller, read }) => read(tx => findBodyErrors(tx, body, caller.environment)),
    async handle({ body, caller, tx }) {
      const now = getInstant(tx).round('millisecond')
      const { operation, propertyType, name = null, address = null, portalLocationId = null } = body
      const input = { operation, propertyType, subject: toSubject(body), area: toArea(body) }
      const result = await valueProperty(tx, {
        ...input,
        environment: caller.environment,
        asOf: now,
        included: normalizeIds(body.includedComparableIds),
        excluded: normalizeIds(body.excludedComparableIds),
      })
      // Last, because the reservation locks the quota for other requests of the workspace.
      await reserve(tx, valuationsPerMonth)
      const at = new Date(now.epochMilliseconds)
      const valuationId = await queries.insertValuation(
        tx,
        {
          ...input,
          portalLocationId,
          asOf: at,
          ...result,
          name,
          address,
          reportConfig: await resolveReportConfig(tx, body.reportConfig),
        },
        at,
      )
      const { currency, priceBasis, comparablesUsed, estimate } = result
      const { value, low, high } = estimate
      await emit(tx, valuationCreated, {
        valuationId,
        operation,
        propertyType,
        priceBasis,
        currency,
        value,
        low,
        high,
        comparablesUsed,
      })
      return readReply(tx, valuationId, dependencies)
    },
  })
}

function updateRoute(dependencies: ValuationsDependencies): Route {
  return route({
    method: 'PATCH',
    path: '/valuations/{id}',
    operation: 'updateValuation',
    tag,
    summary: 'Update a valuation or its choice of comparables',
    description:
      'With other comparables, the value is calculated again for the same date, from the comparables considered when it was created. This uses no quota. The current market model is used: if both lists are `[]`, the result is the original one, unless the model was trained since (see `modelVersion`). If you send one list, its ids are removed from the other. Other omitted fields keep their value. `reportConfig` is replaced as a whole; null: the default, in the language of the workspace. If nothing changes, the `ETag` stays the same.',
    scope: 'valuations:write',
    params,
    matchesETag: true,
    body: ValuationChanges,
    example: { name: 'Mallorca 214', reportConfig: { language: 'ca' } },
    status: 200,
    reply: Valuation,
    replyExample: {
      ...valuationExample,
      name: 'Mallorca 214',
      reportConfig: { ...valuationExample.reportConfig, language: 'ca' },
    },
    errors: [notEnoughComparables],
    check: ({ body }) => validateChoice(body),
    async handle({ params, body, caller, ifMatch, tx }) {
      const row = await queries.lockValuation(tx, params.id)
      assertVersion('valuation', row.revision, ifMatch)
      const choice = mergeChoice(row, body)
      const result = isSameChoice(row, choice)
        ? null
        : await revalueProperty(tx, caller.environment, row, choice)
      const { name, address, reportConfig } = row
      const display = await mergeDisplayFields(tx, row, body)
      if (result || !isDeepStrictEqual(display, { name, address, reportConfig }))
        await queries.updateValuation(tx, params.id, display, result)
      return readReply(tx, params.id, dependencies)
    },
  })
}

async function mergeDisplayFields(
  tx: Tx,
  row: queries.DisplayFields,
  { name = row.name, address = row.address, reportConfig }: ValuationChanges,
): Promise<queries.DisplayFields> {
  const changed = reportConfig === undefined ? row.reportConfig : await resolveReportConfig(tx, reportConfig)
  return { name, address, reportConfig: changed }
}

type Choice = Pick<ValuationRequest, 'included' | 'excluded'>

/**
 * Merges the request into the stored choice. If one list is omitted, the ids in the other are removed from it. Throws
 * 400 if that empties a list of included comparables, because an empty list would mean all comparables.
 */
function mergeChoice(
  { includedIds, excludedIds }: queries.ValuationRow,
  { includedComparableIds, excludedComparableIds }: ValuationChanges,
): Choice {
  const [sent, excluded] = [normalizeIds(includedComparableIds), normalizeIds(excludedComparableIds)]
  const included =
    includedComparableIds === undefined ? includedIds.filter(id => !excluded.includes(id)) : sent
  const areNoneLeft = includedComparableIds === undefined && includedIds.length > 0 && included.length === 0
  throwIfInvalid(
    areNoneLeft
      ? [
          {
            path: '/excludedComparableIds',
            code: 'CONTRADICTION',
            message:
              'excludes all included comparables: include others, or send includedComparableIds: [] to use the nearest',
          },
        ]
      : [],
  )
  return {
    included,
    excluded:
      excludedComparableIds === undefined ? excludedIds.filter(id => !included.includes(id)) : excluded,
  }
}

/** Ignores the order of the ids. */
function isSameChoice(
  { includedIds, excludedIds }: queries.ValuationRow,
  { included, excluded }: Choice,
): boolean {
  const areSame = (some: string[], others: string[]) => isDeepStrictEqual(new Set(some), new Set(others))
  return areSame(included, includedIds) && areSame(excluded, excludedIds)
}

async function readReply(
  tx: Tx,
  valuationId: string,
  dependencies: ValuationsDependencies,
): Promise<JsonText> {
  const row = await queries.getValuation(tx, valuationId)
  return toJsonText(JSON.stringify(await toValuation(row, dependencies)), { ETag: toETag(row.revision) })
}
