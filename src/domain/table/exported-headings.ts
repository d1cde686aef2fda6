/** The headings by which an export of ours is recognized, and the field of each. */
import { isLeadField, type LeadField } from './lead-fields.ts'

/** The properties of a lead's record, with which the headings of an export begin. */
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
/** So many headings in our own words are no chance. */
const ownHeadingsMin = 3

/**
 * For the headings of a file, or the names in its lines: what each is if the file is an export of ours. Null: something that
 * no file can change, such as when a lead was created; undefined: nothing of ours.
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

/** What no file but an export has, and what tells in one how its other cells are meant. */
const exportHeadings = ['id', 'createdAt', 'updatedAt', 'contact.phone']

/** Recognizes an export of ours by its headings, or by the names in its lines. */
export function isExport(headings: readonly string[]): boolean {
  return exportHeadings.every(heading => headings.includes(heading))
}
