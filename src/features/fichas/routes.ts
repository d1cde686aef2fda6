/** Property sheets over HTTP: list, read, change and delete them, and list their versions. */
import { addBlobReferences, type HeldBlob } from '../../kit/blobs/blobs.ts'
import { imageDamaged, imageNotSupported, imageTooLarge, storageFull } from '../../kit/blobs/problems.ts'
import type { Tx } from '../../kit/db/index.ts'
import { assertVersion, toETag } from '../../kit/etag.ts'
import { type JsonText, toJsonText } from '../../kit/json-text.ts'
import { waitUntilEnded } from '../../kit/operations/long-poll.ts'
import { toEndCondition } from '../../kit/operations/watch.ts'
import { createPager, pageQuery, pageSchema } from '../../kit/page.ts'
import { Problem } from '../../kit/problem.ts'
import { type Route, route } from '../../kit/route.ts'
import { id, strictObject, Type } from '../../kit/schema.ts'
import { assertAdvertisable } from './advertising.ts'
import { receiveAgentPhoto } from './agent-photo.ts'
import { applyChanges } from './edit.ts'
import { fichaExample, versionExample } from './examples.ts'
import { type GenerateDependencies, generateRoute } from './generate.ts'
import { fichaKind, fichaObjectKind } from './operation.ts'
import { advertisingIncomplete, fichaNotReady, versionConflict } from './problems.ts'
import * as queries from './queries.ts'
import { refundFichas } from './refund.ts'
import { readFicha, toFichas, toFichaVersion } from './reply.ts'
import { insertVersion } from './run-queries.ts'
import { Ficha, FichaChanges, FichaFilter, FichaQuery, FichaVersion } from './schemas.ts'
import { assertReady } from './sheet-input.ts'

const tag = 'Fichas'
const params = strictObject({ id: id('The sheet.') })

export function fichaRoutes(dependencies: GenerateDependencies): Route[] {
  return [
    generateRoute(dependencies),
    route({
      method: 'GET',
      path: '/fichas',
      operation: 'listFichas',
      tag,
      summary: 'List property sheets, newest first',
      scope: 'fichas:read',
      query: FichaFilter,
      status: 200,
      reply: pageSchema(Ficha),
      replyExample: { data: [fichaExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ query, caller, tx }) {
        const list = createPager('fichas', caller.tenantId, query)
        const rows = await queries.listFichas(tx, query, list.after)
        const page = rows.slice(0, query.limit)
        return list.reply({
          json: JSON.stringify(await toFichas(tx, page, dependencies)),
          last: rows.length > page.length ? [page.at(-1)!.id] : null,
        })
      },
    }),
    route({
      method: 'GET',
      path: '/fichas/{id}',
      operation: 'getFicha',
      tag,
      summary: 'Retrieve a property sheet',
      description: 'Send the `ETag` of the reply as `If-Match` to change this version only.',
      scope: 'fichas:read',
      params,
      query: FichaQuery,
      status: 200,
      reply: Ficha,
      replyExample: fichaExample,
      async prepare({ params, query, caller, database, signal }) {
        await waitUntilEnded(database, caller, { ...toEndCondition(fichaKind, params.id), ...query, signal })
      },
      handle: ({ params, tx }) => readReply(tx, params.id, dependencies),
    }),
    updateRoute(dependencies),
    route({
      method: 'DELETE',
      path: '/fichas/{id}',
      operation: 'deleteFicha',
      tag,
      summary: 'Delete a property sheet',
      description:
        'Its versions, photos and public link are deleted too. If it is still being made, that stops, and the quota is refunded.',
      scope: 'fichas:write',
      params,
      matchesETag: true,
      status: 204,
      reply: Type.Null(),
      async handle({ params, ifMatch, tx }) {
        const { version } = await queries.lockFicha(tx, params.id)
        assertVersion('ficha', version, ifMatch)
        await refundFichas(tx, await queries.deleteFichas(tx, [params.id]))
        return null
      },
    }),
    route({
      method: 'GET',
      path: '/fichas/{id}/versions',
      operation: 'listFichaVersions',
      tag,
      summary: 'List the versions of a property sheet, newest first',
      scope: 'fichas:read',
      params,
      query: strictObject(pageQuery),
      status: 200,
      reply: pageSchema(FichaVersion),
      replyExample: { data: [versionExample], nextCursor: null },
      errors: ['INVALID_CURSOR'],
      async handle({ params, query, caller, tx }) {
        const { photos } = await queries.getFicha(tx, params.id)
        const list = createPager(`fichas/${params.id}/versions`, caller.tenantId, query)
        const rows = await queries.listVersions(tx, params.id, query.limit, list.after)
        const page = rows.slice(0, query.limit)
        return list.reply({
          json: JSON.stringify(page.map(row => toFichaVersion(row, photos))),
          last: rows.length > page.length ? [String(page.at(-1)!.version)] : null,
        })
      },
    }),
  ]
}

