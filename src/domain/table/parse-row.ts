/** Parses one row of an imported table or NDJSON file into a lead. */
import { splitList, toCellText } from './cell-text.ts'
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
import { parseExported, resolveCustomFields, setCustom, setCustomFields } from './exported-cells.ts'
import type { ImportedLead, RowProblem } from './imported-lead.ts'
import type { LeadField, Mapping, NamedLeadField } from './lead-fields.ts'
import {
  addFeatures,
  addImages,
  createPriceSetter,
  parseUrl,
  resolveAddress,
  resolveCoordinates,
  resolveCurrency,
  resolvePrices,
  setCondition,
  setCurrency,
  setFloor,
  setFloorText,
  setOperation,
  setPrice,
  setPropertyType,
} from './property-cells.ts'
import { RowBuilder } from './row-builder.ts'
import { type Column, flattenObject, formatCell, toColumn, toColumns } from './row-values.ts'
import { truncateText } from './text-lengths.ts'
import { parseDate } from './value-dates.ts'
import { parseAreaCell, parseCount, parseDegrees, parsePostcode } from './value-numbers.ts'

export interface RowOptions {
  /** ISO 3166-1 alpha-2: the country of phones without a prefix and of postcodes. */
  country: string
  /** ISO 4217: the currency of prices that state none. */
  currency: string
  /** The file is our own export: unchanged values are parsed exactly. */
  isExport?: boolean
}

export interface ParsedRow {
  /** Null if nothing in the row identifies a person or a property. */
  lead: ImportedLead | null
  problems: RowProblem[]
}

type CellHandler = (builder: RowBuilder, text: string, options: RowOptions) => void

const cellHandlers: Record<NamedLeadField, CellHandler> = {
  'contact.name': (builder, text) => builder.setOnce(builder.lead.contact, 'name', toOneLine(text), text),
  'contact.firstName': (builder, text) => builder.firstNames.push(toOneLine(text)),
  'contact.lastName': (builder, text) => builder.lastNames.push(toOneLine(text)),
  'contact.phone': (builder, text, { country }) => addPhones(builder, text, country),
  'contact.email': addEmails,
  'contact.identifiers': (builder, text, { country }) => addIdentifiers(builder, text, country),
  'contact.advertiserType': setAdvertiserType,
  'property.operation': setOperation,
  'property.propertyType': setPropertyType,
  'property.title': (builder, text) => builder.setProperty('title', text, toOneLine(text)),
  'property.description': (builder, text) => builder.setProperty('description', text, text),
  'property.price': setPrice,
  'property.salePrice': createPriceSetter('sale'),
  'property.rentPrice': createPriceSetter('rent'),
  'property.currency': setCurrency,
  'property.squareMeters': (builder, text) => builder.setProperty('squareMeters', text, parseAreaCell(text)),
  'property.rooms': (builder, text) => builder.setProperty('rooms', text, parseCount(text, 'rooms')),
  'property.bedrooms': (builder, text) => builder.setProperty('bedrooms', text, parseCount(text, 'bedrooms')),
  'property.bathrooms': (builder, text) =>
    builder.setProperty('bathrooms', text, parseCount(text, 'bathrooms')),
  'property.floor': setFloor,
  'property.floorText': setFloorText,
  'property.condition': setCondition,
  'property.features': addFeatures,
  'property.address': (builder, text) => builder.setProperty('address', text, toOneLine(text)),
  'property.streetNumber': (builder, text) => {
    builder.streetNumber = toOneLine(text)
  },
  'property.municipality': (builder, text) => builder.setProperty('municipality', text, toOneLine(text)),
  'property.province': (builder, text) => builder.setProperty('province', text, toOneLine(text)),
  'property.postcode': (builder, text, { country }) =>
    builder.setProperty('postcode', text, parsePostcode(text, country)),
  'property.latitude': (builder, text) => builder.setProperty('latitude', text, parseDegrees(text, 90)),
  'property.longitude': (builder, text) => builder.setProperty('longitude', text, parseDegrees(text, 180)),
  'property.images': addImages,
  'property.url': (builder, text) => builder.setProperty('url', text, parseUrl(text)),
  'property.publishedAt': (builder, text) => builder.setProperty('publishedAt', text, parseDate(text)),
  status: setStatus,
  tags: (builder, text) => addTags(builder.lead, text),
  note: addNote,
  aldabaId: (builder, text) => builder.setOnce(builder.lead, 'aldabaId', text, text),
  externalId: (builder, text) => builder.setOnce(builder.lead, 'externalId', text, text),
  customFields: setCustomFields,
  'lawfulBasis.kind': setLawfulBasis,
  'lawfulBasis.at': setLawfulBasisDate,
  'lawfulBasis.proof': setLawfulBasisProof,
  'lawfulBasis.channels': setLawfulBasisChannels,
  'lawfulBasis.expiresAt': setLawfulBasisEnd,
}

