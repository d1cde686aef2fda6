/** Parses bodies of the API: JSON only. */
import type { FastifyInstance } from 'fastify'
import { checkJsonBounds } from '../json-limits.ts'
import { invalidInput } from '../problem.ts'
import { sanitizeJsonEscapes } from '../sanitize-text.ts'
import { isLargeBody, yieldForInput } from './event-loop-turns.ts'

/**
 * An empty body is accepted: clients send `Content-Type: application/json` with a DELETE as well. Characters that
 * PostgreSQL cannot store are removed before parsing, so that no route has to handle them.
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
