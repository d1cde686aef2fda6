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
  exit: () => process.exit(1),
  exitOnce(path) {
    if (existsSync(path)) return 'survived'
    writeFileSync(path, '')
    process.exit(1)
  },
  hang() {
    for (;;);
  },
  grow() {
    for (const buffers: Buffer[] = []; ; ) buffers.push(Buffer.alloc(16 * 1024 ** 2, 1))
  },
}

// Ignores errors: the parent may have ended.
const sendReply = (reply: object) => process.send!(reply, () => {})

process.on('message', async ({ json }: PdfInput) => {
  inputs++
  const [, command, argument] = /^(\w+) ?(.*)$/.exec(json)!
  if (command === 'refuse') return sendReply({ refusal: argument })
  sendReply({ pdf: Buffer.from(String(await commands[command!]!(argument!))) })
})
