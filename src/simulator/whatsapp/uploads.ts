/** The resumable uploads of the simulated Graph API, whose handles are examples of templates. */
import type { IncomingMessage } from 'node:http'
import { GraphError, invalid } from '../graph-api/graph-error.ts'

interface UploadReply {
  status: number
  body: object
}

const exampleTypes = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']

export function createUploads() {
  const sessions = new Map<string, number>()
  const handles = new Set<string>()
  return {
    hasHandle: (handle: string) => handles.has(handle),
    /** Answers `POST /app/uploads`. */
    start(url: URL): UploadReply {
      const length = Number(url.searchParams.get('file_length'))
      if (!(length > 0)) throw invalid('The parameter file_length is required.')
      if (!exampleTypes.includes(url.searchParams.get('file_type') ?? ''))
        throw invalid('The file_type is not supported.')
      const id = `upload:MTphdHRhY2htZW50${sessions.size}=`
      sessions.set(id, length)
      return { status: 200, body: { id: `${id}?sig=ARZqkGCA_uQM${sessions.size}` } }
    },
    /** Answers `POST /upload:…`. */
    finish(id: string, request: IncomingMessage, url: URL, body: Buffer): UploadReply {
      if (
        !url.searchParams.get('sig') ||
        sessions.get(id) !== body.length ||
        request.headers.file_offset !== '0'
      )
        throw new GraphError(400, 100, 'Invalid upload session, signature, offset or length')
      const h = `4::aW1hZ2UvanBn:ARZ${handles.size}`
      handles.add(h)
      return { status: 200, body: { h } }
    },
  }
}
