// One row of an imported table or file of JSON lines, read into a lead.
import { cellText, splitList } from './cell-text.ts'
import {
  addEmails,
  addIdentifiers,
  addPhones,
  setAdvertiserType,
  setLawfulBasis,
  setLawfulBasisChannels,
  setLawfulBasisDate,
  setLawfulBasisEnd,
  setLawfulBasisProof,
  setStatus,
} from './contact-cells.ts'
import { readExported, setCustom, setCustomFields, settleCustomFields } from './exported-cells.ts'
import type { ImportedLead, RowProblem } from './imported-lead.ts'
import type { LeadField, Mapping, NamedLeadField } from './lead-fields.ts'
import {
  addFeatures,
  addImages,
  readUrl,
  setCondition,
  setCurrency,
  setFloor,
  setFloorText,
  setOperation,
  setPrice,
  setPriceOf,
  setPropertyType,
  settleAddress,
  settleCoordinates,
  settleCurrency,
  settlePrices,
} from './property-cells.ts'
import { RowDraft } from './row-draft.ts'
import { type Column, cellOf, columnOf, columnsOf, flattenObject } from './row-values.ts'
import { fitText } from './text-lengths.ts'
import { readDate } from './value-dates.ts'
import { readArea, readCount, readDegrees, readPostcode } from './value-numbers.ts'

export interface RowOptions {
  /** ISO 3166-1 alpha-2: how telephone numbers without a prefix and postcodes are read. */
  country: string
  /** ISO 4217, of prices that name none. */
  currency: string
  /** The file is an export of ours: values are read as they stand, unless somebody has changed them since. */
  isExport?: boolean
}

export interface RowReading {
  /** Null: the row has nothing by which a person or a property could be told again. */
  lead: ImportedLead | null
  problems: RowProblem[]
}

type CellReader = (draft: RowDraft, text: string, options: RowOptions) => void

const READERS: Record<NamedLeadField, CellReader> = {
  'contact.name': (draft, text) => draft.give(draft.lead.contact, 'name', oneLine(text), text),
  'contact.firstName': (draft, text) => draft.firstNames.push(oneLine(text)),
  'contact.lastName': (draft, text) => draft.lastNames.push(oneLine(text)),
  'contact.phone': (draft, text, { country }) => addPhones(draft, text, country),
  'contact.email': addEmails,
  'contact.identifiers': (draft, text, { country }) => addIdentifiers(draft, text, country),
  'contact.advertiserType': setAdvertiserType,
  'property.operation': setOperation,
  'property.propertyType': setPropertyType,
  'property.title': (draft, text) => draft.property('title', text, oneLine(text)),
  'property.description': (draft, text) => draft.property('description', text, text),
  'property.price': setPrice,
  'property.salePrice': setPriceOf('sale'),
  'property.rentPrice': setPriceOf('rent'),
  'property.currency': setCurrency,
  'property.squareMeters': (draft, text) => draft.property('squareMeters', text, readArea(text)),
  'property.rooms': (draft, text) => draft.property('rooms', text, readCount(text, 'rooms')),
  'property.bedrooms': (draft, text) => draft.property('bedrooms', text, readCount(text, 'bedrooms')),
  'property.bathrooms': (draft, text) => draft.property('bathrooms', text, readCount(text, 'bathrooms')),
  'property.floor': setFloor,
  'property.floorText': setFloorText,
  'property.condition': setCondition,
  'property.features': addFeatures,
  'property.address': (draft, text) => draft.property('address', text, oneLine(text)),
  'property.streetNumber': (draft, text) => {
    draft.streetNumber = oneLine(text)
  },
  'property.municipality': (draft, text) => draft.property('municipality', text, oneLine(text)),
  'property.province': (draft, text) => draft.property('province', text, oneLine(text)),
  'property.postcode': (draft, text, { country }) =>
    draft.property('postcode', text, readPostcode(text, country)),
  'property.latitude': (draft, text) => draft.property('latitude', text, readDegrees(text, 90)),
  'property.longitude': (draft, text) => draft.property('longitude', text, readDegrees(text, 180)),
  'property.images': addImages,
  'property.url': (draft, text) => draft.property('url', text, readUrl(text)),
  'property.publishedAt': (draft, text) => draft.property('publishedAt', text, readDate(text)),
  status: setStatus,
  tags: (draft, text) => addTags(draft.lead, text),
  note: addNote,
  aldabaId: (draft, text) => draft.give(draft.lead, 'aldabaId', text, text),
  externalId: (draft, text) => draft.give(draft.lead, 'externalId', text, text),
  customFields: setCustomFields,
  'lawfulBasis.kind': setLawfulBasis,
  'lawfulBasis.at': setLawfulBasisDate,
  'lawfulBasis.proof': setLawfulBasisProof,
  'lawfulBasis.channels': setLawfulBasisChannels,
  'lawfulBasis.expiresAt': setLawfulBasisEnd,
}

