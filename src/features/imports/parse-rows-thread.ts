/** A worker thread that parses the rows of files: a large or hostile file would block the server. */
import { handleStreams } from '../../kit/thread-stream.ts'
import { parseRows } from './parse-rows.ts'

handleStreams(parseRows)
