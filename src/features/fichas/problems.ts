/** The errors of property sheets. */
import { storageFull } from '../../kit/blobs/problems.ts'
import type { ProblemType } from '../../kit/problem.ts'

export const listingGone: ProblemType = {
  code: 'LISTING_GONE',
  status: 422,
  meaning: 'The portal no longer shows the listing.',
  action: 'Choose another listing. Existing sheets of it stay.',
  example: 'The portal no longer shows this listing.',
}

export const listingBlocked: ProblemType = {
  code: 'LISTING_BLOCKED',
  status: 422,
  meaning: 'The portal refuses to show the listing to programs.',
  action: 'Try again later. If it stays so, the operator talks to the portal.',
  example: 'The portal showed a robot check instead of listings.',
}

export const listingUnreadable: ProblemType = {
  code: 'LISTING_UNREADABLE',
  status: 422,
  meaning: 'The page was fetched, but is not understood as a listing. The message says what was understood.',
  action: 'Check that the URL shows one listing. If it does, report it to the operator.',
  example:
    'The page is not understood as a listing: no price and no size. Understood: title "Piso en venta".',
}

export const listingUnavailable: ProblemType = {
  code: 'LISTING_UNAVAILABLE',
  status: 422,
  meaning: 'The portal does not answer, or answers with errors.',
  action: 'Try again in some minutes.',
  example: 'The portal answered 503.',
}

export const listingErased: ProblemType = {
  code: 'LISTING_ERASED',
  status: 422,
  meaning: 'The advertiser of the listing was erased, so the listing is not stored again.',
  action: 'Make no sheet of this listing.',
  example: 'The advertiser of this listing was erased. It must not be stored again.',
}

export const fichaNotReady: ProblemType = {
  code: 'FICHA_NOT_READY',
  status: 409,
  meaning: 'The sheet is being made, or could not be made.',
  action: 'Wait until `status` is `ready`: `GET /fichas/{id}?waitSeconds=30`. A failed sheet stays failed.',
  example: 'The sheet is generating: wait until it is ready.',
}

export const fichaNotShared: ProblemType = {
  code: 'FICHA_NOT_SHARED',
  status: 409,
  meaning: 'The sheet has no public link, or it has expired.',
  action: 'Create one with `POST /fichas/{id}/share`.',
  example: 'The sheet has no public link. Create one with POST /fichas/{id}/share.',
}

export const versionConflict: ProblemType = {
  code: 'VERSION_CONFLICT',
  status: 409,
  meaning: 'Somebody else has changed the sheet: `version` is not its current version.',
  action: 'Read the sheet again, and repeat the change with its current version.',
  example: 'The sheet has version 3, not 2. Read it again and repeat the change.',
}

export const advertisingIncomplete: ProblemType = {
  code: 'ADVERTISING_INCOMPLETE',
  status: 409,
  meaning:
    'The sheet lacks what the law requires in advertising, and the setting `advertisingGate` of the workspace is `block`. `errors` lists what is missing, with the law.',
  action: 'Change the sheet so that it states what is missing, or ask an administrator to set `warn`.',
  example: 'The law requires statements that the sheet lacks: energy.rating.',
}

/** The reasons why a sheet could not be made, by code. */
export const generationProblems = [
  listingGone,
  listingBlocked,
  listingUnreadable,
  listingUnavailable,
  listingErased,
  storageFull,
]
