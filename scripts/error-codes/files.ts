/** The codes of imported files and of their rows. */
import type { ErrorCodes } from './error-codes.ts'

/** Why a whole file is refused: in `errors` of the upload, or in `error` of the import. */
export const fileErrors: ErrorCodes = {
  FILE_EMPTY: ['The file is empty.', 'Export it again.'],
  EXCEL_WORKBOOK: [
    'The file is a workbook of Excel or another spreadsheet program.',
    'Save the sheet as CSV (UTF-8).',
  ],
  ARCHIVE: ['The file is a compressed archive.', 'Unpack it and send the CSV file inside.'],
  PDF: ['The file is a PDF.', 'Export the list as CSV.'],
  HTML_PAGE: [
    'The file is an HTML page, whatever its name.',
    'Open it in a spreadsheet program and save it as CSV.',
  ],
  XML: ['The file is an XML document.', 'Open it in a spreadsheet program and save it as CSV.'],
  VCARD: ['The file contains contact cards.', 'Export the contacts as CSV.'],
  JSON: ['The file is JSON.', 'Send NDJSON (`application/x-ndjson`), one object per line.'],
  JSON_ARRAY: ['The file is a JSON array.', 'Send NDJSON, one object per line.'],
  NO_JSON_LINES: ['No line of the NDJSON file is an object.', 'Send one JSON object per line.'],
  NOT_TEXT: ['The file is not text.', 'Export the table as CSV.'],
  HEADINGS_UNKNOWN: ['The first row has no known heading.', 'Send `mapping`, or add a row of headings.'],
  TOO_MANY_COLUMNS: ['The file has more than 500 columns.', 'Remove columns.'],
  QUOTE_NOT_CLOSED: [
    'A quotation mark is opened and never closed.',
    'Correct the line that the message names.',
  ],
  ROW_TOO_LARGE: [
    'A row is too long.',
    'Correct the row that the message names; often a quotation mark is missing.',
  ],
  COLUMNS_MISSING: [
    'Required columns of a market file are missing.',
    'Add the columns that the message names.',
  ],
  NO_PROPERTY: ['The XML file is no Kyero feed.', 'Export a Kyero v3 feed.'],
  FEED_INCOMPLETE: ['The Kyero feed is incomplete.', 'Fetch it again.'],
}

/** `warnings[].code` of an import: the file can be read, but perhaps not as intended. */
export const importWarnings: ErrorCodes = {
  NO_CONTACT_COLUMN: ['No column is a phone or an e-mail address.', 'If one is, name it in `mapping`.'],
  PHONES_FROM_ANOTHER_COUNTRY: [
    'Most numbers are not valid in the country of the workspace.',
    'Send the file with its country, such as `country=IT`.',
  ],
  BACKSLASH_BEFORE_SEPARATOR: [
    'A backslash does not keep a separator within a cell. Also a problem of a row.',
    'Export the table with double quotation marks around cells.',
  ],
  ODD_QUOTES: [
    'Quotation marks such as `“Ana”` count as text.',
    'Export the table with double quotation marks around cells.',
  ],
}

/** `reason` of a row of an import: it was skipped, failed, or not undone. */
export const rowReasons: ErrorCodes = {
  LEAD_EXISTS: ['The lead is known, and known leads were to be skipped.', 'Nothing, or import with updates.'],
  DUPLICATE_IN_FILE: ['An earlier row is about the same person and property.', 'Nothing.'],
  QUOTA_EXCEEDED: [
    'The monthly quota of new leads is used up.',
    'Import the file again when the quota is renewed.',
  ],
  SUPPRESSED: ['The person was erased, and is not stored again.', 'Nothing.'],
  NOT_IDENTIFIABLE: [
    'The row has no name, phone, e-mail address, title, address or link.',
    'Add one of them.',
  ],
  NOT_JSON: ['The line is not a JSON object, or has more than 64 levels.', 'Correct the line.'],
  TOO_LARGE: ['The row is longer than 1 MiB.', 'Shorten it.'],
  NOT_STORABLE: ['The row contains text that cannot be stored.', 'Correct the row.'],
  CHANGED_SINCE: [
    'Not undone, or only in part: the lead was changed since, or has another source.',
    'Change or delete the lead by hand.',
  ],
  LEAD_DELETED: ['Nothing to undo: the lead no longer exists.', 'Nothing.'],
}

