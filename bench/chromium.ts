/** Headless Chromium that prints pages as PDFs, over the DevTools protocol. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Chromium {
  /** Opens the page and returns its PDF. */
  print(url: string): Promise<Buffer>
  stop(): Promise<void>
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
]

interface Reply {
  id?: number
  method?: string
  sessionId?: string
  result?: Record<string, string>
}

/** `profile` is a folder for its data. */
export async function startChromium(path: string, profile: string): Promise<Chromium> {
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const socket = new WebSocket(await readAddress(child.stderr))
  await once(socket, 'open')
  let sent = 0
  const waiting = new Map<number | string, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    const key = reply.id ?? `${reply.sessionId} ${reply.method}`
    waiting.get(key)?.(reply)
    waiting.delete(key)
  })
  const wait = (key: number | string) => new Promise<Reply>(resolve => waiting.set(key, resolve))
  const send = async (method: string, params: object, sessionId?: string) => {
    const id = ++sent
    const reply = wait(id)
    socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }))
    return (await reply).result!
  }
  return {
    async print(url) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      await send('Page.enable', {}, sessionId)
      const loaded = wait(`${sessionId} Page.loadEventFired`)
      await send('Page.navigate', { url }, sessionId)
      await loaded
      const { data } = await send('Page.printToPDF', { printBackground: true }, sessionId)
      await send('Target.closeTarget', { targetId })
      return Buffer.from(data!, 'base64')
    },
    async stop() {
      const exited = once(child, 'exit')
      socket.close()
      child.kill()
      await exited
    },
  }
}

async function readAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('Chromium ended without an address of its DevTools.')
}
