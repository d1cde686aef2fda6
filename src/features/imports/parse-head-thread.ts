/** A thread that reads the heads of files: sniffing at what a stranger wrote takes time, and the process goes on meanwhile. */
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
