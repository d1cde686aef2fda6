/** Reads everything that the rendering of a sheet needs. */
import { buffer } from 'node:stream/consumers'
import type { Blobs } from '../../kit/blobs/blobs.ts'
import { getNow } from '../../kit/clock/clock.ts'
import type { Cipher } from '../../kit/crypto.ts'
import type { Tx } from '../../kit/db/index.ts'
import { mapConcurrently } from '../../kit/map-concurrently.ts'
import { Problem } from '../../kit/problem.ts'
import { readSetting } from '../../kit/settings/setting-store.ts'
import { readBranding } from '../identity/settings.ts'
import { toShare, toShareOptions } from '../shares/service.ts'
import { toDay } from './advertising.ts'
import type { FichaContent, StoredPhoto } from './content.ts'
import { applyPrivacy, createTextReducer } from './privacy.ts'
import { fichaNotReady } from './problems.ts'
import { type FichaRow, getFicha } from './queries.ts'
import { type ReplyDependencies, sharedSheet } from './reply.ts'
import { sheetDefaults } from './settings.ts'
import type { PhotoSource, Sheet, SheetAgent, SheetLanguage, SheetPhoto } from './sheet/sheet.ts'
import { makeSheetMap, type SheetMapDependencies } from './sheet-map.ts'
import { toWarnings } from './warnings.ts'

/** The cover is shown larger than the other photos. */
const coverWidthMaxPx = 1600
const photoWidthMaxPx = 960
/** Files that are read at once. Each takes one of Node's four pool threads, which images need too. */
const filesAtOnce = 4

/** A ready sheet, before its files are read. */
export interface ReadyFicha {
  row: FichaRow & { content: FichaContent }
  sheet: Omit<Sheet, 'photos' | 'agent' | 'map'>
}

/** Throws 404 if there is no such sheet, 409 FICHA_NOT_READY. */
export async function readReadyFicha(
  tx: Tx,
  fichaId: string,
  dependencies: ReplyDependencies,
): Promise<ReadyFicha> {
  const row = await getFicha(tx, fichaId)
  assertReady(row)
  const [{ branding, timezone }, { legalText }, share] = await Promise.all([
    readBranding(tx),
    readSetting(tx, sheetDefaults),
    toShare(row.share, toShareOptions(sharedSheet, dependencies)),
  ])
  const { content, platform, listingId } = row
  const { language, layout, energy, advertising, privacy } = content
  const isEmpty = Object.values(energy).every(value => value === null)
  return {
    row,
    sheet: {
      language,
      layout,
      property: applyPrivacy(content.property, privacy, toSeed(dependencies.cipher, platform, listingId)),
      energy: isEmpty ? null : energy,
      statements: advertising,
      branding: { ...branding, legalText },
      shareUrl: share?.url ?? null,
      warnings: toWarnings(content, toDay(getNow(tx), timezone)),
      issuedAt: row.updatedAt.toTemporalInstant(),
      timezone,
    },
  }
}

/** Throws 409 FICHA_NOT_READY. */
export function assertReady(row: FichaRow): asserts row is FichaRow & { content: FichaContent } {
  if (row.content) return
  throw new Problem(
    fichaNotReady,
    row.status === 'failed'
      ? `The sheet could not be made: ${row.error?.message}`
      : 'The sheet is generating: wait until it is ready.',
  )
}

/** Secret, so that nobody can compute the exact point of a public listing from the approximate one. */
const toSeed = (cipher: Cipher, platform: string, listingId: string) =>
  cipher.digest(`point of a sheet\n${platform}\n${listingId}`)

interface SheetReader {
  tenantId: string
  /** Replaces the language of the sheet. */
  language?: SheetLanguage | undefined
}

export interface SheetFilesDependencies extends SheetMapDependencies {
  blobs: Blobs
}

/** Completes a sheet with the bytes of its photos, so that it needs no other file. */
export async function loadSheet(
  { row, sheet }: ReadyFicha,
  dependencies: SheetFilesDependencies,
  reader: SheetReader,
): Promise<Sheet> {
  const { blobs } = dependencies
  const { tenantId } = reader
  const chosen = choosePhotos(row)
  const files = chosen.flatMap(({ photo }, index) => {
    const widthMax = index === 0 ? coverWidthMaxPx : photoWidthMaxPx
    return photo.sizes.filter(({ widthPx }, at) => at === 0 || widthPx <= widthMax)
  })
  const sources = await mapConcurrently(files, filesAtOnce, async ({ widthPx, blobId }) => ({
    widthPx,
    blobId,
    bytes: await buffer(await blobs.read(tenantId, blobId)),
  }))
  const byBlob = new Map(sources.map(({ blobId, ...source }) => [blobId, source]))
  const photos = chosen.map(({ photo, alt }) =>
    toSheetPhoto(
      photo,
      photo.sizes.flatMap(({ blobId }) => byBlob.get(blobId) ?? []),
      alt,
    ),
  )
  return { ...(await addMapAndAgent({ row, sheet }, dependencies, reader)), photos }
}

/** Completes a sheet with the URLs of its photos, relative to the public page. */
export async function linkSheet(
  { row, sheet }: ReadyFicha,
  dependencies: SheetFilesDependencies,
  { token, ...reader }: SheetReader & { token: string },
): Promise<Sheet> {
  const photos = choosePhotos(row).map(({ photo, alt }) =>
    toSheetPhoto(
      photo,
      photo.sizes.map(({ widthPx }) => ({
        widthPx,
        url: `${token}/photos/${photo.number}-${widthPx}.jpg`,
      })),
      alt,
    ),
  )
  return { ...(await addMapAndAgent({ row, sheet }, dependencies, reader)), photos, warnings: [] }
}

async function addMapAndAgent(
  ready: ReadyFicha,
  dependencies: SheetFilesDependencies,
  { tenantId, language }: SheetReader,
): Promise<Omit<Sheet, 'photos'>> {
  const { row, sheet } = ready
  return {
    ...sheet,
    language: language ?? sheet.language,
    map: await loadMap(ready, dependencies, language),
    agent: await loadAgent(row.content, dependencies.blobs, tenantId),
  }
}

/** `language`: replaces the language of the sheet. */
export async function loadMap(
  { row: { content }, sheet }: ReadyFicha,
  dependencies: SheetMapDependencies,
  language = sheet.language,
): Promise<Sheet['map']> {
  return makeSheetMap({ ...sheet, language }, content.privacy, dependencies)
}

/** The photos of the sheet, with captions as its privacy allows. */
export function choosePhotos({
  content,
  photos,
}: ReadyFicha['row']): { photo: StoredPhoto; alt: string | null }[] {
  const byNumber = new Map(photos.map(photo => [photo.number, photo]))
  const reduce = createTextReducer(content.property, content.privacy.address)
  return content.photos.flatMap(({ number, alt }) => {
    const photo = byNumber.get(number)
    return photo ? [{ photo, alt: reduce(alt) }] : []
  })
}

function toSheetPhoto(
  { widthPx, heightPx }: StoredPhoto,
  sources: PhotoSource[],
  alt: string | null,
): SheetPhoto {
  return { widthPx, heightPx, sources, alt }
}

async function loadAgent(
  { agent }: FichaContent,
  blobs: Blobs,
  tenantId: string,
): Promise<SheetAgent | null> {
  if (!agent) return null
  const { photoBlobId, ...facts } = agent
  return { ...facts, photo: photoBlobId ? await buffer(await blobs.read(tenantId, photoBlobId)) : null }
}
