/** The route that makes a sheet: checks the URL, starts the job, and waits for it. */
import { addBlobReferences, type Blobs, type HeldBlob } from '../../kit/blobs/blobs.ts'
import { imageDamaged, imageNotSupported, imageTooLarge } from '../../kit/blobs/problems.ts'
import type { Caller } from '../../kit/caller.ts'
import type { Database, Tx } from '../../kit/db/index.ts'
import { eraseReplies, isReplyStored } from '../../kit/idempotency.ts'
import { waitUntilEnded } from '../../kit/operations/long-poll.ts'
import { startOperation } from '../../kit/operations/operation.ts'
import { toEndCondition } from '../../kit/operations/watch.ts'
import { tooManyJobs } from '../../kit/operations/work-limit.ts'
import { type InputError, Problem, throwIfInvalid } from '../../kit/problem.ts'
import { reserve } from '../../kit/quota.ts'
import { type Route, route } from '../../kit/route.ts'
import { readSetting } from '../../kit/settings/setting-store.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import { documentLanguage } from '../identity/settings.ts'
import { assertLead } from '../leads/service.ts'
import { type Portals, portalUnconfigured } from '../platforms/service.ts'
import { findErased, listingIdentifier } from '../privacy/service.ts'
import { receiveAgentPhoto } from './agent-photo.ts'
import { type FichaChoices, toStoredAgent } from './content.ts'
import { fichaExample } from './examples.ts'
import {
  describeListingUrls,
  type ListingAddress,
  listFichaPortals,
  parseListingUrl,
  toUrlField,
} from './listing-url.ts'
import { fichaKind, fichaObjectKind } from './operation.ts'
import { generationProblems, listingErased } from './problems.ts'
import { deleteFichas, findLeadOfListing, insertFicha } from './queries.ts'
import { fichasPerMonth } from './quotas.ts'
import { findReply, type ReplyDependencies, readFicha } from './reply.ts'
import { Ficha, type NewFicha, newFicha } from './schemas.ts'
import { sheetDefaults } from './settings.ts'
import { sheetLanguages } from './sheet/sheet.ts'

export interface GenerateDependencies extends ReplyDependencies {
  portals: Portals
  blobs: Blobs
}

interface Prepared {
  listing: ListingAddress & { sourceUrl: string }
  agentPhoto: HeldBlob | null
}

type UrlFields = Pick<NewFicha, 'propertyUrl'> & Record<string, unknown>

export function generateRoute(dependencies: GenerateDependencies): Route {
  const { portals, blobs } = dependencies
  const definitions = listFichaPortals(portals)
  const [first] = definitions
  const urlField = first ? toUrlField(first) : 'listingUrl'
  const urls = { portals, definitions, urlField }
  return route({
    method: 'POST',
    path: '/fichas/generate',
    operation: 'generateFicha',
    tag: 'Fichas',
    summary: 'Make a property sheet from a listing',
    description: `Reads the listing, copies its photos, and makes the first version of a sheet. The reply waits for it up to \`waitSeconds\`. After that the sheet has the status \`generating\`: read it with \`GET /fichas/{id}?waitSeconds=30\`, or wait for the event \`ficha.created\`. If no sheet can be made, the quota is refunded: within \`waitSeconds\` the reply is an error and nothing is stored; later the sheet has the status \`failed\`. With a test key the simulator's listing with the id of the URL is read.`,
    scope: 'fichas:write',
    body: newFicha(urlField, first?.name ?? 'the first portal'),
    example: {
      propertyUrl: 'https://portal-a.example/inmueble/166310033/',
      language: 'es',
      agent: { name: 'Marta Soler', phone: '+34 600 000 000', licence: 'AICAT 1234' },
      waitSeconds: 20,
    } as never,
    status: 201,
    reply: Ficha,
    replyExample: fichaExample,
    errors: [
      'NOT_FOUND',
      portalUnconfigured,
      ...generationProblems,
      imageNotSupported,
      imageDamaged,
      imageTooLarge,
      tooManyJobs(fichaKind.limit),
      'QUOTA_EXCEEDED',
    ],
    errorExamples: {
      NOT_FOUND: 'There is no lead with this id.',
      QUOTA_EXCEEDED:
        'The quota maxFichasPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
    },
    check: ({ body, hasErrorsAt }) =>
      listSentUrls(body, urlField).length > 0 || [`/${urlField}`, '/propertyUrl'].some(hasErrorsAt)
        ? []
        : [
            {
              path: '/propertyUrl',
              code: 'REQUIRED',
              message: `is required, or ${urlField}: the URL of a listing`,
            },
          ],
    findErrors: async ({ body, caller }) => findUrlErrors(body, urls, caller),
    async prepare({ body, caller, signal }): Promise<Prepared> {
      const fields = body as unknown as NewFicha & UrlFields
      throwIfInvalid(findUrlErrors(fields, urls, caller))
      const listing = await resolveListing(fields, urls, caller)
      const agentPhoto = await receiveAgentPhoto(fields.agent, { blobs, tenant: caller, signal })
      return { listing, agentPhoto }
    },
    async handle({ body, prepared, tx }) {
      const id = await startFicha(tx, body as unknown as NewFicha, prepared)
      return readFicha(tx, id, dependencies)
    },
    finish: ({ body, reply, caller, database, signal }) =>
      waitForFicha(reply, { ...(body as unknown as NewFicha), caller, database, signal }, dependencies),
  })
}

