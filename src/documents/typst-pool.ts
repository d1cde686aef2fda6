/** The pool of Typst processes, shared fairly by tenants, with a bounded queue. */
import { createFairQueue, type FairQueueOptions, type Requester } from '../kit/fair-queue.ts'
import type { PdfInput } from './typst.ts'
import { PdfProcessFailed, startTypstProcess, type TypstLimits, type TypstProcess } from './typst-process.ts'

/** The client of a PDF; abort `signal` when it no longer waits. */
export interface PdfClient extends Requester {
  signal: AbortSignal
}

export interface TypstPool {
  /**
   * Renders a PDF. Calls `createInput` when a process is free. Throws `PdfInputRefused` and `PdfProcessFailed`, 429 or
   * 503 with Retry-After if too many wait, and the reason of the client's signal if it is aborted in the queue.
   */
  render(client: PdfClient, createInput: () => PdfInput): Promise<Uint8Array>
}

/** The longest possible report has 60 KB. */
const jsonMaxBytes = 1024 * 1024

export function createTypstPool(limits: TypstLimits, queueing: FairQueueOptions): TypstPool {
  const queue = createFairQueue(queueing)
  const processes = new Set<TypstProcess>()

  /** Returns an idle process, or starts one: the queue limits how many there are. */
  const acquireIdle = (): TypstProcess => {
    for (const typst of processes) if (!typst.isBusy) return typst
    const started = startTypstProcess(limits, () => processes.delete(started))
    processes.add(started)
    return started
  }

  const render = async (input: PdfInput): Promise<Uint8Array> => {
    if (Buffer.byteLength(input.json) > jsonMaxBytes)
      throw new Error(`The input of a PDF is larger than ${jsonMaxBytes} bytes.`)
    try {
      return await acquireIdle().render(input)
    } catch (error) {
      // The process was killed from outside, for example for lack of memory: try once more in another process.
      if (error instanceof PdfProcessFailed && !error.exceededLimits) return acquireIdle().render(input)
      throw error
    }
  }

  return {
    render: ({ signal, ...requester }, createInput) =>
      queue.run(requester, async () => render(createInput()), { signal }),
  }
}

export const typstPool = createTypstPool(
  {
    program: new URL('./typst-child.ts', import.meta.url),
    renderMaxMs: 20_000,
    memoryMaxBytes: 1024 ** 3,
    documentsMax: 500,
    idleMs: 60_000,
  },
  {
    name: 'PDFs',
    capacity: 2,
    waitingMax: { all: 60, tenant: 20, key: 10 },
    waitMaxMs: 20_000,
    retryAfterSeconds: 5,
  },
)