/**
 * Reads the cells of a table's row, or the object of a JSON line, by a mapping. Values are repaired where it is plain what
 * they were; one that cannot be read is a problem of the row, and the rest stands. `headings`: those of the table, in order;
 * the headings of an object are the paths of its values (`contact.name`).
 */
export function readRow(
  cells: readonly string[],
  mapping: Mapping,
  options: RowOptions & { headings: readonly string[] },
): RowReading
export function readRow(value: Record<string, unknown>, mapping: Mapping, options: RowOptions): RowReading
export function readRow(
  row: readonly string[] | Record<string, unknown>,
  mapping: Mapping,
  options: RowOptions & { headings?: readonly string[] },
): RowReading {
  const draft = new RowDraft()
  if (isCells(row))
    for (const [at, column] of columnsOf(options.headings ?? [], mapping).entries()) {
      const cell = row[at]
      if (column !== null && cell !== undefined && cell !== '') readCell(draft, column, cell, cell, options)
    }
  else
    for (const [heading, value] of flattenObject(row)) {
      const column = columnOf(heading, mapping)
      if (column !== null) readCell(draft, column, cellOfList(column, value) ?? cellOf(value), value, options)
    }
  return settle(draft, options)
}

/** A list in JSON is parted already: a comma in one of its words parts nothing. */
function cellOfList({ field }: Column, value: unknown): string | null {
  const isList = Array.isArray(value) && value.length > 0 && LISTS.has(field)
  return isList ? JSON.stringify(value.map(cellOf)) : null
}

const LISTS: ReadonlySet<LeadField> = new Set<LeadField>(['tags', 'contact.identifiers', 'property.images'])

function isCells(row: readonly string[] | Record<string, unknown>): row is readonly string[] {
  return Array.isArray(row)
}

/** `value`: as it came; a custom field of a JSON line keeps its type. */
function readCell(draft: RowDraft, column: Column, cell: string, value: unknown, options: RowOptions): void {
  draft.column = column.heading
  if (options.isExport && readExported(draft.lead, column, value, options.country)) return
  const text = cellText(cell)
  if (text === null) return
  if (column.custom === null) {
    const field = column.field as NamedLeadField
    const fitting = fitText(field, text)
    if (fitting.problem) draft.report(text, fitting.problem)
    if (fitting.text !== null) READERS[field](draft, fitting.text, options)
  } else {
    setCustom(draft.lead, column.custom, typeof value === 'string' ? text : value)
  }
}

function settle(draft: RowDraft, { currency, isExport = false }: RowOptions): RowReading {
  const { lead, problems, firstNames, lastNames } = draft
  const joined = [...firstNames, ...lastNames].join(' ')
  if (joined !== '' && lead.contact.name === undefined) setName(draft, joined)
  settlePrices(draft)
  settleAddress(draft)
  // An export states the currency wherever it is known.
  settleCurrency(draft, isExport ? null : currency)
  if (!isExport) settleCoordinates(draft)
  settleCustomFields(draft)
  const { contact, property } = lead
  const signs = [
    contact.name,
    contact.phones[0],
    contact.emails[0],
    property.address,
    property.title,
    property.url,
    isExport ? lead.aldabaId : undefined,
  ]
  if (signs.some(sign => sign !== undefined)) return { lead, problems }
  const message = 'The row has no name, phone number, e-mail address, title, address or link to know it by.'
  problems.push({ column: null, value: '', code: 'NOTHING_TO_RECOGNISE', message })
  return { lead: null, problems }
}

/** First and last names may be short enough each and too long together. */
function setName(draft: RowDraft, joined: string): void {
  const { text, problem } = fitText('contact.name', joined)
  if (problem) draft.report(joined, problem)
  if (text !== null) draft.lead.contact.name = text
}

const UNEVEN_SPACE = /\s\s|[^\S ]/

function oneLine(text: string): string {
  return UNEVEN_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text
}

/** Columns of notes are one note, which has the bounds of one. */
function addNote(draft: RowDraft, text: string): void {
  const { lead } = draft
  const { text: note, problem } = fitText('note', lead.note === undefined ? text : `${lead.note}\n${text}`)
  if (problem) draft.report(text, problem)
  if (note !== null) lead.note = note
}

function addTags(lead: ImportedLead, text: string): void {
  lead.tags = [...new Set([...lead.tags, ...splitList(text)])]
}
