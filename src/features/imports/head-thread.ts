/** A thread that reads the heads of files: sniffing at what a stranger wrote takes time, and the process goes on meanwhile. */
import { TableRefused } from '../../domain/table/refused.ts'
import { answerOrders } from '../../kit/thread.ts'
import { type HeadOrder, type HeadReading, readHeadBytes } from './head-reading.ts'

export type HeadReply = { head: HeadReading } | { refused: { code: string; message: string } }

async function read(order: HeadOrder): Promise<HeadReply> {
  try {
    return { head: await readHeadBytes(order) }
  } catch (error) {
    if (error instanceof TableRefused) return { refused: { code: error.code, message: error.message } }
    throw error
  }
}

answerOrders(read)
