/** A worker thread that parses the heads of files: detecting the format of an untrusted file would block the server. */
import { TableError } from '../../domain/table/table-error.ts'
import { handleTasks } from '../../kit/thread.ts'
import { type ParsedHead, type ParseHeadRequest, parseHead } from './parse-head.ts'

export type ParseHeadReply = { head: ParsedHead } | { refused: { code: string; message: string } }

async function parse(request: ParseHeadRequest): Promise<ParseHeadReply> {
  try {
    return { head: await parseHead(request) }
  } catch (error) {
    if (error instanceof TableError) return { refused: { code: error.code, message: error.message } }
    throw error
  }
}

handleTasks(parse)
