/**
 * Error codes that no route or feature declares, with meaning and action: the code of src reports them by name only.
 * test/error-codes.test.ts finds those that are missing here.
 */

/** By code: its meaning; what to do about it. */
export type ErrorCodes = Record<string, [meaning: string, action: string]>

/** `errors[].code` of a 400 INVALID_INPUT, and `warnings[].code` of validated filters. */
export const inputErrors: ErrorCodes = {
  REQUIRED: ['A required field is missing, or none of several alternatives was sent.', 'Send it.'],
  UNKNOWN_FIELD: ['The field is not known.', 'Check its spelling; the message may name the nearest.'],
  WRONG_TYPE: ['The value has another type.', 'Send the type that the message names.'],
  WRONG_FORMAT: [
    'The text does not have the format of the field.',
    'Follow the message, such as an ISO 8601 time or a URL.',
  ],
  WRONG_LENGTH: ['The text is too short or too long.', 'Use the length that the message names.'],
  NOT_ALLOWED: [
    'The value is not one of the allowed ones, or not allowed here.',
    'Use a value that the message names.',
  ],
  TOO_SMALL: ['The number is below the minimum.', 'Send a larger one.'],
  TOO_LARGE: ['The number is above the maximum.', 'Send a smaller one.'],
  TOO_SHORT: ['The text is shorter than the minimum.', 'Send a longer text.'],
  TOO_LONG: ['The text is longer than the maximum.', 'Send a shorter text.'],
  TOO_FEW: ['The list, object or polygon has too few items.', 'Send more.'],
  TOO_MANY: ['The list, object or form has too many items.', 'Send fewer, in several requests if needed.'],
  TOO_DEEP: ['The JSON has more than 64 levels.', 'Send flatter JSON.'],
  TOO_COMPLEX: [
    'The file takes too long or too much memory to read.',
    'Save it again as plain CSV, or divide it.',
  ],
  CONTRADICTION: [
    'Two values exclude each other, such as a maximum below its minimum.',
    'Change one of them.',
  ],
  INVALID: ['The value is not valid.', 'Follow the message.'],
  INVALID_CURSOR: [
    'The `cursor` is not from this list, or its item is gone.',
    'Read the list again from the start.',
  ],
  DUPLICATE_IN_BATCH: ['An earlier lead of the batch is the same lead.', 'Send each lead once.'],
  SAME_LEAD: ['A lead cannot be merged with itself.', 'Name another lead.'],
  UNKNOWN_LEAD: ['No lead has the id.', 'Check the id and the environment of the key.'],
  NOT_A_LISTING: [
    'The URL is not that of a listing of a portal from whose listings sheets are made.',
    'Send a URL as in the message, which names the portals.',
  ],
  UNKNOWN_MESSAGE: ['The conversation has no message with the id.', 'Use the id of one of its messages.'],
  NOT_SENT: [
    'The provider does not know the message, because it was not sent.',
    'Refer to a message that was sent or received.',
  ],
  IN_THE_PAST: ['The time has passed.', 'Send a later time.'],
  UNKNOWN_PHOTO: ['The sheet has no photo with the number.', 'Use a number of its `photos`.'],
  DUPLICATE: ['The value repeats an earlier one of the list.', 'Send each value once.'],
  UNKNOWN_USER: ['No user of the workspace has the id.', 'Use the id of a user of the workspace.'],
  UNKNOWN_LOCATION: [
    'The portal has no location with the id.',
    'Search with `GET /platforms/{platform}/locations`; the message names similar ids.',
  ],
  LABEL_DIFFERS: [
    'The label is not that of the location id. A warning.',
    'Check that the id is the place you mean.',
  ],
  NOT_SUPPORTED: [
    'The portal does not support the filter or the option.',
    'Leave it out; the message names the supported ones.',
  ],
  IMPLAUSIBLE_PRICE: [
    'The price is implausible for the operation. A warning.',
    'Check whether you mean a rent or a sale price.',
  ],
  NO_COUNT: [
    'The portal does not report how many listings a search has. A warning.',
    'Nothing; the extraction counts them.',
  ],
  MORE_ERRORS: ['There are more errors than the reply lists. A warning.', 'Correct the listed ones first.'],
  TOO_EARLY: ['The time is before another one that it must follow.', 'Correct one of the times.'],
  TOO_LATE: ['The time is in the future, or after another one that it must precede.', 'Correct the time.'],
  TOO_OLD: ['The time is longer ago than data is kept.', 'Use a later time.'],
  TOO_FAR: [
    'A corner or a comparable is too far from the property.',
    'Use the distance that the message names.',
  ],
  SELF_CROSSING: ['The lines of the polygon cross.', 'Send the corners in order around the area.'],
  NO_AREA: ['The polygon encloses nothing.', 'Send at least three corners that are not in one line.'],
  IN_THE_SEA: ['The place is in the sea.', 'Check latitude and longitude.'],
  SWAPPED: ['Latitude and longitude are probably exchanged.', 'Exchange them.'],
  UNKNOWN: ['No comparable has the id.', 'Use ids of `comparables` of the valuation.'],
  OTHER_MARKET: [
    'The comparable belongs to another market.',
    'Choose one with the same operation, type, currency and price basis.',
  ],
  ADDRESS_REFUSED: [
    'The URL leads into a private network, to a port that is not for HTTP, or contains credentials.',
    'Use a public https URL; the operator may allow a network with `ALLOWED_PRIVATE_RANGES`.',
  ],
  HEADER_NAME: ['The text is not a name of an HTTP header.', 'Use letters, digits and `-`.'],
  HEADER_VALUE: ['The value has characters that an HTTP header cannot have.', 'Use printable ASCII.'],
  HEADER_RESERVED: ['Aldaba sets this header itself.', 'Choose another name.'],
  HEADER_DUPLICATE: ['The header occurs twice; case does not matter.', 'Send it once.'],
  UNKNOWN_HEADING: ['The mapping names a heading that the file does not have.', 'Use a heading of the file.'],
  TEMPLATE_SYNTAX: [
    'The text of a template cannot be parsed, or exceeds a bound.',
    'Correct it at the line and column of the message.',
  ],
  UNKNOWN_VARIABLE: [
    'There is no variable with this name.',
    'Use the name that the message suggests, or declare your own in `variables`.',
  ],
  NOT_USED: ['The variable is declared and used in no text.', 'Use it, or remove it.'],
  OTHER_LANGUAGE: [
    'The template has no text in the language. A warning of a preview.',
    'Add a variant in the language.',
  ],
  NOT_APPROVED: [
    'The provider has not approved the text. A warning of a preview.',
    'Submit it with `POST /templates/{id}/submit`.',
  ],
  APPROVED_VERSION_DIFFERS: [
    'The provider approved an earlier version of the text. A warning of a preview.',
    'Submit the current one with `POST /templates/{id}/submit`.',
  ],
  VARIABLES_NOT_ALLOWED: [
    'A quick reply is inserted as it is, so it has no variables.',
    'Create a template, or remove the double braces.',
  ],
  UNKNOWN_ACCOUNT: ['No account has the id.', 'Use the id of an account of the environment.'],
  OTHER_PERSON: [
    'The lead has no phone number, address or chat of the conversation.',
    'Open a conversation with the lead.',
  ],
  UNKNOWN_MEDIA: [
    'There is no uploaded file with the id. A file that is not sent is deleted after a day.',
    'Upload it again.',
  ],
  NO_IDENTIFIERS: [
    'The file has no column of phones, e-mail addresses or chats.',
    'Name the column, or check the file.',
  ],
}

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

