/** The codes of campaigns. */
import type { ErrorCodes } from './error-codes.ts'

/** `wait.code` of a campaign: why messages that are due wait. */
export const campaignWaits: ErrorCodes = {
  WINDOW: [
    'The send window is closed.',
    'Wait until it opens, or change `settings.sendWindow` of the campaign.',
  ],
  PACE: [
    'The messages are sent one after the other.',
    'Wait, or raise `settings.throttlePerMinute` of the campaign.',
  ],
  DAILY_START_LIMIT: [
    'As many people as allowed have got their first message today.',
    'Wait for the next day, or raise `settings.dailyLeadLimit` of the campaign.',
  ],
  DAILY_BUDGET: [
    'The account has written to as many people as it may today.',
    'Wait for the next day, or raise the `dailyLimit` of the account.',
  ],
  NO_WINDOW: [
    'The send window does not open within a year.',
    'Change the days and holidays of `settings.sendWindow`.',
  ],
  ENDED: ['The campaign ends before the messages may be sent.', 'Choose a later `settings.schedule.endAt`.'],
}

/** `wait.code` of a campaign: why it does nothing though no messages are due. */
export const campaignIdle: ErrorCodes = {
  NOT_BEGUN: [
    'The campaign begins later.',
    'Wait, or change `settings.schedule.startAt` or `segmentation.messageRestartDate`.',
  ],
  RUN_FAILED: [
    'The last run at the portal failed, and nobody waits for a message. `currentRun.reason` has the code.',
    'Wait for the next run, or do what the code of the run says.',
  ],
  NOTHING_FOUND: ['The search found no listings at its last run.', 'Change its filters, or wait.'],
  EXTRACT_ONLY: [
    'The campaign has steps, and its mode is `extract_only`: it finds leads and sends nothing.',
    'Set `mode` to `extract_and_contact`, or remove the steps.',
  ],
  NEXT_RUN: ['The portal is read again later.', 'Nothing: it goes on at `until`.'],
  QUOTA_EXCEEDED: [
    'The quota of messages, or of new leads, of this month is used up.',
    'Wait until it is renewed at `until`, or have it raised.',
  ],
  WIDGET_NO_ORIGINS: [
    'No site may show the form of a campaign of the platform `widget`, and nobody has sent it.',
    'Send the sites as `allowedOrigins` with `PUT /campaigns/{id}/widget`.',
  ],
  WIDGET_NO_KEY: [
    'The key of the form was revoked, so nobody can send it.',
    'Make a new one with `POST /campaigns/{id}/widget/key`, and put its snippet into the pages.',
  ],
  NOT_DUE: ['No message is due yet.', 'Nothing: it goes on at `until`.'],
  TASKS: ['Messages wait as tasks for a person.', 'Send them: see `GET /messaging/tasks`.'],
  LEFT_OUT: [
    'Nobody else gets a message now, and some recipients, or rows of the last file, were left out.',
    'Change what `message` names and retry them, or send the rows again; else the campaign completes at `until`, if there is one.',
  ],
  NO_RECIPIENTS: ['The campaign has no recipients yet.', 'Send rows or leads to its recipients.'],
}

/** `pauseReason.code` of a campaign: why the program paused it. */
export const pauseReasons: ErrorCodes = {
  ACCOUNT_NOT_CONNECTED: [
    'The account that sends is no longer connected. As `missing[].code`: it is not connected.',
    'Connect it again or, if it was disconnected by somebody, choose another one; wait if its provider restricts it. Then resume the campaign.',
  ],
  HIGH_FAILURE_RATE: [
    'Too many messages failed.',
    'See the failures of its recipients, correct them, then resume it.',
  ],
  HIGH_OPT_OUT_RATE: [
    'Too many recipients opted out.',
    'Write to fewer people, or something else, then resume it.',
  ],
  HIGH_BLOCK_RATE: [
    'Too many recipients block the account.',
    'Write to fewer people, or something else, then resume it.',
  ],
}