/**
 * Parses the cells of a table row, or the object of a JSON line, by a mapping. Values are repaired if their meaning is
 * clear; an unreadable value is a problem, and the rest of the row is kept. `headings`: those of the table, in order.
 * The headings of an object are the paths of its values (`contact.name`).
 */
export function parseRow(
  cells: readonly string[],
  mapping: Mapping,
  options: RowOptions & { headings: readonly string[] },
): ParsedRow
export function parseRow(value: Record<string, unknown>, mapping: Mapping, options: RowOptions): ParsedRow
export function parseRow(
  row: readonly string[] | Record<string, unknown>,
  mapping: Mapping,
  options: RowOptions & { headings?: readonly string[] },
): ParsedRow {
  const builder = new RowBuilder()
  if (isCells(row))
    for (const [index, column] of toColumns(options.headings ?? [], mapping).entries()) {
      const cell = row[index]
      if (column !== null && cell !== undefined && cell !== '')
        applyCell(builder, column, cell, cell, options)
    }
  else
    for (const [heading, value] of flattenObject(row)) {
      const column = toColumn(heading, mapping)
      if (column !== null)
        applyCell(builder, column, joinCells(column, value) ?? formatCell(value), value, options)
    }
  return finishRow(builder, options)
}

/** A JSON list is kept as JSON, so that a comma in an item does not split it. */
function joinCells({ field }: Column, value: unknown): string | null {
  const isList = Array.isArray(value) && value.length > 0 && listFields.has(field)
  return isList ? JSON.stringify(value.map(formatCell)) : null
}

const listFields: ReadonlySet<LeadField> = new Set<LeadField>([
  'tags',
  'contact.identifiers',
  'property.images',
])

function isCells(row: readonly string[] | Record<string, unknown>): row is readonly string[] {
  return Array.isArray(row)
}

/** `value` is the original value: a custom field of a JSON line keeps its type. */
function applyCell(
  builder: RowBuilder,
  column: Column,
  cell: string,
  value: unknown,
  options: RowOptions,
): void {
  builder.column = column.heading
  if (options.isExport && parseExported(builder.lead, column, value, options.country)) return
  const text = toCellText(cell)
  if (text === null) return
  if (column.custom === null) {
    const field = column.field as NamedLeadField
    const truncated = truncateText(field, text)
    if (truncated.problem) builder.report(text, truncated.problem)
    if (truncated.text !== null) cellHandlers[field](builder, truncated.text, options)
  } else {
    setCustom(builder.lead, column.custom, typeof value === 'string' ? text : value)
  }
}

function finishRow(builder: RowBuilder, { currency, isExport = false }: RowOptions): ParsedRow {
  const { lead, problems, firstNames, lastNames } = builder
  const joinedText = [...firstNames, ...lastNames].join(' ')
  if (joinedText !== '' && lead.contact.name === undefined) buildName(builder, joinedText)
  resolvePrices(builder)
  resolveAddress(builder)
  // An export states the currency of every price that has one.
  resolveCurrency(builder, isExport ? null : currency)
  if (!isExport) resolveCoordinates(builder)
  resolveCustomFields(builder)
  const { contact, property } = lead
  const identifyingValues = [
    contact.name,
    contact.phones[0],
    contact.emails[0],
    property.address,
    property.title,
    property.url,
    isExport ? lead.aldabaId : undefined,
  ]
  if (identifyingValues.some(value => value !== undefined)) return { lead, problems }
  const message =
    'The row has no name, phone number, e-mail address, title, address or link to identify it by.'
  problems.push({ column: null, value: '', code: 'NOT_IDENTIFIABLE', message })
  return { lead: null, problems }
}

/** Joined names may be too long, even if each part is not. */
function buildName(builder: RowBuilder, joinedText: string): void {
  const { text, problem } = truncateText('contact.name', joinedText)
  if (problem) builder.report(joinedText, problem)
  if (text !== null) builder.lead.contact.name = text
}

const unevenSpacePattern = /\s\s|[^\S ]/

function toOneLine(text: string): string {
  return unevenSpacePattern.test(text) ? text.replace(/\s+/g, ' ') : text
}

/** Columns of notes are joined to one note, whose length is limited. */
function addNote(builder: RowBuilder, text: string): void {
  const { lead } = builder
  const { text: note, problem } = truncateText(
    'note',
    lead.note === undefined ? text : `${lead.note}\n${text}`,
  )
  if (problem) builder.report(text, problem)
  if (note !== null) lead.note = note
}

function addTags(lead: ImportedLead, text: string): void {
  lead.tags = [...new Set([...lead.tags, ...splitList(text)])]
}