interface UrlRules {
  portals: Portals
  definitions: PortalDefinition[]
  urlField: string
}

/** The URLs that were sent, by field. */
function listSentUrls(body: Record<string, unknown>, urlField: string): [string, string][] {
  return ['propertyUrl', urlField].flatMap(field => {
    const url = body[field]
    return typeof url === 'string' ? [[field, url] as [string, string]] : []
  })
}

function findUrlErrors(
  body: Record<string, unknown>,
  { portals, definitions, urlField }: UrlRules,
  caller: Caller,
): InputError[] {
  const sent = listSentUrls(body, urlField).map(([field, url]) => {
    const accepted = field === urlField ? definitions.slice(0, 1) : definitions
    return { field, accepted, listing: parseListingUrl(url, accepted, portals, caller) }
  })
  const errors = sent
    .filter(({ listing }) => listing === null)
    .map(({ field, accepted }) => ({
      path: `/${field}`,
      code: 'NOT_A_LISTING',
      message: `is not the URL of a listing of ${describeListingUrls(accepted, portals, caller) || 'a configured portal'}`,
    }))
  const [one, other] = sent.map(({ listing }) => listing)
  if (one && other && (one.platform !== other.platform || one.listingId !== other.listingId))
    errors.push({
      path: `/${urlField}`,
      code: 'CONTRADICTION',
      message: 'names another listing than propertyUrl: send one of them',
    })
  return errors
}

/** Throws 422 PORTAL_UNCONFIGURED. */
async function resolveListing(
  body: UrlFields,
  { portals, definitions, urlField }: UrlRules,
  caller: Caller,
): Promise<Prepared['listing']> {
  const [, url] = listSentUrls(body, urlField)[0]!
  const listing = parseListingUrl(url, definitions, portals, caller)!
  const portal = await portals.resolve(listing.platform, caller)
  if (!portal)
    throw new Problem(
      portalUnconfigured,
      portals.findUnavailableReason(listing.platform, caller.environment) ?? portalUnconfigured.example,
    )
  return { ...listing, sourceUrl: portal.baseUrl + listing.path }
}

/** Stores a sheet and starts its job. Returns its id. */
async function startFicha(tx: Tx, body: NewFicha, { listing, agentPhoto }: Prepared): Promise<string> {
  const { platform, listingId } = listing
  if (body.leadId) await assertLead(tx, body.leadId)
  const { value } = listingIdentifier(platform, listingId)
  if ((await findErased(tx, [value])).size > 0) throw new Problem(listingErased, listingErased.example)
  const leadId = body.leadId ?? (await findLeadOfListing(tx, listing))
  const choices = await resolveChoices(tx, body, agentPhoto)
  const id = await insertFicha(tx, listing, { leadId, choices })
  if (agentPhoto) await addBlobReferences(tx, { kind: fichaObjectKind, objectId: id }, [agentPhoto])
  await startOperation(tx, fichaKind, id, 'generating')
  // Last, because the reservation locks the quota for other requests of the workspace.
  await reserve(tx, fichasPerMonth)
  return id
}

async function resolveChoices(
  tx: Tx,
  { language, layout, privacy, energy, advertising, agent }: NewFicha,
  agentPhoto: HeldBlob | null,
): Promise<FichaChoices> {
  const [defaults, workspaceLanguage] = await Promise.all([
    readSetting(tx, sheetDefaults),
    readSetting(tx, documentLanguage),
  ])
  const { address, coordinates } = defaults
  return {
    language:
      language ?? defaults.language ?? sheetLanguages.find(each => each === workspaceLanguage) ?? 'en',
    layout: layout ?? defaults.layout,
    privacy: { address, coordinates, ...privacy },
    energy: energy ?? null,
    advertising: advertising ?? null,
    agent: agent ? toStoredAgent(agent, agentPhoto?.id ?? null) : null,
  }
}

interface Waiting extends Pick<NewFicha, 'waitSeconds'> {
  caller: Caller
  database: Database
  signal: AbortSignal
}

/**
 * Waits for a sheet. If it fails meanwhile, deletes it with the reply that was stored for an Idempotency-Key, and throws
 * the reason. Throws 404 if another request with the same key has done so, or if the sheet was deleted.
 */
async function waitForFicha(
  reply: Ficha,
  { waitSeconds, caller, database, signal }: Waiting,
  dependencies: ReplyDependencies,
): Promise<Ficha> {
  await waitUntilEnded(database, caller, { ...toEndCondition(fichaKind, reply.id), waitSeconds, signal })
  const current = await database.readTenant(caller, async tx => {
    const found = await findReply(tx, reply.id, dependencies)
    // A sheet that was deleted later is answered as it was requested.
    if (found || (await isReplyStored(tx, reply.id))) return found ?? reply
    throw new Problem(
      'NOT_FOUND',
      'The sheet has failed or was deleted during the wait. Send the request again.',
    )
  })
  if (current.status !== 'failed' || waitSeconds === 0) return current
  await database.withTenant(caller, async tx => {
    await deleteFichas(tx, [reply.id])
    await eraseReplies(tx, [reply.id])
  })
  const { code, message } = current.error!
  throw new Problem(generationProblems.find(problem => problem.code === code) ?? 'INTERNAL', message)
}
