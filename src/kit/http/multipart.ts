/** Forms with one file, streamed (RFC 7578). */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

export interface FormFile {
  /** The name of the field. */
  name: string
  fileName: string
  mediaType: string
  bytes: number
  open(): Promise<Readable>
}

export interface Form {
  stream: Readable
  contentType: string
  /** The length of the stream, which is known before the file is opened. */
  bytes: number
  /** True once the last part was read: before, the server can't have acted on it. */
  isComplete(): boolean
  /** Why the file could not be read to its end, so that the form was not completed; null: it was not the file. */
  getFileError(): Error | null
}

/** The stream fails if the file can't be read, or does not have its length. */
export function toForm(fields: Record<string, string>, file: FormFile): Form {
  const boundary = `form-${randomUUID()}`
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n\r\n${value}\r\n`,
  )
  const start = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(file.name)}"; ` +
      `filename="${escapeName(file.fileName)}"\r\nContent-Type: ${file.mediaType.replaceAll(/[\r\n]/g, '')}\r\n\r\n`,
  )
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  let fileError: Error | null = null
  let isComplete = false
  async function* write(): AsyncGenerator<Buffer> {
    yield start
    try {
      yield* readExactly(file)
    } catch (error) {
      fileError = error as Error
      throw error
    }
    isComplete = true
    yield end
  }
  return {
    stream: Readable.from(write(), { objectMode: false }),
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: start.length + file.bytes + end.length,
    isComplete: () => isComplete,
    getFileError: () => fileError,
  }
}

async function* readExactly({ bytes, open }: FormFile): AsyncGenerator<Buffer> {
  let count = 0
  for await (const chunk of (await open()) as AsyncIterable<Buffer>) {
    count += chunk.length
    if (count > bytes) break
    yield chunk
  }
  if (count !== bytes) throw new Error(`it does not have ${bytes} bytes`)
}

/** As browsers do (HTML, "multipart/form-data encoding algorithm"). */
function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}