/** `error.code` of an extraction that failed, also of GET /platforms. */
export const extractionFailures: ErrorCodes = {
  BLOCKED: [
    'The portal showed a robot check or a sign-in, or refused to be read.',
    'Request access from the portal. Do not retry at once.',
  ],
  LAYOUT_CHANGED: [
    'The pages do not have the layout that the portal definition expects.',
    'Update the portal definition.',
  ],
  ROBOTS_DISALLOWED: [
    "The portal's robots.txt does not allow the pages.",
    'Request permission from the portal.',
  ],
  PORTAL_UNAVAILABLE: ['The portal did not reply, or replied with an error.', 'Retry the extraction later.'],
  CREDENTIALS_INVALID: [
    'The portal did not accept the credentials.',
    'The operator corrects them in `PORTAL_URLS`.',
  ],
  TIMEOUT: ['The portal did not reply in time.', 'Retry the extraction later.'],
  INTERNAL: [
    'The server failed unexpectedly. The cause is in its log.',
    'Retry; if it persists, report it to the operator.',
  ],
}

/** `warnings[].code` of a property sheet that is no rule of the law. */
export const sheetWarnings: ErrorCodes = {
  LISTING_RESERVED: [
    'The portal showed the listing as reserved when it was read.',
    'Find out whether the property is still available.',
  ],
  PHOTOS_FAILED: ['Some photos of the listing could not be copied.', 'Make the sheet again later.'],
  NO_PHOTOS: ['The sheet shows no photo.', 'Choose photos with PATCH.'],
}

