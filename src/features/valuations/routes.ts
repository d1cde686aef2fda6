/** Valuing properties over HTTP. */

import { comparablesMin } from '../../domain/valuation/likeness.ts'
import type { Tx } from '../../kit/db/index.ts'
import { assertVersion, eTagOf } from '../../kit/etag.ts'
import { emit } from '../../kit/event.ts'
import { type JsonText, jsonText } from '../../kit/json-text.ts'
import { pageOf, pageThrough } from '../../kit/page.ts'
import { reserve } from '../../kit/quota.ts'
import { type Route, route } from '../../kit/route.ts'
import { closed, id, Type } from '../../kit/schema.ts'
import { marketAccuracies } from './accuracy.ts'
import { valuationCreated } from './events.ts'
import { accuracyExample, newValuationExample, summaryExample, valuationExample } from './examples.ts'
import * as queries from './queries.ts'
import { summaryOf, type ValuationsDependencies, valuationOf, wholeConfig } from './record.ts'
import {
  MarketAccuracy,
  NewValuation,
  Valuation,
  ValuationChanges,
  ValuationFilter,
  ValuationSummary,
} from './schemas.ts'
import { areaOf, errorsOfChoice, refuseIfAny, refuseImpossible, subjectOf } from './subject.ts'
import { valueAgain, valueNew } from './valuing.ts'

const tag = 'Valuations'
const params = closed({ id: id('The valuation.') })

