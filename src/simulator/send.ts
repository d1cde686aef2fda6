/** Sends a portal's reply, or 304 if the client has it already. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from './portal.ts'

/** Node omits the body of a reply to HEAD. */
export function sendReply(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  if (reply.etag) response.setHeader('etag', reply.etag)
  if (reply.lastModified) response.setHeader('last-modified', new Date(reply.lastModified).toUTCString())
  if (reply.status === 200 && isFresh(reply, request)) {
    response.writeHead(304).end()
    return
  }
  const body = reply.render()
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length })
  response.end(body)
}

function isFresh({ etag, lastModified }: Reply, request: IncomingMessage): boolean {
  const known = request.headers['if-none-match']
  if (known !== undefined) {
    const tags = known.split(',').map(tag => tag.trim().replace(/^W\//, ''))
    return etag !== undefined && (tags.includes(etag) || tags.includes('*'))
  }
  const since = request.headers['if-modified-since']
  // The header counts whole seconds.
  return since !== undefined && lastModified !== undefined && Date.parse(since) > lastModified - 1000
}
