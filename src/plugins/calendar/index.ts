/** The calendar providers that the program has. */
import type { CalendarProvider } from '../calendar.ts'
import { caldav } from './caldav/index.ts'
import { google } from './google/index.ts'
import { icalFeed } from './ical-feed/index.ts'
import { microsoft } from './microsoft/index.ts'

export const calendarProviders: CalendarProvider[] = [icalFeed, caldav, google, microsoft]