/** `warnings[].code` of a property sheet that lacks what a law requires in advertising. */
export const advertisingWarnings: ErrorCodes = {
  ENERGY_RATING_MISSING: [
    'There is no energy rating, or its certificate is in progress.',
    'Set `energy.rating`; `exempt` if none is required.',
  ],
  ENERGY_CONSUMPTION_MISSING: ['There is no energy performance index.', 'Set `energy.consumptionKwhM2`.'],
  PRICE_MISSING: ['There is no price.', 'Set `property.price`.'],
  PRICE_WITHOUT_TAXES: [
    'The price of a new home does not include taxes.',
    'Set a price with taxes, and `advertising.priceIncludesTaxes`.',
  ],
  PRICE_TAXES_UNSTATED: [
    'Nobody has stated whether the price of a new home includes taxes.',
    'Set `advertising.priceIncludesTaxes`.',
  ],
  USABLE_AREA_MISSING: ['There is no usable area.', 'Set `property.usableSquareMeters`.'],
  BUILT_AREA_MISSING: ['There is no built area.', 'Set `property.squareMeters`.'],
  ROOMS_MISSING: ['There is no number of rooms.', 'Set `property.bedrooms`.'],
  YEAR_BUILT_MISSING: ['The age of the building is unknown.', 'Set `property.yearBuilt`.'],
  LOCATION_MISSING: ['There is neither municipality nor address.', 'Set `property.municipality`.'],
  CONSTRUCTION_STATE_MISSING: [
    'Nobody has stated how far a new building is.',
    'Set `advertising.construction`.',
  ],
  BUILDING_PERMIT_MISSING: [
    'There is no building permit of a new building.',
    'Set `advertising.buildingPermit`.',
  ],
  USE_PERMIT_MISSING: ['There is no permit of use.', 'Set `advertising.usePermit`.'],
  AGENT_LICENCE_MISSING: ['There is no licence or registration number of the agent.', 'Set `agent.licence`.'],
  SHORT_TERM_REGISTRATION_MISSING: [
    'There is no registration number of a short-term rental.',
    'Set `advertising.shortTermRegistration`.',
  ],
  STRESSED_AREA_UNSTATED: [
    'Nobody has stated whether the home is in a stressed area.',
    'Set `advertising.isStressedArea`.',
  ],
  RENT_LIMIT_MISSING: [
    'There is neither the last rent nor the reference rent of a home in a stressed area.',
    'Set `advertising.lastRent` or `advertising.referenceRent`.',
  ],
  LARGE_HOLDER_UNSTATED: [
    'Nobody has stated whether the owner of a home in a stressed area is a large holder.',
    'Set `advertising.isLargeHolder`.',
  ],
}

/** Keys of `skippedByReason` of an extraction. */
export const skipReasons: ErrorCodes = {
  gone: ['The listing no longer exists.', 'Nothing.'],
  robotsDisallowed: ["The portal's robots.txt does not allow the page of the listing.", 'Nothing.'],
  outsideFilters: ['The listing does not match the filters, although the portal showed it.', 'Nothing.'],
  quotaExceeded: ['The monthly quota of new leads is used up.', 'Retry when the quota is renewed.'],
  erased: ['The person was erased, and is not stored again.', 'Nothing.'],
}

