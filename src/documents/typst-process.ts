/**
 * Typst in a process of its own: a report keeps it busy for a twentieth of a second and more, in which a server has better
 * things to do; it loses about 180 KB with each; and what makes it fall must not make us fall.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { PdfInput } from './typst.ts'
import type { Answer } from './typst-child.ts'

export interface TypstLimits {
  /** The program of the process; it answers each paper it is sent. */
  program: URL
  /** Of a paper, and of the process's start before the first. */
  renderMaxMs: number
  /** Of the process; watched where there is `/proc`. */
  memoryMaxBytes: number
  /** Then another process takes its place. */
  documentsMax: number
  /** It ends after so long without work: it takes 150 MB. */
  idleMs: number
}

export interface TypstProcess {
  isBusy: boolean
  /** Prints one paper. Throws PdfInputRefused, or PdfProcessFailed if the process fell or was ended for its limits. */
  render(input: PdfInput): Promise<Uint8Array>
}

/** Typst does not make a PDF of this paper. */
export class PdfInputRefused extends Error {}
/** The process ended before it answered. `exceededLimits`: it had taken more time or memory than it may. */
export class PdfProcessFailed extends Error {
  readonly exceededLimits: boolean
  constructor(message: string, { exceededLimits, cause }: { exceededLimits: boolean; cause?: unknown }) {
    super(message, { cause })
    this.exceededLimits = exceededLimits
  }
}

const watchEveryMs = 100

/** Starts a process; `onEnd` is called once it takes no more papers. */
export function startTypstProcess(limits: TypstLimits, onEnd: () => void): TypstProcess {
  const child = fork(limits.program, {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=256'],
    // Nothing of our own environment, where secrets are.
    env: process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {},
  })
  child.once('exit', onEnd).on('error', onEnd)
  let renderedCount = 0
  let idle: NodeJS.Timeout | undefined
  const stop = () => {
    // It ends by itself when nobody speaks to it any more.
    if (child.connected) child.disconnect()
    onEnd()
  }
  const typst: TypstProcess = {
    isBusy: false,
    async render(input) {
      clearTimeout(idle)
      typst.isBusy = true
      // While it works we wait for it; otherwise it keeps nobody from stopping.
      child.ref()
      child.channel?.ref()
      try {
        const answer = await requestPdf(child, input, limits)
        if ('refusal' in answer) throw new PdfInputRefused(`Typst refused a paper: ${answer.refusal}`)
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
    // Whatever it does, nobody uses it again.
    child.kill('SIGKILL')
    reject(new PdfProcessFailed(message, { exceededLimits, cause }))
  }
  const onExit = (cause: unknown) => fail('Typst fell while it made a PDF.', false, cause)
  const timeoutTimer = setTimeout(
    () => fail(`Typst took more than ${renderMaxMs} ms for a PDF.`, true),
    renderMaxMs,
  )
  const watch = setInterval(async () => {
    if ((await residentBytes(child.pid)) > memoryMaxBytes)
      fail(`Typst took more than ${memoryMaxBytes} bytes of memory for a PDF.`, true)
  }, watchEveryMs)
  child.once('message', resolve).once('exit', onExit).once('error', onExit)
  child.send(input, error => error && onExit(error))
  return promise.finally(() => {
    clearTimeout(timeoutTimer)
    clearInterval(watch)
    child.off('message', resolve).off('exit', onExit).off('error', onExit)
  })
}

/** What a process holds in memory; 0 where the system does not say. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
