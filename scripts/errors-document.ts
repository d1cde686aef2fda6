/** Generates docs/reference/errors.md: every error code, its meaning and what to do. */

import { notContactable } from '../src/features/privacy/assert-contactable.ts'
import * as blobProblems from '../src/kit/blobs/problems.ts'
import { rangeNotSatisfiable } from '../src/kit/byte-range.ts'
import type { Feature } from '../src/kit/feature.ts'
import { type ProblemType, problemStatus } from '../src/kit/problem.ts'
import { problemHelp } from '../src/kit/problem-help.ts'
import * as codes from './error-codes/index.ts'

interface ListedProblem {
  code: string
  status: number
  meaning: string
  action: string
}

/** Returns the page. `features` are all features: their routes declare their own codes. */
export function toErrorsDocument(features: Feature[]): string {
  const problems = listProblems(features).toSorted(
    (a, b) => a.status - b.status || (a.code < b.code ? -1 : 1),
  )
  return [
    '# Errors',
    'Generated from the code by `npm run generate`.',
    'An error reply has `statusCode`, `code`, `message` and `requestId`. Decide by `code`: codes are stable, messages are not. A 400 `INVALID_INPUT` lists every invalid value in `errors`.',
    'The [SDK](../../sdk/README.md) retries 429 and 503 after `Retry-After`. Its own codes are `CONNECTION_FAILED`, `TIMEOUT`, `WAIT_TIMEOUT` and `UNEXPECTED_REPLY`.',
    '## Error replies',
    toTable(
      ['code', 'status', 'meaning', 'what to do'],
      problems.map(({ code, status, meaning, action }) => [`\`${code}\``, String(status), meaning, action]),
    ),
    ...toSection(
      'Invalid input',
      '`errors[].code` of a 400 `INVALID_INPUT`, and `warnings` of validated filters.',
      codes.inputErrors,
    ),
    ...toSection(
      'Invalid event types and bookings',
      '`errors[].code` of a 400 `INVALID_INPUT`, in scheduling.',
      { ...codes.eventTypeErrors, ...codes.answerErrors },
    ),
    ...toSection(
      'Slots that cannot be booked',
      '`slotReason` of 409 `SLOT_TAKEN` and 422 `SLOT_UNAVAILABLE`.',
      codes.slotReasons,
    ),
    ...toSection('Warnings of slots', '`warnings[].code` of the slots of an event type.', codes.slotWarnings),
    ...toSection(
      'Notices that were not sent',
      '`reason` of a notice of an appointment. If its message was refused, it is the code of the refusal.',
      codes.noticeReasons,
    ),
    ...toSection('Why a campaign waits', '`wait.code` of a campaign that runs and does nothing now.', {
      ...codes.campaignWaits,
      ...codes.campaignIdle,
    }),
    ...toSection(
      'Why a campaign was paused',
      '`pauseReason.code` of a campaign that the program has paused.',
      codes.pauseReasons,
    ),
    ...toSection(
      'What a campaign lacks',
      '`missing[].code` of 422 `CAMPAIGN_NOT_READY`. It may also be a code of invalid input, for filters.',
      { ...codes.campaignGaps, ...codes.adGaps },
    ),
    ...toSection(
      'Why a run of a campaign failed',
      '`reason.code` of a run. It may also be a code of a failed extraction, or of a refusal to start one, such as `QUOTA_EXCEEDED`.',
      codes.runReasons,
    ),
    ...toSection(
      'Why a listing is gone from a saved search',
      '`reason` of a change of the type `gone`.',
      codes.goneListings,
    ),
    ...toSection(
      'Why an e-mail of a digest was not sent',
      '`mails[].reason.code`. It may also be a code of what a campaign lacks, `OPTED_OUT`, or a failure of a chat message.',
      codes.digestReasons,
    ),
    ...toSection(
      'Why a sequence ended',
      '`reason.code` of a recipient to whom a campaign sends nothing more.',
      codes.sequenceEnds,
    ),
    ...toSection(
      'Why AI hands a conversation over',
      '`handOff.code` of an AI reply or a conversation, and `code` of the event `conversation.handed_off`.',
      codes.handOffs,
    ),
    ...toSection('Rules for answers of AI', 'In the `handOff.message` of `REFUSED_ANSWER`.', codes.aiRules),
    ...toSection(
      'Why the form of an ad became no lead',
      '`reason.code` of `GET /ads/connections/{id}/leads`; also `PERSON_ERASED` and `QUOTA_EXCEEDED`.',
      codes.adLeadReasons,
    ),
    ...toSection(
      'Invalid settings of lead forms',
      '`errors[].code` of a 400 `INVALID_INPUT` of `PATCH /ads/connections/{id}/forms/{formId}`.',
      codes.leadFormErrors,
    ),
    ...toSection('Warnings of calendars', '`warnings[].code` of a calendar.', codes.calendarWarnings),
    ...toSection(
      'Refused files',
      '`errors[].code` of an upload, or `error.code` of an import.',
      codes.fileErrors,
    ),
    ...toSection('Warnings of imports', '`warnings[].code` of an import.', codes.importWarnings),
    ...toSection(
      'Reasons of import rows',
      '`reason` of a row that was skipped, failed, or was not undone.',
      codes.rowReasons,
    ),
    ...toSection(
      'Problems of import rows',
      '`problems[].code` of a row: the value was not imported, the rest of the row was.',
      codes.rowProblems,
    ),
    ...toSection(
      'Failed extractions',
      '`error.code` of an extraction with the status `FAILED`.',
      codes.extractionFailures,
    ),
    ...toSection('Warnings of sheets', '`warnings[].code` of a property sheet.', codes.sheetWarnings),
    ...toSection(
      'Advertising',
      '`warnings[].code` of a property sheet, and `errors[].code` of 409 `ADVERTISING_INCOMPLETE`. [Advertising rules](../explanations/advertising-rules.md) names the laws.',
      codes.advertisingWarnings,
    ),
    ...toSection('Skipped listings', 'Keys of `skippedByReason` of an extraction.', codes.skipReasons),
    ...toSection(
      'Reasons against contact',
      '`reason` in `contactability` of a lead; with an operation that contacts somebody, the message of 422 `NOT_CONTACTABLE`.',
      codes.contactReasons,
    ),
    ...toSection('Failures of chat messages', '`failure.code` of a message.', codes.chatFailures),

    ...toSection(
      'Waiting chat messages',
      '`waiting.code` of a queued message. After a refusal of the provider it is a code of the table above.',
      codes.chatWaits,
    ),
    ...toSection('Notices', '`notices[].code` of `GET /me`.', codes.notices),
    '## Failed deliveries',
    'An attempt to deliver a webhook has no code: `responseStatus` is the status of the reply, or null, and `error` a sentence. 410 disables the subscription; other failures are retried ([retries](../explanations/webhooks.md#retries)).',
  ]
    .join('\n\n')
    .concat('\n')
}