export function valuationRoutes(dependencies: ValuationsDependencies): Route[] {
  return [
    createRoute(dependencies),
    route({
      method: 'GET',
      path: '/valuations',
      operation: 'listValuations',
      tag,
      summary: 'Valuations without their comparables, newest first',
      scope: 'valuations:read',
      query: ValuationFilter,
      status: 200,
      reply: pageOf(ValuationSummary),
      replyExample: { data: [summaryExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const list = pageThrough('valuations', caller.tenantId, query)
        const rows = await queries.listValuations(tx, query, list.after)
        const page = rows.slice(0, query.limit)
        return list.reply({
          json: JSON.stringify(page.map(row => summaryOf(row, dependencies))),
          last: rows.length > page.length ? [page.at(-1)!.id] : null,
        })
      },
    }),
    route({
      method: 'GET',
      path: '/valuations/accuracy',
      operation: 'getValuationAccuracy',
      tag,
      summary: 'How good estimates are, by market',
      description:
        'From valuing properties of the deployment itself, each as if its price and those of its neighbourhood were not known.',
      scope: 'valuations:read',
      status: 200,
      reply: Type.Object({ data: Type.Array(MarketAccuracy) }),
      replyExample: { data: [accuracyExample] },
      handle: async ({ caller, tx }) => ({ data: await marketAccuracies(tx, caller.environment) }),
    }),
    route({
      method: 'GET',
      path: '/valuations/{id}',
      operation: 'getValuation',
      tag,
      summary: 'A valuation',
      description: 'Its `ETag` can be sent as `If-Match` when it is changed.',
      scope: 'valuations:read',
      params,
      status: 200,
      reply: Valuation,
      replyExample: valuationExample,
      handle: ({ params, tx }) => showValuation(tx, params.id, dependencies),
    }),
    updateRoute(dependencies),
    route({
      method: 'DELETE',
      path: '/valuations/{id}',
      operation: 'deleteValuation',
      tag,
      summary: 'Delete a valuation',
      description: 'Its report goes with it, and the link to that.',
      scope: 'valuations:write',
      params,
      matchesETag: true,
      status: 204,
      reply: Type.Null(),
      async handle({ params, ifMatch, tx }) {
        const { revision } = await queries.getValuation(tx, params.id, true)
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
    summary: 'Value a property by comparable ones',
    description: `The estimate follows from the table: \`value\` is the sum of \`adjustedPrice\` × \`weight\`, and each adjusted price is the price of a comparable with its \`adjustments\`. Comparables are what extractions and \`market import\` brought to this environment: sales if the nearest like this property hold ten, else adverts, never both; in the currency of most of them. It takes at least ${comparablesMin}. What is refused uses up no quota.`,
    scope: 'valuations:write',
    body: NewValuation,
    example: newValuationExample,
    status: 201,
    reply: Valuation,
    replyExample: valuationExample,
    errors: ['NOT_ENOUGH_COMPARABLES', 'QUOTA_EXCEEDED'],
    async handle({ body, caller, tx }) {
      const now = Temporal.Now.instant().round('millisecond')
      refuseImpossible(body, now)
      const { operation, propertyType, name = null, address = null, portalLocationId = null } = body
      const made = { operation, propertyType, subject: subjectOf(body), area: areaOf(body) }
      const outcome = await valueNew(tx, {
        ...{ ...made, environment: caller.environment, asOf: now },
        ...{ included: idsOf(body.includedComparableIds), excluded: idsOf(body.excludedComparableIds) },
      })
      // Last, so that others of the workspace wait for as short a time as can be.
      await reserve(tx, 'maxValuationsPerMonth')
      const at = new Date(now.epochMilliseconds)
      const valuationId = await queries.insertValuation(
        tx,
        {
          ...{ ...made, portalLocationId, asOf: at, ...outcome },
          ...{ name, address, reportConfig: wholeConfig(body.reportConfig) },
        },
        at,
      )
      const { currency, priceBasis, comparablesUsed, estimate } = outcome
      const { value, low, high } = estimate
      await emit(tx, valuationCreated, {
        ...{ valuationId, operation, propertyType, priceBasis, currency, value, low, high, comparablesUsed },
      })
      return showValuation(tx, valuationId, dependencies)
    },
  })
}

function updateRoute(dependencies: ValuationsDependencies): Route {
  return route({
    method: 'PATCH',
    path: '/valuations/{id}',
    operation: 'updateValuation',
    tag,
    summary: 'Change a valuation, or which comparables it is made of',
    description:
      'With other comparables it is reckoned anew, for the same moment, from those that were looked at when it was made: that takes no quota. What is known of the market by now counts: `[]` for both is as at first unless the market was learnt anew since, which `modelVersion` tells. What is left out stays as it is; `reportConfig` is replaced as a whole.',
    scope: 'valuations:write',
    params,
    matchesETag: true,
    body: ValuationChanges,
    example: { name: 'Mallorca 214', reportConfig: { language: 'ca' } },
    status: 200,
    reply: Valuation,
    replyExample: { ...valuationExample, name: 'Mallorca 214' },
    errors: ['NOT_ENOUGH_COMPARABLES'],
    async handle({ params, body, caller, ifMatch, tx }) {
      const row = await queries.getValuation(tx, params.id, true)
      assertVersion('valuation', row.revision, ifMatch)
      const { name = row.name, address = row.address, reportConfig } = body
      const { includedComparableIds = row.includedIds, excludedComparableIds = row.excludedIds } = body
      const isChosenAnew = body.includedComparableIds ?? body.excludedComparableIds
      refuseIfAny(isChosenAnew ? errorsOfChoice({ includedComparableIds, excludedComparableIds }) : [])
      const choice = { included: idsOf(includedComparableIds), excluded: idsOf(excludedComparableIds) }
      const outcome = isChosenAnew ? await valueAgain(tx, caller.environment, row, choice) : null
      const config = reportConfig ? wholeConfig(reportConfig) : row.reportConfig
      await queries.updateValuation(tx, params.id, { name, address, reportConfig: config }, outcome)
      return showValuation(tx, params.id, dependencies)
    },
  })
}

async function showValuation(
  tx: Tx,
  valuationId: string,
  dependencies: ValuationsDependencies,
): Promise<JsonText> {
  const row = await queries.getValuation(tx, valuationId)
  return jsonText(JSON.stringify(valuationOf(row, dependencies)), { ETag: eTagOf(row.revision) })
}

/** Each once, as the database writes them. */
function idsOf(ids: string[] = []): string[] {
  return [...new Set(ids.map(id => id.toLowerCase()))]
}
