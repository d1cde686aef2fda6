/** The kinds of events that a subscription can name: all that the features emit. */
import { extractionEvents } from '../extractions/events.ts'
import { leadEvents } from '../leads/events.ts'

export const eventTypes = [...extractionEvents, ...leadEvents].map(({ type }) => type)
