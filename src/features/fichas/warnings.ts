/** Says what a sheet lacks. */
import { checkAdvertising } from '../../domain/advertising-rules/check-advertising.ts'
import type { FichaContent } from './content.ts'
import type { Ficha } from './schemas.ts'
import type { SheetWarningCode } from './sheet/sheet.ts'

type Warning = Ficha['warnings'][number] & { code: SheetWarningCode }

/** `today`: the laws in force on this day count. */
export function toWarnings(content: FichaContent, today: Temporal.PlainDate): Warning[] {
  return [...checkAdvertising(content, today), ...toListingWarnings(content)]
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
