/** Bodies of the API: JSON, and nothing else. */
import type { FastifyInstance } from 'fastify'
import { checkJsonBounds } from '../json-depth.ts'
import { invalidInput } from '../problem.ts'
import { sanitizeJsonEscapes } from '../sanitize-text.ts'
import { isLargeBody, yieldForInput } from './event-loop-turns.ts'

/**
 * No body is no error by itself: clients send `Content-Type: application/json` with a DELETE as well. What the database would
 * refuse to store is taken out before anything is looked at, so that no route need think of it.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  const parseBounded: typeof parse = (request, text, done) => {
    const excess = checkJsonBounds(text)
    if (text === '') done(null, undefined)
    else if (excess) done(invalidInput('', excess.code, excess.message))
    else parse(request, sanitizeJsonEscapes(text), done)
  }
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (!isLargeBody(text)) parseBounded(request, text, done)
    else void yieldForInput().then(() => parseBounded(request, text, done))
  })
}
