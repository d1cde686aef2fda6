/** The kinds of events that a subscription can name: all that the features emit. */
import type { EventDefinition } from '../../kit/event.ts'
import { extractionCompleted, extractionFailed, extractionStarted } from '../extractions/events.ts'
import { leadsImported } from '../leads/events.ts'

const definitions: EventDefinition[] = [
  extractionStarted,
  extractionCompleted,
  extractionFailed,
  leadsImported,
] as unknown as EventDefinition[]

export const eventTypes = definitions.map(definition => definition.type)
