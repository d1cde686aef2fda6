/** A thread that reads the rows of files: what a stranger wrote may take long, and the process goes on meanwhile. */
import { handleStreams } from '../../kit/thread-stream.ts'
import { parseRows } from './parse-rows.ts'

handleStreams(parseRows)
