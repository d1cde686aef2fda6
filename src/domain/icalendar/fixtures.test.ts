/** Every calendar of ../shared/fixtures/icalendar is read, or refused with its reason. */
import { expect, test } from 'vitest'
import { hasShared, listShared, readShared, sharedMissing } from '../../../test/shared.ts'
import { readCalendar } from './read-calendar.ts'
import { UnreadableCalendar } from './split-components.ts'

const folder = 'fixtures/icalendar'

/** File, busy times from 1990 to 2035, the first one, and warnings; or the code of the refusal. */
const expected = `
collective-calendars-alarm_google_acknowledged 1 2024-10-04T18:15
collective-calendars-america_new_york 1 2014-08-29T12:00
collective-calendars-big_bad_calendar NOT_A_CALENDAR
collective-calendars-broken_dtstart 0 - INVALID_EVENT:2
collective-calendars-calendar_with_unicode 0 -
collective-calendars-empty 0 -
collective-calendars-example 0 - INVALID_EVENT:6
collective-calendars-fuzz_testcase_invalid_month NOT_A_CALENDAR
collective-calendars-invalid_duration 0 - INVALID_EVENT:1
collective-calendars-issue_1050_all_components 1 2025-01-15T15:00
collective-calendars-issue_1050_empty_calendar 0 -
collective-calendars-issue_1050_multiple_calendars 0 - INVALID_EVENT:2
collective-calendars-issue_1050_timezone_only_calendar 0 -
collective-calendars-issue_1081_empty_rdate 0 - INVALID_EVENT:1
collective-calendars-issue_1081_freebusy_comma_separated 2 2025-01-01T10:00
collective-calendars-issue_1081_invalid_start_and_end 0 - INVALID_EVENT:2
collective-calendars-issue_1081_list_of_properties 0 -
collective-calendars-issue_1081_with_summary 0 - INVALID_EVENT:1
collective-calendars-issue_1238 0 -
collective-calendars-issue_1426 3 1996-12-30T02:00
collective-calendars-issue_156_RDATE_with_PERIOD_TZID_khal 1 2018-03-27T13:00
collective-calendars-issue_1633_freebusy_with_dates 0 - INVALID_EVENT:1
collective-calendars-issue_1633_rdate_with_dates_and_tzid 0 - INVALID_EVENT:1
collective-calendars-issue_168_expected_output 1 2015-09-05T09:00
collective-calendars-issue_178_component_with_invalid_name_represented NOT_A_CALENDAR
collective-calendars-issue_178_custom_component_inside_other 0 -
collective-calendars-issue_237_fail_to_parse_timezone_with_non_ascii_tzid 1 2017-05-11T16:30
collective-calendars-issue_27_multiple_periods_in_freebusy_one_freebusy 8 2012-01-03T09:15
collective-calendars-issue_321_assert_dst_offset_is_not_false 1 2020-04-03T08:20
collective-calendars-issue_348_exception_parsing_value 0 -
collective-calendars-issue_351_whitespace_in_property_and_params 0 -
collective-calendars-issue_466_respect_unique_timezone 637 2022-10-21T18:00
collective-calendars-issue_526_calendar_with_event_subset 1 2021-11-01T15:00 UNKNOWN_TIME_ZONE:2
collective-calendars-issue_526_calendar_with_shuffeled_events 2 2021-11-01T15:40 UNKNOWN_TIME_ZONE:4
collective-calendars-issue_722_missing_timezones 2 2014-08-29T12:00 INVALID_EVENT:2
collective-calendars-issue_798_freebusy 3 1997-03-08T16:00
collective-calendars-issue_82_expected_output NOT_A_CALENDAR
collective-calendars-multiple_calendar_components 2 2003-04-30T22:00 INVALID_EVENT:4
collective-calendars-pacific_fiji 0 -
collective-calendars-parsing_error_in_UTC_offset 0 -
collective-calendars-pr_480_summary_with_colon NOT_A_CALENDAR
collective-calendars-rfc_5545_RDATE_example 0 - INVALID_EVENT:6
collective-calendars-rfc_7256_multi_value_parameters 0 - INVALID_EVENT:2
collective-calendars-rfc_7265_appendix_example_2_ical 6 2006-01-02T17:00
collective-calendars-rfc_7529 4 2013-02-09T23:00 INVALID_RECURRENCE:4
collective-calendars-rfc_7986_conferences 0 - INVALID_EVENT:1
collective-calendars-rfc_9253_examples 0 -
collective-calendars-rfc_9253_related_to 0 - INVALID_EVENT:1
collective-calendars-time 0 -
collective-calendars-timezone_same_start 1 2017-02-24T20:00
collective-calendars-timezoned 1 2012-02-13T09:00
collective-events-event_with_escaped_character1 NOT_A_CALENDAR
collective-events-event_with_escaped_character3 NOT_A_CALENDAR
collective-events-event_with_escaped_characters NOT_A_CALENDAR
collective-events-event_with_recurrence_exdates_on_different_lines NOT_A_CALENDAR
collective-events-event_with_unicode_fields NOT_A_CALENDAR
collective-events-issue_100_transformed_doctests_into_unittests NOT_A_CALENDAR
collective-events-issue_104_mark_events_broken NOT_A_CALENDAR
collective-events-issue_156_RDATE_with_PERIOD NOT_A_CALENDAR
collective-events-issue_157_removes_trailing_semicolon NOT_A_CALENDAR
collective-events-issue_355_url_escaping NOT_A_CALENDAR
collective-events-issue_355_url_escaping_empty_param NOT_A_CALENDAR
collective-events-issue_53_description_parsed_properly NOT_A_CALENDAR
collective-events-issue_64_event_with_non_ascii_summary NOT_A_CALENDAR
collective-events-issue_82_expected_output NOT_A_CALENDAR
collective-events-rfc_7265_request_status NOT_A_CALENDAR
collective-events-rfc_9074_example_2 NOT_A_CALENDAR
collective-events-rfc_9074_example_4 NOT_A_CALENDAR
collective-freebusy-example NOT_A_CALENDAR
collective-timezones-issue_53_tzid_parsed_properly NOT_A_CALENDAR
collective-timezones-pacific_fiji NOT_A_CALENDAR
icaljs-blank_description 1 2012-06-30T13:00
icaljs-blank_line_mid 0 -
icaljs-day_long_recur_yearly 0 -
icaljs-forced_types 0 -
icaljs-minimal 1 2012-06-30T13:00
icaljs-only_dtstart_date 1 2012-06-29T22:00
icaljs-parser-base64 0 -
icaljs-parser-component 0 - INVALID_EVENT:2
icaljs-parser-float 0 -
icaljs-parser-integer 0 -
icaljs-parser-multivalue 0 -
icaljs-parser-period 0 -
icaljs-parser-quoted_params 0 -
icaljs-parser-rfc 1 2008-10-05T22:00
icaljs-parser-time 0 -
icaljs-parser-unfold_properties 0 -
icaljs-parser-values 0 -
icaljs-parserv2 5819 2012-09-11T17:30
icaljs-recur_instances 269 2012-10-02T22:00
icaljs-timezone_from_file 1 2023-03-06T21:23
icaljs-timezones-America-Denver 0 -
icaljs-timezones-America-New_York 0 -
icaljs-timezones-Makebelieve-RDATE_utc_test 0 -
icaljs-utc_negative_zero 1 2012-08-21T21:00
libical-caltime NOT_A_CALENDAR
libical-incoming 11 1997-07-01T19:00 INVALID_EVENT:8
libical-overlaps NOT_A_CALENDAR
libical-recur-errors NOT_A_CALENDAR
libical-zday 0 - INVALID_EVENT:3
`
  .trim()
  .split('\n')

test.skipIf(!hasShared)(`the fixtures of iCalendar${hasShared ? '' : `: ${sharedMissing}`}`, () => {
  expect(listShared(folder, '.ics').map(describeFile)).toEqual(expected)
})

function describeFile(file: string): string {
  const name = file.slice(0, -'.ics'.length)
  try {
    const { events, warnings } = readCalendar(readShared(`${folder}/${file}`), {
      fromMs: Date.parse('1990-01-01'),
      toMs: Date.parse('2035-01-01'),
      timezone: 'Europe/Madrid',
    })
    const first = events[0]?.busy[0]
    return [
      name,
      events.reduce((count, { busy }) => count + busy.length, 0),
      first ? new Date(first.startMs).toISOString().slice(0, 16) : '-',
      ...warnings.map(({ code, count }) => `${code}:${count}`),
    ].join(' ')
  } catch (error) {
    if (!(error instanceof UnreadableCalendar)) throw error
    return `${name} ${error.code}`
  }
}
