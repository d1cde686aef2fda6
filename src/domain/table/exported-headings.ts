/** Recognizes our own exports by their headings. */
import { isLeadField, type LeadField } from './lead-fields.ts'

/** The top-level fields of a lead, with which the headings of an export begin. */
export const leadFieldNames = [
  'id',
  'externalId',
  'status',
  'contact',
  'property',
  'priceHistory',
  'sources',
  'campaignId',
  'ownerUserId',
  'tags',
  'customFields',
  'contactability',
  'notesCount',
  'createdAt',
  'updatedAt',
  'lastContactedAt',
  'lastReplyAt',
]
const exportGroups: ReadonlySet<string> = new Set(leadFieldNames)
const importedFields = new Set(['id', 'externalId', 'status', 'contact', 'property', 'tags', 'customFields'])
/** Minimum number of our own headings that is no coincidence. */
const ownHeadingsMin = 3

/**
 * Maps the headings of a file, or the names in its lines, to fields if the file is our own export. Null is a field that
 * a file cannot change, such as the creation date; undefined is not one of our headings.
 */
export function findExportedFields(
  headings: readonly string[],
): (heading: string) => LeadField | null | undefined {
  const ownHeadings = headings.filter(
    heading => heading.includes('.') && exportGroups.has(heading.split('.', 1)[0]!),
  )
  if (ownHeadings.length < ownHeadingsMin) return () => undefined
  return heading => {
    if (heading === 'id') return 'aldabaId'
    if (isLeadField(heading)) return heading
    const name = heading.split('.', 1)[0]!
    return exportGroups.has(name) && !importedFields.has(name) ? null : undefined
  }
}

/** A file with all these headings is an export, so its unchanged cells are parsed exactly. */
const exportHeadings = ['id', 'createdAt', 'updatedAt', 'contact.phone']

/** Returns true if the headings, or the names in the lines, are those of our own export. */
export function isExport(headings: readonly string[]): boolean {
  return exportHeadings.every(heading => headings.includes(heading))
}
