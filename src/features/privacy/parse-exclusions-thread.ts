/** A thread that reads files of exclusion lists: the process goes on meanwhile. */
import { handleStreams } from '../../kit/thread-stream.ts'
import { parseExclusions } from './parse-exclusions.ts'

handleStreams(parseExclusions)
