/** The job that makes the first version of a sheet: reads the listing, copies its photos, stores both. */

import { createPhotoFetcher } from '../../crawl/photo-fetcher.ts'
import { openPortalClient } from '../../crawl/portal-client.ts'
import { noStatements } from '../../domain/advertising-rules/advertised-property.ts'
import { addBlobReferences, type Blobs } from '../../kit/blobs/blobs.ts'
import { machineNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emit } from '../../kit/events/emit.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import type { Metrics } from '../../kit/metrics.ts'
import { notifyProgress } from '../../kit/operations/operation.ts'
import { ClaimLost, defineOperationJob, type Slice } from '../../kit/operations/run.ts'
import { requeueStalledOperations } from '../../kit/operations/stalled-operations.ts'
import { refund } from '../../kit/quota.ts'
import type { Portals } from '../platforms/service.ts'
import { findErased, listingIdentifier } from '../privacy/service.ts'
import type { FichaChoices, FichaContent, StoredPhoto } from './content.ts'
import { fichaCreated } from './events.ts'
import { fetchListing, GenerationFailure, toGenerationFailure } from './fetch-listing.ts'
import { fichaKind, fichaObjectKind, makeFichaName } from './operation.ts'
import { type CopiedPhoto, copyPhotos } from './photos.ts'
import { listingErased, listingUnavailable } from './problems.ts'
import { type ReadProperty, toProperty } from './property.ts'
import { getFicha } from './queries.ts'
import { fichasPerMonth } from './quotas.ts'
import * as queries from './run-queries.ts'

export interface MakeFichaDependencies {
  portals: Portals
  portalHttp: HttpClient
  guardedHttp: HttpClient
  blobs: Blobs
  metrics: Metrics
  contactUrl: string
}

/** A portal that keeps the sheet waiting for longer after its start makes it fail. */
const runTimeoutMs = 10 * 60_000
/** The least time that each later run has. */
const resumeTimeoutMs = 60_000

export function makeFicha(dependencies: MakeFichaDependencies) {
  return defineOperationJob<queries.ClaimedFicha>({
    name: makeFichaName,
    kind: fichaKind,
    // A person waits for it.
    workerPool: 'remote',
    claim: queries.claimFicha,
    run: (claimed, slice) => run(claimed, dependencies, slice),
    isFinal: error => toGenerationFailure(error) !== null,
    fail: (claimed, error, { database, tenantId }) =>
      database.withTenant({ tenantId }, tx => failFicha(tx, claimed, error)),
  })
}

async function run(
  claimed: queries.ClaimedFicha,
  { portals, portalHttp, guardedHttp, blobs, metrics, contactUrl }: MakeFichaDependencies,
  { database, tenantId, signal }: Slice,
): Promise<void> {
  const { platform, listingId, environment } = claimed
  const portal = await portals.resolve(platform, { environment, tenantId })
  if (!portal)
    throw new GenerationFailure(
      listingUnavailable,
      portals.findUnavailableReason(platform, environment) ?? '',
    )
  const timeoutMs = Math.max(runTimeoutMs - claimed.startedAgoMs, resumeTimeoutMs)
  const options = {
    portal,
    tenantId,
    http: portalHttp,
    database,
    metrics,
    contactUrl,
    deadlineMs: machineNow() + timeoutMs,
  }
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const client = await openPortalClient({ ...options, signal })
  const { pathname, search } = new URL(claimed.sourceUrl)
  const listing = await fetchListing(portal, client, { listingId, path: pathname + search })
  const read = toProperty(listing, portal.definition.country)
  const copied = await copyPhotos({
    urls: read.photoUrls,
    tenant: { tenantId },
    fetchPhoto: createPhotoFetcher({ ...options, guardedHttp, signal: deadline }),
    blobs,
    deadline,
    signal,
  })
  await database.withTenant({ tenantId }, tx => storeFicha(tx, claimed, read, copied))
}

async function storeFicha(
  tx: Tx,
  claimed: queries.ClaimedFicha,
  read: ReadProperty,
  { photos, failed }: { photos: CopiedPhoto[]; failed: number },
): Promise<void> {
  const { id, platform, listingId } = claimed
  if (!(await queries.finishFicha(tx, claimed, null))) throw new ClaimLost()
  // The advertiser may have been erased since the request.
  const { value } = listingIdentifier(platform, listingId)
  if ((await findErased(tx, [value])).size > 0)
    throw new GenerationFailure(listingErased, listingErased.example)
  await addBlobReferences(
    tx,
    { kind: fichaObjectKind, objectId: id },
    photos.flatMap(({ sizes }) => sizes.map(({ blob }) => blob)),
  )
  const stored = photos.map(({ sizes, ...photo }, index) => ({
    ...photo,
    number: index + 1,
    sizes: sizes.map(({ widthPx, blob }) => ({ widthPx, blobId: blob.id })),
  }))
  await queries.insertPhotos(tx, id, stored)
  // The choices as they are now: people in them may have been erased since the claim.
  const { leadId, choices } = await getFicha(tx, id)
  await queries.insertVersion(tx, id, 1, toFirstContent(choices, read, stored, failed))
  await emit(tx, fichaCreated, { fichaId: id, leadId, platform, listingId })
  notifyProgress(tx, fichaKind, id)
}

function toFirstContent(
  { energy, advertising, ...choices }: FichaChoices,
  { property, evidence, energy: readEnergy, isReserved, captions }: ReadProperty,
  photos: StoredPhoto[],
  photosFailed: number,
): FichaContent {
  return {
    property,
    evidence,
    photos: photos.map(({ number, sourceUrl }) => ({ number, alt: captions.get(sourceUrl) ?? null })),
    photosFailed,
    isReserved,
    energy: { ...readEnergy, ...energy },
    advertising: { ...noStatements, ...advertising },
    ...choices,
  }
}

/** Ends a sheet as failed, and refunds the quota. */
async function failFicha(
  tx: Tx,
  claimed: Pick<queries.ClaimedFicha, 'id' | 'runToken' | 'createdAt'>,
  cause: unknown,
): Promise<void> {
  const error = toGenerationFailure(cause) ?? {
    code: 'INTERNAL',
    message: 'Something went wrong on our side. It has been recorded.',
  }
  if (!(await queries.finishFicha(tx, claimed, error))) return
  await refund(tx, fichasPerMonth, [claimed.createdAt.toTemporalInstant()])
  notifyProgress(tx, fichaKind, claimed.id)
}

/** Every ten minutes: enqueues the job again for sheets that have lost it. */
export const requeueStalledFichas = requeueStalledOperations(fichaKind, async (tx, { id }) => {
  const claimed = await queries.claimFicha(tx, id)
  if (claimed) await failFicha(tx, claimed, null)
})