/** Lists the common codes, and those that routes of features declare. */
export function listProblems(features: Feature[]): ListedProblem[] {
  const common = Object.entries(problemStatus).map(([code, status]) => ({
    code,
    status,
    ...problemHelp[code as keyof typeof problemHelp],
  }))
  const routes = features.flatMap(({ routes, dashboardRoutes = [], anonymousRoutes = [] }) => [
    ...routes,
    ...dashboardRoutes,
    ...anonymousRoutes,
  ])
  const declared = [
    ...routes.flatMap(({ errors = [] }) => errors).filter(error => typeof error !== 'string'),
    // Services of features and the kit throw these; no route declares them.
    ...Object.values(blobProblems).filter(isProblemType),
    notContactable,
    rangeNotSatisfiable,
  ]
  return [...new Map([...common, ...declared].map(problem => [problem.code, problem])).values()]
}

const isProblemType = (value: unknown): value is ProblemType =>
  typeof value === 'object' && value !== null && 'code' in value

function toSection(title: string, where: string, listed: codes.ErrorCodes): string[] {
  const rows = Object.entries(listed).map(([code, [meaning, action]]) => [`\`${code}\``, meaning, action])
  return [`## ${title}`, where, toTable(['code', 'meaning', 'what to do'], rows)]
}

function toTable(headings: string[], rows: string[][]): string {
  const toLine = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [toLine(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(toLine)].join('\n')
}
