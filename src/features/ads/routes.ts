/** Connections with ad networks over HTTP. */
import { createPager, pageQuery, pageSchema, slicePage } from '../../kit/page.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import type { Ads } from './ad-connections.ts'
import {
  changeConnection,
  checkNewConnection,
  disconnect,
  endWebhooks,
  resume,
  storeConnection,
  verifyChanges,
  verifyNew,
  verifyPage,
} from './connect.ts'
import { connectionExample, networkExample, newConnectionExample } from './examples.ts'
import { connectionExists, connectionProblems, pageMismatch, tooManyConnections } from './problems.ts'
import * as queries from './queries.ts'
import { readReply, toNetworkInfo, toReplies } from './reply.ts'
import { AdConnection, AdConnectionChanges, AdNetworkInfo, NewAdConnection } from './schemas.ts'

const tag = 'Ads'
const params = strictObject({ id: id('The connection.') })
const notFoundExample = { NOT_FOUND: 'There is no ad connection with this id.' }

export const connectionRoutes = (ads: Ads): Route[] => [
  networksRoute(ads),
  createRoute(ads),
  listRoute(ads),
  getRoute(ads),
  updateRoute(ads),
  deleteRoute(ads),
  testRoute(ads),
]

const networksRoute = (ads: Ads): Route =>
  route({
    method: 'GET',
    path: '/ads/networks',
    operation: 'listAdNetworks',
    tag,
    summary: 'List the ad networks, with what a connection with each requires',
    scope: 'campaigns:read',
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(AdNetworkInfo),
    replyExample: { data: [networkExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller }) {
      const pager = createPager('ad-networks', caller.tenantId, query)
      const { page, last } = slicePage(ads.list(), pager, query.limit, each => each.id)
      return pager.reply({ json: JSON.stringify(page.map(toNetworkInfo)), last })
    },
  })

const createRoute = (ads: Ads): Route =>
  route({
    method: 'POST',
    path: '/ads/connections',
    operation: 'createAdConnection',
    tag,
    summary: 'Connect a page whose lead ads are read',
    description:
      'The credentials are verified with the network, and its webhooks are requested for the page. Then enter `webhook.url` and `webhook.verifyToken` in the settings of the app at the network.',
    scope: 'campaigns:write',
    body: NewAdConnection,
    example: newConnectionExample,
    status: 201,
    reply: AdConnection,
    replyExample: connectionExample,
    errors: [connectionExists, tooManyConnections, ...connectionProblems],
    check: ({ body, now }) => checkNewConnection(ads, body, now),
    isOutgoing: true,
    prepare: ({ body, caller, database, signal }) => verifyNew(body, { ads, caller, database, signal }),
    handle: async ({ body, tx, prepared }) =>
      readReply(tx, ads, await storeConnection(tx, ads, body, prepared)),
  })

const listRoute = (ads: Ads): Route =>
  route({
    method: 'GET',
    path: '/ads/connections',
    operation: 'listAdConnections',
    tag,
    summary: 'List connections with ad networks, newest first',
    scope: 'campaigns:read',
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(AdConnection),
    replyExample: { data: [connectionExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('ad-connections', caller.tenantId, query)
      const rows = await queries.listConnections(tx, query, pager.after)
      const page = rows.slice(0, query.limit)
      const replies = await toReplies(tx, ads, page)
      return pager.reply({
        json: JSON.stringify(replies),
        last: rows.length > page.length ? [page.at(-1)!.id] : null,
      })
    },
  })

const getRoute = (ads: Ads): Route =>
  route({
    method: 'GET',
    path: '/ads/connections/{id}',
    operation: 'getAdConnection',
    tag,
    summary: 'Retrieve a connection, with its health and its webhook address',
    scope: 'campaigns:read',
    params,
    status: 200,
    reply: AdConnection,
    replyExample: connectionExample,
    errorExamples: notFoundExample,
    handle: ({ params, tx }) => readReply(tx, ads, params.id),
  })

const updateRoute = (ads: Ads): Route =>
  route({
    method: 'PATCH',
    path: '/ads/connections/{id}',
    operation: 'updateAdConnection',
    tag,
    summary: 'Rename a connection, or replace its credentials',
    description:
      'Omitted fields keep their value. New credentials are verified, and replace all old ones. The leads that wait, and those that were submitted meanwhile, are then read.',
    scope: 'campaigns:write',
    params,
    body: AdConnectionChanges,
    example: { name: 'Valencia y Alicante' },
    status: 200,
    reply: AdConnection,
    replyExample: { ...connectionExample, name: 'Valencia y Alicante' },
    errors: [pageMismatch, ...connectionProblems],
    errorExamples: notFoundExample,
    isOutgoing: true,
    prepare: ({ params, body, caller, database, signal }) =>
      verifyChanges(params.id, body, { ads, caller, database, signal }),
    async handle({ params, body, tx, prepared }) {
      await changeConnection(tx, ads, { id: params.id, body, page: prepared })
      return readReply(tx, ads, params.id)
    },
  })

const deleteRoute = (ads: Ads): Route =>
  route({
    method: 'DELETE',
    path: '/ads/connections/{id}',
    operation: 'deleteAdConnection',
    tag,
    summary: 'Disconnect a page',
    description:
      'Its webhooks end, and its credentials, forms and submissions are deleted. The leads stay, with their consent. Forms that wait to be read are lost: retrieve the connection before.',
    scope: 'campaigns:write',
    params,
    status: 204,
    reply: Type.Null(),
    errorExamples: notFoundExample,
    isOutgoing: true,
    prepare: ({ params, caller, database, signal }) =>
      endWebhooks(params.id, { ads, caller, database, signal }),
    async handle({ params, tx }) {
      await disconnect(tx, params.id)
      return null
    },
  })

const testRoute = (ads: Ads): Route =>
  route({
    method: 'POST',
    path: '/ads/connections/{id}/test',
    operation: 'testAdConnection',
    tag,
    summary: 'Verify a connection now, and list its forms and leads',
    description:
      'A refusal of the network is an error with its reason. Otherwise the status becomes `CONNECTED`, the leads that wait are read, and lost ones are looked for.',
    scope: 'campaigns:write',
    params,
    status: 200,
    reply: AdConnection,
    replyExample: connectionExample,
    errors: [pageMismatch, ...connectionProblems],
    errorExamples: notFoundExample,
    isOutgoing: true,
    async prepare({ params, caller, database, signal }) {
      const opened = await database.readTenant(caller, tx => ads.open(tx, params.id))
      await verifyPage(opened, opened.credentials, { ads, signal })
    },
    async handle({ params, tx }) {
      await resume(tx, params.id)
      return readReply(tx, ads, params.id)
    },
  })
