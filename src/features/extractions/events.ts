/** What is told about extractions. */
import { event } from '../../kit/event.ts'
import { closed, id, nullable, oneOf, Type } from '../../kit/schema.ts'
import { capped, Extraction, extractionExample, failureCodes, outcome, portalTotal } from './schemas.ts'

const started = closed({ extractionId: id('The extraction.'), platform: Type.String() })

export const extractionStarted = event({
  type: 'extraction.started',
  object: ['extractionId'],
  summary: 'An extraction began',
  data: started,
  example: { extractionId: extractionExample.extractionId, platform: 'portal_a' },
})

export const extractionProgress = event({
  type: 'extraction.progress',
  object: ['extractionId'],
  summary: 'An extraction goes on: told every ten seconds at most',
  data: closed({
    extractionId: id('The extraction.'),
    platform: Type.String(),
    progress: Extraction.properties.progress,
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
  summary: 'An extraction was cancelled; what it had read until then is kept',
  data: closed({
    extractionId: id('The extraction.'),
    platform: Type.String(),
    progress: Extraction.properties.progress,
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
  summary: 'An extraction ended well',
  data: closed({
    extractionId: id('The extraction.'),
    platform: Type.String(),
    outcome,
    capped,
    portalTotal,
    progress: Extraction.properties.progress,
    skippedByReason: Extraction.properties.skippedByReason,
  }),
  example: {
    extractionId: extractionExample.extractionId,
    platform: 'portal_a',
    outcome: 'partial',
    capped: true,
    portalTotal: 507,
    progress: { ...extractionExample.progress, percent: 100 },
    skippedByReason: {},
  },
})

export const extractionFailed = event({
  type: 'extraction.failed',
  object: ['extractionId'],
  summary: 'An extraction failed; what it had read until then is kept',
  data: closed({
    extractionId: id('The extraction.'),
    platform: Type.String(),
    outcome: nullable(outcome),
    error: closed({ code: oneOf(failureCodes), message: Type.String() }),
    progress: Extraction.properties.progress,
  }),
  example: {
    extractionId: extractionExample.extractionId,
    platform: 'portal_a',
    outcome: 'partial',
    error: {
      code: 'BLOCKED',
      message: 'The portal took us for a robot and showed a check instead of adverts.',
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