function updateRoute(dependencies: GenerateDependencies): Route {
  return route({
    method: 'PATCH',
    path: '/fichas/{id}',
    operation: 'updateFicha',
    tag,
    summary: 'Change a property sheet',
    description:
      'Makes a new version; earlier ones stay (`GET /fichas/{id}/versions`). The public link shows the newest. Omitted fields keep their value. `agent` is replaced as a whole; if its photo is omitted, the present one stays. If nothing changes, no version is made. With the setting `advertisingGate: block`, a change that removes from a shared sheet what the law requires is refused.',
    scope: 'fichas:write',
    params,
    matchesETag: true,
    body: FichaChanges,
    example: {
      property: { title: 'Piso luminoso junto a Passeig de Gràcia', price: 309_000 },
      photos: [{ number: 2, alt: 'Salón' }, { number: 1 }],
      privacy: { address: 'hidden' },
    },
    status: 200,
    reply: Ficha,
    replyExample: { ...fichaExample, version: 2 },
    errors: [
      fichaNotReady,
      versionConflict,
      advertisingIncomplete,
      imageNotSupported,
      imageDamaged,
      imageTooLarge,
      storageFull,
    ],
    prepare: ({ body, caller, signal }) =>
      receiveAgentPhoto(body.agent, { blobs: dependencies.blobs, tenant: caller, signal }),
    async handle({ params, body, prepared, ifMatch, tx }) {
      await changeFicha(tx, params.id, body, { agentPhoto: prepared, ifMatch })
      return readReply(tx, params.id, dependencies)
    },
  })
}

interface ChangeOptions {
  agentPhoto: HeldBlob | null
  ifMatch: Parameters<typeof assertVersion>[2]
}

/** Throws 404, 409 and 412 for a sheet that cannot be changed, 400 for unknown photos. */
async function changeFicha(
  tx: Tx,
  fichaId: string,
  changes: FichaChanges,
  { agentPhoto, ifMatch }: ChangeOptions,
): Promise<void> {
  const row = await queries.lockFicha(tx, fichaId)
  assertVersion('ficha', row.version, ifMatch)
  assertReady(row)
  if (changes.version !== undefined && changes.version !== row.version)
    throw new Problem(
      versionConflict,
      `The sheet has version ${row.version}, not ${changes.version}. Read it again and repeat the change.`,
    )
  const agentPhotoBlobId = agentPhoto?.id ?? null
  const content = applyChanges(row.content, changes, { photos: row.photos, agentPhotoBlobId })
  if (content === row.content) return
  if (row.share) await assertAdvertisable(tx, content, row.content)
  if (agentPhoto) await addBlobReferences(tx, { kind: fichaObjectKind, objectId: fichaId }, [agentPhoto])
  await insertVersion(tx, fichaId, row.version + 1, content)
  await queries.setVersion(tx, fichaId, row.version + 1)
}

async function readReply(tx: Tx, fichaId: string, dependencies: GenerateDependencies): Promise<JsonText> {
  const ficha = await readFicha(tx, fichaId, dependencies)
  return toJsonText(JSON.stringify(ficha), { ETag: toETag(ficha.version) })
}
