/** The codes of invalid input. */
import type { ErrorCodes } from './error-codes.ts'

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
  NEEDS_HEADER: [
    'The header of the template shows a file or a place. A warning of a preview; a campaign cannot send it.',
    'Send it in `header` of each message; for a campaign, choose another template.',
  ],
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
  UNKNOWN_EVENT_TYPE: ['No event type has the id.', 'Use the id of an event type of the environment.'],
  UNKNOWN_TEMPLATE: ['No template has the id.', 'Use the id of a template of the environment.'],
  UNSUBSCRIBED: [
    'The person has ended these e-mails.',
    'Leave the address out: only the person can subscribe again, with the link in one of them.',
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
