/**
 * Runs Typst in a child process, for three reasons: a report blocks the event loop for 50 ms or more, Typst leaks about
 * 180 KB per document, and a crash of Typst must not crash the server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { PdfInput } from './typst.ts'
import type { Answer } from './typst-child.ts'

export interface TypstLimits {
  /** The program of the process; it replies to each input. */
  program: URL
  /** The timeout of a document, including the start of the process for the first one. */
  renderMaxMs: number
  /** The memory limit of the process; enforced only on systems with `/proc`. */
  memoryMaxBytes: number
  /** The number of documents after which the process is replaced. */
  documentsMax: number
  /** The idle time after which the process ends, because it holds 150 MB. */
  idleMs: number
}

export interface TypstProcess {
  isBusy: boolean
  /** Renders one PDF. Throws `PdfInputRefused`, or `PdfProcessFailed` if the process crashed or exceeded a limit. */
  render(input: PdfInput): Promise<Uint8Array>
}

/** Typst cannot make a PDF of this input. */
export class PdfInputRefused extends Error {}
/** The process ended without a reply. `exceededLimits`: it was killed for exceeding its time or memory. */
export class PdfProcessFailed extends Error {
  readonly exceededLimits: boolean
  constructor(message: string, { exceededLimits, cause }: { exceededLimits: boolean; cause?: unknown }) {
    super(message, { cause })
    this.exceededLimits = exceededLimits
  }
}

const watchEveryMs = 100

/** Starts a process; `onEnd` is called when it accepts no more input. */
export function startTypstProcess(limits: TypstLimits, onEnd: () => void): TypstProcess {
  const child = fork(limits.program, {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=256'],
    // Pass no other environment variables, because they contain secrets.
    env: process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {},
  })
  child.once('exit', onEnd).on('error', onEnd)
  let renderedCount = 0
  let idle: NodeJS.Timeout | undefined
  const stop = () => {
    // The process ends by itself when its channel is closed.
    if (child.connected) child.disconnect()
    onEnd()
  }
  const typst: TypstProcess = {
    isBusy: false,
    async render(input) {
      clearTimeout(idle)
      typst.isBusy = true
      // A working process keeps the server alive; an idle one does not.
      child.ref()
      child.channel?.ref()
      try {
        const answer = await requestPdf(child, input, limits)
        if ('refusal' in answer)
          throw new PdfInputRefused(`Typst refused the input of a PDF: ${answer.refusal}`)
        return answer.pdf
      } catch (error) {
        if (error instanceof PdfProcessFailed) onEnd()
        throw error
      } finally {
        child.unref()
        child.channel?.unref()
        typst.isBusy = false
        if (++renderedCount >= limits.documentsMax) stop()
        else idle = setTimeout(stop, limits.idleMs).unref()
      }
    },
  }
  return typst
}

function requestPdf(
  child: ChildProcess,
  input: PdfInput,
  { renderMaxMs, memoryMaxBytes }: TypstLimits,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const fail = (message: string, exceededLimits: boolean, cause?: unknown) => {
    // Its state is unknown, so it is not used again.
    child.kill('SIGKILL')
    reject(new PdfProcessFailed(message, { exceededLimits, cause }))
  }
  const onExit = (cause: unknown) => fail('Typst crashed while it rendered a PDF.', false, cause)
  const timeoutTimer = setTimeout(
    () => fail(`Typst needed more than ${renderMaxMs} ms for a PDF.`, true),
    renderMaxMs,
  )
  const watch = setInterval(async () => {
    if ((await readResidentBytes(child.pid)) > memoryMaxBytes)
      fail(`Typst needed more than ${memoryMaxBytes} bytes of memory for a PDF.`, true)
  }, watchEveryMs)
  child.once('message', resolve).once('exit', onExit).once('error', onExit)
  child.send(input, error => error && onExit(error))
  return promise.finally(() => {
    clearTimeout(timeoutTimer)
    clearInterval(watch)
    child.off('message', resolve).off('exit', onExit).off('error', onExit)
  })
}

/** The resident memory of a process in bytes; 0 on systems without `/proc`. */
async function readResidentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
