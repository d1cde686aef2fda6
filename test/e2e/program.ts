/** Worker processes as the cases of fault tables use them. */
import type { Program } from '../../bench/fault-deployment.ts'
import type { WorkerProcess } from './worker.ts'

/** A worker that the cases kill and replace. */
export function toProgram(start: (more?: Record<string, string>) => WorkerProcess): Program {
  let current = start()
  const kill = async () => void (await current.end('SIGKILL'))
  return {
    kill,
    async replace(more) {
      await kill()
      current = start(more)
    },
    hasEnded: () => current.hasEnded(),
    waitForEnd: async () => void (await current.waitForEnd()),
    throwIfEnded() {
      if (current.hasEnded()) throw new Error(current.output())
    },
  }
}
