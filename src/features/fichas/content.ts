/** The content of one version of a sheet, as stored. */
import type { AdvertisingStatements } from '../../domain/advertising-rules/advertised-property.ts'
import type { Static } from '../../kit/schema.ts'
import type { AdvertisingChanges } from './advertising-schemas.ts'
import type { SheetEnergy, SheetLanguage, SheetLayout } from './sheet/sheet.ts'
import type { EnergyChanges, FichaProperty, NewAgent, Privacy } from './sheet-schemas.ts'

export interface StoredAgent {
  name: string
  phone: string | null
  email: string | null
  licence: string | null
  photoBlobId: string | null
}

/** Where a value of the property comes from. `confidence`: from 0 to 1; null: unknown. */
export interface FieldEvidence {
  source: string
  where: string | null
  confidence: number | null
}

export interface FichaContent {
  property: FichaProperty
  /** By field of the property. An edited field has the source `edited`. */
  evidence: Record<string, FieldEvidence>
  /** The photos of the sheet, in its order. */
  photos: { number: number; alt: string | null }[]
  /** The photos of the listing that could not be copied. */
  photosFailed: number
  /** The portal marked the listing as reserved when it was read. */
  isReserved: boolean
  privacy: Privacy
  energy: SheetEnergy
  /** What the agent states because the law requires it. */
  advertising: AdvertisingStatements
  agent: StoredAgent | null
  layout: SheetLayout
  language: SheetLanguage
}

/** The choices of the request that makes a sheet, with all defaults filled in. */
export interface FichaChoices extends Pick<FichaContent, 'privacy' | 'agent' | 'layout' | 'language'> {
  /** Replaces what the listing says. */
  energy: EnergyChanges | null
  advertising: AdvertisingChanges | null
}

export interface StoredPhoto {
  number: number
  sourceUrl: string
  /** The size of the largest blob. */
  widthPx: number
  heightPx: number
  /** The narrowest first. */
  sizes: { widthPx: number; blobId: string }[]
}

/** The fields of an agent, without its photo. */
export function toStoredAgent(
  { name, phone = null, email = null, licence = null }: NewAgent,
  photoBlobId: string | null,
): StoredAgent {
  return { name, phone, email, licence, photoBlobId }
}

export type PropertyField = keyof Static<typeof FichaProperty>
