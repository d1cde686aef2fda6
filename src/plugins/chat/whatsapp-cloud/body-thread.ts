/** The thread that reads long bodies. */
import { handleTasks } from '../../../kit/thread.ts'
import { type BodyTask, toParsedEvent } from './body-task.ts'
import { parseBody } from './parse-body.ts'

handleTasks(({ body, receivedAtMs }: BodyTask) =>
  parseBody(Buffer.from(body.buffer), Temporal.Instant.fromEpochMilliseconds(receivedAtMs)).map(
    toParsedEvent,
  ),
)