/** `missing[].code` of 422 CAMPAIGN_NOT_READY, besides the codes of invalid filters. */
export const campaignGaps: ErrorCodes = {
  BATCH_SIZE_MISSING: ['A `csv_import` has no `segmentation.batchSize`.', 'Set it, 1 to 25.'],
  FILTERS_MISSING: ['The search has no filters.', 'Set `segmentation.filters`.'],
  WIDGET_NOT_CONFIGURED: [
    'The form of a campaign of the platform `widget` was never configured.',
    'Send `PUT /campaigns/{id}/widget`.',
  ],
  CONTACT_MODE_MISSING: ['It is not chosen how messages are sent.', 'Set `contactMode`.'],
  AI_NOT_CONFIGURED: [
    '`settings.ai` is enabled in live, and the deployment has no AI endpoint.',
    'Switch it off, or have the operator set `AI_URL` and `AI_MODEL`.',
  ],
  NO_AGENT_WITH_ACCESS: [
    'No agent of the event type in `settings.ai.eventTypeId` has access to the workspace any more.',
    'Invite them again, or choose another event type.',
  ],
  NO_EMAIL_ACCOUNT: [
    '`settings.notifications.emails` has addresses, and no e-mail account is connected, or several are and none is chosen.',
    'Connect one with `POST /accounts`, or choose one in `settings.notifications.accountId`.',
  ],
  ACCOUNT_NOT_SENDING: [
    'The account of `settings.notifications.accountId` is gone, or does not send.',
    'Connect it again, or choose another one.',
  ],
  STEPS_MISSING: ['The sequence has no step.', 'Add a step to `settings.steps`.'],
  NO_ACCOUNT: ['No account of the contact mode is connected.', 'Connect one with `POST /accounts`.'],
  SEVERAL_ACCOUNTS: ['Several accounts of the contact mode are connected.', 'Choose one: set `accountId`.'],
  TEMPLATE_NOT_APPROVED: [
    'The provider of the account has not approved the template.',
    'Submit it with `POST /templates/{id}/submit`, and wait for the approval.',
  ],
  NEEDS_VALUES: [
    'The template has variables that no lead fills, without a fallback.',
    'Give them a fallback, or choose another template.',
  ],
  END_DATE_PASSED: ['The end of the campaign has passed.', 'Choose a later `settings.schedule.endAt`.'],
  WINDOW_NEVER_OPENS: [
    'The send window does not open within a year, or before the end of the campaign.',
    'Change `settings.sendWindow`.',
  ],
}

/** `reason.code` of a run, besides failures of extractions and refusals to start one. */
export const runReasons: ErrorCodes = {
  LEADS_NOT_STORED: [
    'The run completed, but some of its leads were not stored: the quota `maxLeadsPerMonth` was used up.',
    'Raise the quota, or wait for the next month: a later run finds them again.',
  ],
  CAMPAIGN_PAUSED: [
    'The campaign was paused during the run.',
    'Nothing: the leads found until then have joined, and a new run begins when the campaign resumes.',
  ],
  EXTRACTION_CANCELLED: [
    'Somebody cancelled the extraction of the run.',
    'Nothing: the leads found until then have joined, and the next run comes at its time.',
  ],
  LISTINGS_NOT_READ: [
    'The run completed, but the portal did not show all listings of the search, or some could not be read.',
    'If the portal shows no more, narrow the filters, for example by price, and use several campaigns.',
  ],
  SEARCH_CHANGED: [
    'The search of the campaign was changed during the run.',
    'Nothing: the next run reads the new search.',
  ],
}

/** `mails[].reason.code` of a digest. */
export const digestReasons: ErrorCodes = {
  UNSUBSCRIBED: ['The person has ended these e-mails.', 'Nothing: only they can subscribe again.'],
  NOTHING_LEFT: ['The leads that the digest would have named were deleted.', 'Nothing.'],
}

/** `reason` of a listing that is gone from a saved search. */
export const goneListings: ErrorCodes = {
  LISTING_WITHDRAWN: [
    'The portal has withdrawn the listing.',
    'Nothing: if it is listed again, it is reported as new.',
  ],
  NOT_IN_SEARCH: [
    'The whole search was read and no longer shows the listing, which is still on the portal.',
    'Nothing, or widen the filters: its price or another fact no longer matches them.',
  ],
}