/** `problems[].code` of a row of an import: a value was not imported, the rest of the row was. */
export const rowProblems: ErrorCodes = {
  ADVERTISER_TYPE_UNKNOWN: ['The cell does not say who advertises.', 'Write `private` or `agency`.'],
  AREA_INVALID: ['The cell is not an area.', 'Write square metres as a number, as 85.'],
  CHANNEL_UNKNOWN: ['The cell does not name channels.', 'Write `chat`, `phone` or `email`.'],
  COLUMN_UNKNOWN: ['The column is not known, or occurs only in some lines.', 'Name it in `mapping`.'],
  CONDITION_UNKNOWN: ['The cell does not name a condition.', 'Write `new`, `good` or `to_renovate`.'],
  COORDINATE_ALONE: ['Only one of latitude and longitude is present.', 'Write both.'],
  COORDINATE_INVALID: ['The cell is not a coordinate.', 'Write degrees, as 41.39.'],
  COUNT_INVALID: ['The cell is not a count.', 'Write a number, as 3.'],
  CURRENCY_INVALID: ['The cell is not a currency.', 'Write its code, as EUR.'],
  CURRENCY_UNKNOWN: [
    'The sign of the price does not say which currency it is.',
    'Add a column with the currency code.',
  ],
  CUSTOM_FIELDS_INVALID: [
    'The cell of `customFields` is not a JSON object.',
    'Write one, as `{"colour": "red"}`.',
  ],
  DATE_INVALID: ['The cell is not a date.', 'Write it as 2026-11-03.'],
  EMAIL_INVALID: ['The cell is not an e-mail address.', 'Correct it.'],
  EXTERNAL_ID_TOO_LONG: ['The id is too long.', 'Use at most 255 characters.'],
  EXTRA_CELLS: ['The row has more cells than there are headings.', 'Check the quotation marks of the row.'],
  FEATURES_UNKNOWN: ['Words name no known feature.', 'Use words of [the vocabulary](features.md).'],
  GIVEN_TWICE: ['Two columns have different values for one field.', 'Keep one of the columns in `mapping`.'],
  IDENTIFIER_UNKNOWN: ['The cell is not a phone, e-mail address or chat.', 'Correct it.'],
  ID_CONFLICT: [
    'The id belongs to another person and property: the row became another lead.',
    'Check the ids of the file.',
  ],
  LAWFUL_BASIS_ENDS_EARLY: [
    'The lawful basis ends before it begins; it was not recorded.',
    'Correct the dates.',
  ],
  LAWFUL_BASIS_INCOMPLETE: [
    'The row does not say which lawful basis it has; none was recorded.',
    'Add its kind.',
  ],
  LAWFUL_BASIS_IN_FUTURE: [
    'The lawful basis is dated in the future; it was not recorded.',
    'Correct the date.',
  ],
  LAWFUL_BASIS_NOT_PROVEN: [
    'Date or proof of the lawful basis is missing; it was not recorded.',
    'Add both to the row, or attest them for the import.',
  ],
  LAWFUL_BASIS_UNCLEAR: [
    'A part of the lawful basis could not be read; it was not recorded.',
    'Correct the cells.',
  ],
  LAWFUL_BASIS_UNKNOWN: [
    'The cell does not name a lawful basis.',
    'Write `consent`, `contract` or `legitimate_interest`.',
  ],
  MORE_PROBLEMS: ['The row has more problems than are listed.', 'Correct the listed ones first.'],
  OPERATION_UNKNOWN: ['The cell does not say whether it is a sale or a rent.', 'Write `sale` or `rent`.'],
  PHONE_INVALID: ['The cell is not a phone number.', 'Correct it, or add the prefix of its country.'],
  PHONE_ROUNDED: [
    'A spreadsheet program has rounded the number.',
    'Format the column as text and export again.',
  ],
  POSTCODE_INVALID: ['The cell is not a postcode of the country.', 'Correct it.'],
  PRICE_INVALID: ['The cell is not a plausible price.', 'Write it as 250000.'],
  PRICE_NEGATIVE: ['The price is below zero.', 'Correct it.'],
  PRICE_UNDECIDED: [
    'There are a sale price and a rent, and no operation decides which one counts.',
    'Add the operation of the row.',
  ],
  PROPERTY_TYPE_UNKNOWN: [
    'The cell does not name a known type of property.',
    'Use a type that the message names.',
  ],
  STATUS_UNKNOWN: ['The cell does not name a status.', 'Use a status that the message names.'],
  TAGS_IGNORED: ['The row has too many or too long tags.', 'Use fewer or shorter tags.'],
  TEXT_CUT: ['The text was longer than the field and was truncated.', 'Shorten it.'],
  TOO_LONG: ['The value is longer than the field allows.', 'Shorten it.'],
  TOO_MANY: ['The row has too many photos or custom fields.', 'Keep the most important ones.'],
  URL_INVALID: ['The cell is not a web address.', 'Write one that begins with https://.'],
}
