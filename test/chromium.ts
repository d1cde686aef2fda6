/** Headless Chromium over the DevTools protocol, for tests and benchmarks. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Null: this machine has no Chromium. */
export const chromiumPath =
  [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    path => path !== undefined && existsSync(path),
  ) ?? null

export interface Chromium {
  /** Opens the page in a new tab, and waits until it is loaded. */
  open(url: string, size?: TabSize): Promise<Tab>
  /** Opens the page and returns its PDF. */
  print(url: string): Promise<Buffer>
  stop(): Promise<void>
}

export interface TabSize {
  width: number
  height: number
  /** Default: true. */
  runsScripts?: boolean
  /** The media feature `prefers-color-scheme`. */
  colorScheme?: 'light' | 'dark'
}

export interface Tab {
  /** What the page has logged: errors, warnings and violations of its policy. */
  logged: string[]
  /** The value of an expression; it may be a promise. */
  evaluate<T>(expression: string): Promise<T>
  /** The value of an expression in the first frame of the page, which belongs to the same site. */
  evaluateInFrame<T>(expression: string): Promise<T>
  /** Runs an action that loads another page, and waits until that is loaded. */
  follow(action: () => Promise<unknown>): Promise<void>
  /** Presses a key, such as `Tab`; `shift` with Shift. */
  press(key: 'Tab' | 'Enter' | ' ', options?: { shift?: boolean }): Promise<void>
  /** Types into the focused element as a person does; a line end is the Enter key. */
  type(text: string): Promise<void>
  print(): Promise<Buffer>
  /** A PNG of the whole page. */
  capture(): Promise<Buffer>
  close(): Promise<void>
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

interface Message {
  id?: number
  method?: string
  sessionId?: string
  params?: object
  // biome-ignore lint/suspicious/noExplicitAny: the protocol has hundreds of results
  result?: any
}

/** `profile` is a folder for its data. */
export async function startChromium(path: string, profile: string): Promise<Chromium> {
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const socket = new WebSocket(await readAddress(child.stderr))
  await once(socket, 'open')
  let sent = 0
  const waiting = new Map<number | string, (message: Message) => void>()
  const logs = new Map<string, string[]>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method && loggedMethods.has(message.method))
      logs.get(message.sessionId ?? '')?.push(JSON.stringify(message.params))
    const key = message.id ?? `${message.sessionId} ${message.method}`
    waiting.get(key)?.(message)
    waiting.delete(key)
  })
  const wait = (key: number | string) => new Promise<Message>(resolve => waiting.set(key, resolve))
  const send = async (method: string, params: object, sessionId?: string) => {
    const id = ++sent
    const reply = wait(id)
    socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }))
    return (await reply).result
  }

  const open = async (url: string, size?: TabSize): Promise<Tab> => {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
    const call = (method: string, params: object = {}) => send(method, params, sessionId)
    const logged: string[] = []
    logs.set(sessionId, logged)
    await call('Page.enable')
    if (size) {
      const { width, height, runsScripts = true, colorScheme = 'light' } = size
      await Promise.all([call('Log.enable'), call('Runtime.enable')])
      if (!runsScripts) await call('Emulation.setScriptExecutionDisabled', { value: true })
      const features = [
        { name: 'prefers-color-scheme', value: colorScheme },
        // A check of contrasts in the middle of a transition would fail.
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ]
      await call('Emulation.setEmulatedMedia', { features })
      await call('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: size.width < 600,
      })
    }
    const loaded = wait(`${sessionId} Page.loadEventFired`)
    await call('Page.navigate', { url })
    await loaded
    const evaluate = async (expression: string, context: { contextId?: number } = {}) => {
      const options = { expression, awaitPromise: true, returnByValue: true, ...context }
      return (await call('Runtime.evaluate', options)).result.value
    }
    return {
      logged,
      evaluate: expression => evaluate(expression),
      async evaluateInFrame(expression) {
        const { frameTree } = await call('Page.getFrameTree')
        const { executionContextId } = await call('Page.createIsolatedWorld', {
          frameId: frameTree.childFrames[0].frame.id,
        })
        return evaluate(expression, { contextId: executionContextId })
      },
      async follow(action) {
        const loaded = wait(`${sessionId} Page.loadEventFired`)
        await action()
        await loaded
      },
      async press(key, { shift = false } = {}) {
        const event = { key, code: keyCodes[key].code, windowsVirtualKeyCode: keyCodes[key].number }
        const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined
        const modifiers = shift ? 8 : 0
        await call('Input.dispatchKeyEvent', { type: 'keyDown', modifiers, ...event, ...(text && { text }) })
        await call('Input.dispatchKeyEvent', { type: 'keyUp', modifiers, ...event })
      },
      async type(text) {
        for (const line of text.split(/(\n)/))
          if (line !== '\n') await call('Input.insertText', { text: line })
          else {
            const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 }
            await call('Input.dispatchKeyEvent', { type: 'keyDown', text: '\r', ...key })
            await call('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
          }
      },
      async print() {
        const { data } = await call('Page.printToPDF', { printBackground: true, preferCSSPageSize: true })
        return Buffer.from(data, 'base64')
      },
      async capture() {
        const { data } = await call('Page.captureScreenshot', { captureBeyondViewport: true })
        return Buffer.from(data, 'base64')
      },
      async close() {
        await send('Target.closeTarget', { targetId })
        logs.delete(sessionId)
      },
    }
  }

  return {
    open,
    async print(url) {
      const tab = await open(url)
      const pdf = await tab.print()
      await tab.close()
      return pdf
    },
    async stop() {
      const exited = once(child, 'exit')
      socket.close()
      child.kill()
      await exited
    },
  }
}

const keyCodes = {
  Tab: { code: 'Tab', number: 9 },
  Enter: { code: 'Enter', number: 13 },
  ' ': { code: 'Space', number: 32 },
}

const loggedMethods = new Set(['Log.entryAdded', 'Runtime.exceptionThrown', 'Runtime.consoleAPICalled'])

async function readAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('Chromium ended without an address of its DevTools.')
}
