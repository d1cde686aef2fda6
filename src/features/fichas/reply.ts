/** Converts stored sheets to API replies. */

import type { Branding } from '../../documents/document.ts'
import { noStatements } from '../../domain/advertising-rules/advertised-property.ts'
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { readSetting } from '../../kit/settings/setting-store.ts'
import { readBrandingFacts } from '../identity/settings.ts'
import { type ShareDependencies, type SharedDocument, toShare, toShareOptions } from '../shares/service.ts'
import { toDay } from './advertising.ts'
import type { FichaChoices, FichaContent, StoredAgent, StoredPhoto } from './content.ts'
import { fichaObjectKind } from './operation.ts'
import { type FichaRow, findFichas, getFicha, type VersionRow } from './queries.ts'
import type { Ficha, FichaVersion, FichaWithoutLinks } from './schemas.ts'
import { sheetDefaults } from './settings.ts'
import { toWarnings } from './warnings.ts'

export type ReplyDependencies = ShareDependencies

type FichaBranding = Ficha['branding']

/** What all replies of a workspace have in common. */
interface WorkspaceFacts {
  branding: FichaBranding
  /** The day on which the laws on advertising are in force. */
  today: Temporal.PlainDate
}

async function readWorkspaceFacts(tx: Tx): Promise<WorkspaceFacts> {
  const [{ branding, timezone }, { legalText }] = await Promise.all([
    readBrandingFacts(tx),
    readSetting(tx, sheetDefaults),
  ])
  return { branding: toFichaBranding(branding, legalText), today: toDay(getNow(tx), timezone) }
}

function toFichaBranding(
  { name, color, phone, email, website }: Omit<Branding, 'logo'>,
  legalText: string | null,
): FichaBranding {
  return { name, color, phone, email, website, legalText }
}

/** Throws 404 if there is no such sheet. */
export async function readFicha(tx: Tx, id: string, dependencies: ReplyDependencies): Promise<Ficha> {
  return toFicha(await getFicha(tx, id), await readWorkspaceFacts(tx), dependencies)
}

export async function toFichas(tx: Tx, rows: FichaRow[], dependencies: ReplyDependencies): Promise<Ficha[]> {
  const facts = await readWorkspaceFacts(tx)
  return Promise.all(rows.map(row => toFicha(row, facts, dependencies)))
}

/** Null if there is no such sheet any more. */
export async function findReply(tx: Tx, id: string, dependencies: ReplyDependencies): Promise<Ficha | null> {
  const rows = await findFichas(tx, [id])
  return (await toFichas(tx, rows, dependencies))[0] ?? null
}

/** The present state of sheets in messages. Sheets that no longer exist are left out. */
export async function readFichasWithoutLinks(tx: Tx, ids: string[]): Promise<FichaWithoutLinks[]> {
  const [rows, facts] = await Promise.all([findFichas(tx, ids), readWorkspaceFacts(tx)])
  return rows.map(row => toFichaWithoutLinks(row, facts))
}

async function toFicha(
  row: FichaRow,
  facts: WorkspaceFacts,
  dependencies: ReplyDependencies,
): Promise<Ficha> {
  const { content } = row
  const share = await toShare(row.share, toShareOptions(sharedSheet, dependencies))
  const own = `${dependencies.baseUrl}/public/v1/fichas/${row.id}`
  return {
    ...toFichaWithoutLinks(row, facts),
    evidence: content?.evidence ?? {},
    links: {
      html: content && `${own}/sheet`,
      pdf: content && `${own}/sheet.pdf`,
      share: share?.url ?? null,
      qr: share && `${own}/qr.svg`,
    },
    share,
  }
}

function toFichaWithoutLinks(row: FichaRow, { branding, today }: WorkspaceFacts): FichaWithoutLinks {
  const { id, status, platform, sourceUrl, leadId, content, choices, version, error } = row
  return {
    id,
    status,
    platform,
    sourceUrl,
    leadId,
    ...toContentFields(content ?? toEmptyContent(choices)),
    branding,
    photos: content ? toPhotos(content, row.photos) : [],
    warnings: content ? toWarnings(content, today) : [],
    version,
    error,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toFichaVersion(
  { version, content, createdAt }: VersionRow,
  photos: StoredPhoto[],
): FichaVersion {
  return {
    version,
    ...toContentFields(content),
    photos: toPhotos(content, photos),
    createdAt: createdAt.toISOString(),
  }
}

type ShownContent = Pick<
  FichaContent,
  'privacy' | 'energy' | 'advertising' | 'agent' | 'layout' | 'language'
> & {
  property: FichaContent['property'] | null
}

function toContentFields({ property, privacy, energy, advertising, agent, layout, language }: ShownContent) {
  return { property, privacy, energy, advertising, agent: agent && toAgent(agent), layout, language }
}

/** What is known before the listing is read. */
function toEmptyContent({ energy, advertising, ...choices }: FichaChoices): ShownContent {
  return {
    property: null,
    energy: { rating: null, emissions: null, consumptionKwhM2: null, emissionsKgM2: null, ...energy },
    advertising: { ...noStatements, ...advertising },
    ...choices,
  }
}

function toAgent({ name, phone, email, licence, photoBlobId }: StoredAgent): NonNullable<Ficha['agent']> {
  return { name, phone, email, licence, hasPhoto: photoBlobId !== null }
}

function toPhotos(content: FichaContent, photos: StoredPhoto[]): Ficha['photos'] {
  const byNumber = new Map(photos.map(photo => [photo.number, photo]))
  const included = content.photos.flatMap(({ number, alt }) => {
    const photo = byNumber.get(number)
    byNumber.delete(number)
    return photo ? [toPhoto(photo, alt, true)] : []
  })
  return [...included, ...[...byNumber.values()].map(photo => toPhoto(photo, null, false))]
}

function toPhoto(
  { number, widthPx, heightPx, sourceUrl }: StoredPhoto,
  alt: string | null,
  isIncluded: boolean,
): Ficha['photos'][number] {
  return { number, alt, isIncluded, widthPx, heightPx, sourceUrl }
}

/** The public links to sheets. */
export const sharedSheet: SharedDocument = {
  kind: fichaObjectKind,
  collection: 'fichas',
  pdfName: 'sheet.pdf',
}
