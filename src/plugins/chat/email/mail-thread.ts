/** The thread that reads messages. */
import { handleTasks } from '../../../kit/thread.ts'
import { readMail } from './read-mail.ts'

handleTasks((mail: Uint8Array) => readMail(mail))