/** `reason.code` of a recipient whose sequence has ended. */
export const sequenceEnds: ErrorCodes = {
  ALREADY_JOINED: [
    'The lead is or was in the campaign.',
    'Nothing, or set `settings.reentryAfterDays` of the campaign.',
  ],
  IN_ANOTHER_CAMPAIGN: [
    'The person is in another campaign, and gets the messages of one at a time.',
    'Nothing: they go on here when it has ended for them.',
  ],
  SAME_PERSON: [
    'Another lead of this person is in the campaign already, or the campaign has written to them.',
    'Nothing: nobody gets a message once per listing. This lead goes on if the other one ends without a message.',
  ],
  BEFORE_RESTART_DATE: [
    'The listing is older than `segmentation.messageRestartDate` of the campaign.',
    'Nothing, or choose an earlier date before the next run.',
  ],
  BOOKED: ['The person has booked an appointment.', 'Nothing: the sequence has reached its aim.'],
  CAMPAIGN_COMPLETED: [
    'The campaign had completed before the row of a file could join.',
    'Upload the file to another campaign.',
  ],
  CLOSED: ['The lead is won, lost or discarded.', 'Nothing, or change the status of the lead.'],
  TAKEN_OUT: ['Somebody took the person out of the campaign.', 'Nothing: the person gets nothing more.'],
  IMPORT_UNDONE: [
    'The import of the file by which the person had joined was undone.',
    'Nothing: the person gets nothing more.',
  ],
  REPLIED: ['The person has replied.', 'Answer in the inbox.'],
  HAS_REPLIED: [
    'The step is only for people who have not replied. On a step that was left out.',
    'Nothing: the steps after it go on.',
  ],
  CAMPAIGN_DELETED: ['The campaign was deleted before its message was sent.', 'Nothing.'],
  CAMPAIGN_PAUSED: [
    'The campaign was paused before its message was sent.',
    'Resume it: the message is planned again.',
  ],
  SEND_WINDOW: [
    'The send window closed before the message was sent.',
    'Nothing: the message is planned again for when it opens.',
  ],
  OVERDUE: [
    'The message could not be sent at its time.',
    'Nothing: it is planned again, so that messages are not poured.',
  ],
}

/** `reason.code` of a submission: why a form that somebody submitted waits, was skipped or failed. */
export const adLeadReasons: ErrorCodes = {
  TEST_LEAD: ['The network made the lead up to test the connection.', 'Nothing: the connection works.'],
  AD_INVALID_CREDENTIALS: [
    'The network no longer accepts the credentials.',
    'Send new ones with `PATCH /ads/connections/{id}`: the leads that wait are then read.',
  ],
  AD_PERMISSION_MISSING: [
    'The credentials may not read leads.',
    'Give them the permissions that the message names, then test the connection.',
  ],
  AD_NOT_FOUND: [
    'The network does not have the lead, or the credentials have no access to it.',
    'Check the access of the page to leads, then retry.',
  ],
  AD_RATE_LIMITED: ['The network limits the requests.', 'Nothing: it is tried again.'],
  AD_UNAVAILABLE: ['The network did not answer, or failed.', 'Nothing: it is tried again for 30 days.'],
  AD_REJECTED: ['The network refused the request.', 'See the message, then retry.'],
}

/** `missing[].code` of a campaign that takes leads of ads. */
export const adGaps: ErrorCodes = {
  AD_CONNECTION_MISSING: ['No page is chosen whose lead ads are taken.', 'Set `segmentation.connectionId`.'],
  UNKNOWN_AD_CONNECTION: ['The page was disconnected.', 'Choose another connection.'],
  AD_CONNECTION_EXPIRED: [
    'The network no longer accepts the credentials of the page.',
    'Send new ones with `PATCH /ads/connections/{id}`.',
  ],
  UNKNOWN_LEAD_FORM: [
    'The page has no form with this id.',
    'Choose one of `GET /ads/connections/{id}/forms`.',
  ],
}

/** Errors of the settings of a form. */
export const leadFormErrors: ErrorCodes = {
  UNKNOWN_QUESTION: ['The form has no question with this key.', 'Use a key of `questions`.'],
  UNKNOWN_BOX: ['The form has no box with this key.', 'Use a key of `consentText.boxes`.'],
}
