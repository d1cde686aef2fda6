/**
 * Typst in a process of its own: a report keeps it busy for a twentieth of a second, in which a server has better things to do;
 * it loses about 180 KB with each; and what makes it fall must not make us fall.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { Paper } from './typst.ts'
import type { Answer } from './typst-child.ts'

/** Then another process takes its place. */
const papersMax = 500
const patienceMs = 30_000
/** Without work it is of no use: it takes 200 MB. */
const idleMs = 60_000

let current: { child: ChildProcess; papers: number } | undefined
let idle: NodeJS.Timeout | undefined
let turn: Promise<unknown> = Promise.resolve()

/** The PDF of a paper, one after another. Rejects if Typst refuses it, falls, or takes more than half a minute. */
export function printPaper(paper: Paper): Promise<Uint8Array> {
  const printed = turn.then(() => ask(paper))
  turn = printed.catch(() => {})
  return printed
}

async function ask(paper: Paper): Promise<Uint8Array> {
  current ??= { child: start(), papers: 0 }
  const { child } = current
  const isLast = ++current.papers >= papersMax
  try {
    const answer = await answerOf(child, paper)
    if ('refusal' in answer) throw new Error(`Typst refused a paper: ${answer.refusal}`)
    return answer.pdf
  } finally {
    if (isLast) stop(child)
  }
}

function start(): ChildProcess {
  const child = fork(new URL('./typst-child.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: [],
  })
  child.once('exit', () => forget(child))
  return child
}

function answerOf(child: ChildProcess, paper: Paper): Promise<Answer> {
  clearTimeout(idle)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const fell = (cause: unknown) => {
    forget(child)
    reject(new Error('Typst fell while it made a PDF.', { cause }))
  }
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  child.once('message', resolve).once('exit', fell).once('error', fell)
  // While it works we wait for it; otherwise it keeps nobody from stopping.
  child.ref()
  child.channel?.ref()
  child.send(paper, error => error && fell(error))
  return promise.finally(() => {
    clearTimeout(late)
    child.off('message', resolve).off('exit', fell).off('error', fell)
    child.unref()
    child.channel?.unref()
    idle = setTimeout(() => stop(child), idleMs).unref()
  })
}

/** It ends by itself when nobody speaks to it any more. */
function stop(child: ChildProcess): void {
  if (child.connected) child.disconnect()
  forget(child)
}

function forget(child: ChildProcess): void {
  if (current?.child === child) current = undefined
}
