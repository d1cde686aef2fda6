/** The processes that Typst runs in: few, shared fairly by tenants, with a bounded queue before them. */
import { createFairQueue, type FairQueueOptions, type Requester } from '../kit/fair-queue.ts'
import type { PdfInput } from './typst.ts'
import { PdfProcessFailed, startTypstProcess, type TypstLimits, type TypstProcess } from './typst-process.ts'

/** Who wants a PDF; `signal` is aborted when nobody waits for it any more. */
export interface PdfClient extends Requester {
  signal: AbortSignal
}

export interface TypstPool {
  /**
   * Prints the paper that is made once it is its turn. Throws PdfInputRefused and PdfProcessFailed, 429 or 503 with Retry-After if too
   * many wait, and the reason of the reader's signal if it is aborted before its turn.
   */
  render(client: PdfClient, createInput: () => PdfInput): Promise<Uint8Array>
}

/** The longest report that input allows comes to 60 KB. */
const jsonMaxBytes = 1024 * 1024

export function createTypstPool(limits: TypstLimits, queueing: FairQueueOptions): TypstPool {
  const queue = createFairQueue(queueing)
  const processes = new Set<TypstProcess>()

  const findIdle = (): TypstProcess => {
    for (const typst of processes) if (!typst.isBusy) return typst
    const started = startTypstProcess(limits, () => processes.delete(started))
    processes.add(started)
    return started
  }

  const render = async (input: PdfInput): Promise<Uint8Array> => {
    if (Buffer.byteLength(input.json) > jsonMaxBytes)
      throw new Error(`A paper is larger than ${jsonMaxBytes} bytes.`)
    try {
      return await findIdle().render(input)
    } catch (error) {
      // Somebody ended the process, such as the system for want of memory: that need not be the paper's fault.
      if (error instanceof PdfProcessFailed && !error.exceededLimits) return findIdle().render(input)
      throw error
    }
  }

  return {
    render: ({ signal, ...who }, createInput) =>
      queue.run(who, async () => render(createInput()), { signal }),
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
