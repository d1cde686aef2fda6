/** Says what a sheet lacks. */
import {
  type AdvertisingWarning,
  checkAdvertising,
} from '../../domain/advertising-rules/check-advertising.ts'
import type { FichaContent } from './content.ts'
import { reduceAddressLine } from './privacy.ts'
import type { Ficha } from './schemas.ts'
import type { SheetWarningCode } from './sheet/sheet.ts'

type Warning = Ficha['warnings'][number] & { code: SheetWarningCode }

/** `today`: the laws in force on this day count. */
export function toWarnings(content: FichaContent, today: Temporal.PlainDate): Warning[] {
  return [...listMissingStatements(content, today), ...toListingWarnings(content)]
}

/** What laws require and the sheet does not print. The hidden postcode still says which laws apply. */
export function listMissingStatements(
  { property, privacy, ...content }: FichaContent,
  today: Temporal.PlainDate,
): AdvertisingWarning[] {
  const printed = {
    ...property,
    address: reduceAddressLine(property.address, privacy.address),
    price: property.currency === null ? null : property.price,
  }
  return checkAdvertising({ ...content, property: printed }, today)
}

function toListingWarnings({ photos, photosFailed, isReserved }: FichaContent): Warning[] {
  const warnings: Warning[] = []
  const recommend = (code: SheetWarningCode, field: string, message: string) =>
    warnings.push({ code, field, severity: 'recommended', message, law: null, confirmation: null })
  if (isReserved)
    recommend('LISTING_RESERVED', 'property', 'The portal showed the listing as reserved when it was read.')
  if (photosFailed > 0)
    recommend('PHOTOS_FAILED', 'photos', `${photosFailed} photos of the listing could not be copied.`)
  if (photos.length === 0) recommend('NO_PHOTOS', 'photos', 'The sheet has no photo.')
  return warnings
}
