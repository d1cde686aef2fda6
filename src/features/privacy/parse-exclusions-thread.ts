/** A worker thread that parses files of exclusion lists, so that the main thread is not blocked. */
import { handleStreams } from '../../kit/thread-stream.ts'
import { parseExclusions } from './parse-exclusions.ts'

handleStreams(parseExclusions)
