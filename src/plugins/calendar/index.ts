/** The calendar providers that the program has. */
import type { CalendarProvider } from '../calendar.ts'

export const calendarProviders: CalendarProvider[] = []
