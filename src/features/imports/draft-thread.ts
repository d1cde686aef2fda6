/** A thread that reads the rows of files: what a stranger wrote may take long, and the process goes on meanwhile. */
import { answerStreams } from '../../kit/thread-stream.ts'
import { readDrafts } from './draft-reading.ts'

answerStreams(readDrafts)
