/** The events of extractions. */
import { type EmbeddedObject, event } from '../../kit/events/event.ts'
import { id, nullable, strictObject } from '../../kit/schema.ts'
import { readExtractions } from './queries.ts'
import {
  capped,
  completedExample,
  Extraction,
  extractionExample,
  failure,
  outcome,
  platform,
  portalTotal,
  progress,
  skippedByReason,
} from './schemas.ts'

const embeds: EmbeddedObject = {
  name: 'extraction',
  schema: Extraction,
  example: extractionExample,
  read: readExtractions,
}

const started = strictObject({ extractionId: id('The extraction.'), platform })

export const extractionStarted = event({
  type: 'extraction.started',
  object: ['extractionId'],
  embeds,
  summary: 'An extraction began',
  data: started,
  example: { extractionId: extractionExample.extractionId, platform: 'portal_a' },
})

export const extractionProgress = event({
  type: 'extraction.progress',
  object: ['extractionId'],
  embeds,
  summary: 'An extraction made progress; emitted every ten seconds at most',
  data: strictObject({
    extractionId: id('The extraction.'),
    platform,
    progress,
  }),
  example: {
    extractionId: extractionExample.extractionId,
    platform: 'portal_a',
    progress: extractionExample.progress,
  },
})

export const extractionCancelled = event({
  type: 'extraction.cancelled',
  object: ['extractionId'],
  embeds,
  summary: 'An extraction was cancelled; the leads it had read are kept',
  data: strictObject({
    extractionId: id('The extraction.'),
    platform,
    progress,
  }),
  example: {
    extractionId: extractionExample.extractionId,
    platform: 'portal_a',
    progress: extractionExample.progress,
  },
})

export const extractionCompleted = event({
  type: 'extraction.completed',
  object: ['extractionId'],
  embeds,
  summary: 'An extraction was completed',
  data: strictObject({
    extractionId: id('The extraction.'),
    platform,
    outcome,
    capped,
    portalTotal,
    progress,
    skippedByReason,
  }),
  example: {
    extractionId: extractionExample.extractionId,
    platform: 'portal_a',
    outcome: 'partial',
    capped: true,
    portalTotal: 507,
    progress: completedExample.progress,
    skippedByReason: completedExample.skippedByReason,
  },
})

export const extractionFailed = event({
  type: 'extraction.failed',
  object: ['extractionId'],
  embeds,
  summary: 'An extraction failed; the leads it had read are kept',
  data: strictObject({
    extractionId: id('The extraction.'),
    platform,
    outcome: nullable(outcome),
    error: failure,
    progress,
  }),
  example: {
    extractionId: extractionExample.extractionId,
    platform: 'portal_a',
    outcome: 'partial',
    error: {
      code: 'BLOCKED',
      message: 'The portal showed a robot check instead of listings.',
    },
    progress: extractionExample.progress,
  },
})

export const extractionEvents = [
  extractionStarted,
  extractionProgress,
  extractionCompleted,
  extractionFailed,
  extractionCancelled,
]
