/** Says what a sheet lacks. */
import type { FichaContent } from './content.ts'
import type { SheetWarning } from './sheet/sheet.ts'

export function toWarnings({ photos, photosFailed }: FichaContent): SheetWarning[] {
  const warnings: SheetWarning[] = []
  const recommend = (code: string, field: string, message: string) =>
    warnings.push({ code, field, severity: 'recommended', message })
  if (photosFailed > 0)
    recommend('PHOTOS_FAILED', 'photos', `${photosFailed} photos of the listing could not be copied.`)
  if (photos.length === 0) recommend('NO_PHOTOS', 'photos', 'The sheet has no photo.')
  return warnings
}
