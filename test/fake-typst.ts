/** A replacement of Typst that follows the instructions in its input. */
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { PdfInput } from '../src/documents/typst.ts'

let inputs = 0

const commands: Record<string, (argument: string) => unknown> = {
  say: argument => argument,
  count: () => inputs,
  environment: () => JSON.stringify(Object.keys(process.env)),
  pid: () => process.pid,
  sleep: async ms => String(await delay(Number(ms), 'slept')),
  fall: () => process.exit(1),
  fallOnce(path) {
    if (existsSync(path)) return 'stood'
    writeFileSync(path, '')
    process.exit(1)
  },
  hang() {
    for (;;);
  },
  grow() {
    for (const held: Buffer[] = []; ; ) held.push(Buffer.alloc(16 * 1024 ** 2, 1))
  },
}

// The parent may have ended.
const answer = (words: object) => process.send!(words, () => {})

process.on('message', async ({ json }: PdfInput) => {
  inputs++
  const [, command, argument] = /^(\w+) ?(.*)$/.exec(json)!
  if (command === 'refuse') return answer({ refusal: argument })
  answer({ pdf: Buffer.from(String(await commands[command!]!(argument!))) })
})