/** `reason` in `contactability` of a lead. */
export const contactReasons: ErrorCodes = {
  ERASED: ['The person was erased.', 'Final: do not contact them.'],
  OPTED_OUT: ['The person opted out.', 'Final: do not contact them.'],
  MARKETING_REFUSED: [
    'The person refused marketing with the provider: they may only be answered.',
    'Wait until they write, or accept it again there.',
  ],
  SUPPRESSED: [
    'An identifier is on an exclusion list, or on the list of the workspace itself.',
    'Only the removal of the entry changes it.',
  ],
  NO_AGENCIES: [
    'A listing says that agencies must not make contact.',
    'It ends when no listing says so any more.',
  ],
  RETENTION_EXPIRED: [
    'The retention of the data is over.',
    'Erase the lead; a new interaction with the person extends it.',
  ],
  DISCARDED: ['The lead was discarded.', 'Set another status.'],
  NO_LAWFUL_BASIS: ['No lawful basis is recorded.', 'Record one with `PUT /leads/{id}/lawful-basis`.'],
  BASIS_EXPIRED: ['The lawful basis has expired.', 'Record a new one.'],
  BASIS_NOT_PROVEN: ['Consent is recorded without proof.', 'Record how and where it was given.'],
  CHANNEL_NOT_COVERED: [
    'The lawful basis does not cover the channel.',
    'Use another channel, or record a basis that covers it.',
  ],
  NO_CHANNEL: ['No phone number or address of the person is known.', 'Add one.'],
  INCLUDE_NOTICE: [
    'An obligation, not a refusal: the person has not received the privacy notice.',
    'Include the notice in the first message.',
  ],
}

/** `notices[].code` of GET /me. */
export const notices: ErrorCodes = {
  WEBHOOK_DISABLED: [
    'A subscription was disabled after failures.',
    'Enable it, then recover the events it missed.',
  ],
}

/** `failure.code` of a message, and what a provider refuses. */
export const chatFailures: ErrorCodes = {
  ACCOUNT_LIMIT: [
    'The account has reached a limit of the provider.',
    'Nothing: it sends again when the provider allows it.',
  ],
  RECIPIENT_UNREACHABLE: ['The person cannot be reached on this channel.', 'Use another channel.'],
  RECIPIENT_BLOCKED: ['The person has blocked the account.', 'Do not write to them again.'],
  RECIPIENT_OPTED_OUT: [
    'The person has refused such messages with the provider.',
    'Do not write to them again.',
  ],
  RECIPIENT_LIMIT: [
    'The person has received too many messages lately, by the rules of the provider.',
    'Wait a day.',
  ],
  WINDOW_CLOSED: [
    'The person has not written for too long: only an approved template may be sent.',
    'Send a template.',
  ],
  TEMPLATE_NOT_FOUND: [
    'The provider does not have the template in this language.',
    'Submit it for approval.',
  ],
  TEMPLATE_PAUSED: ['The provider has paused or disabled the template.', 'Use another one.'],
  TEMPLATE_MISMATCH: ['The values do not fit the approved template.', 'Synchronize the templates.'],
  MEDIA_REJECTED: ['The provider does not accept the file.', 'Send another format or a smaller file.'],
  MESSAGE_REJECTED: ['The provider refuses the message.', 'See the message of the failure.'],
  UNSUPPORTED: ['The provider cannot send this kind of message.', 'See `capabilities` of the account.'],
  TASK_SKIPPED: ['Somebody decided not to send the message by hand.', 'Nothing, or send it again.'],
  EXPIRED: [
    'The message could not be sent in time: a text within 24 hours, a template within 72.',
    'Send it again if it still matters.',
  ],
  RESULT_UNKNOWN: [
    'The result of the call was lost: the message may have been sent.',
    "Look at the conversation in the provider's own program. Send it again if it is not there.",
  ],
  MESSAGE_ERASED: [
    'The message mentioned a person who was erased before it was sent.',
    'Write it again without them.',
  ],
  TASK_EXPIRED: ['Nobody sent the message by hand in time.', 'Send it again if it still matters.'],
  PAYMENT_REQUIRED: ['The account has no valid means of payment.', 'Add one with the provider.'],
}
