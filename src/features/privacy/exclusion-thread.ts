/** A thread that reads files of exclusion lists: the process goes on meanwhile. */
import { answerStreams } from '../../kit/thread-stream.ts'
import { readExclusions } from './exclusion-reading.ts'

answerStreams(readExclusions)
