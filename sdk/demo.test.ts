/** The demo as a user runs it: a complete run, an interruption, a port in use, and an invalid option. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test, vi } from 'vitest'

// Each run starts a database.
vi.setConfig({ testTimeout: 90_000 })

const dataDir = join(inject('runDir'), 'demo')

interface Run {
  child: ChildProcess
  output(): string
  /** Resolves when the output contains the text. */
  waitForOutput(text: string): Promise<void>
  /** Resolves with the exit code. */
  ended: Promise<number>
}

function runDemo(args: string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [fileURLToPath(new URL('demo.ts', import.meta.url)), ...args], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', ...env },
  })
  let output = ''
  const ended = once(child, 'close').then(([code]) => code)
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  return {
    child,
    output: () => output,
    ended,
    waitForOutput: text =>
      new Promise((resolve, reject) => {
        const checkOutput = () => output.includes(text) && resolve()
        child.stdout.on('data', checkOutput)
        ended.then(code => reject(new Error(`ended with ${code} before "${text}":\n${output}`)))
        checkOutput()
      }),
  }
}

test('shows an extraction, signed webhooks, leads, curl commands and a chat; a second run finds known leads', async () => {
  const first = runDemo(['--leads', '40'], { PORT: String(await findFreePort()) })
  await first.waitForOutput('until Ctrl-C')
  const [phoneUrl] = /^http:\/\/127\.0\.0\.1:\d+\S*\/phone\/[\w-]{32}$/m.exec(first.output())!
  expect(await (await fetch(phoneUrl)).text()).toContain('Hola, ¿sigue en venta')
  const form = new FormData()
  form.set('text', 'Prefiero el sábado')
  expect((await fetch(phoneUrl, { method: 'POST', body: form })).status).toBe(200)
  await first.waitForOutput('← Prefiero el sábado')
  first.child.kill('SIGINT')
  expect(await first.ended, first.output()).toBe(0)
  expect(first.output()).toContain('40 new leads, 0 changed, 0 already known')
  expect(first.output()).toMatch(/leads\.imported +signature verified +40 new/)
  expect(first.output()).toMatch(/extraction\.completed +signature verified +partial, 40 of \d+ read/)
  expect(first.output().match(/^ {2}new .*Barcelona/gm)).toHaveLength(10)
  expect(first.output()).toMatch(/^→ Hola, .*\n← /m)
  expect(first.output().match(/^curl -H 'X-Api-Key: svc_test_/gm)).toHaveLength(3)

  const second = runDemo(['--exit', '--leads', '40'])
  expect(await second.ended, second.output()).toBe(0)
  expect(second.output()).toMatch(/completed +0 new leads/)
  expect(second.output()).toMatch(/extraction\.completed +signature verified/)
  expect(second.output().match(/^ {2}(new|contacted|replied) .*Barcelona/gm)).toHaveLength(10)
})

/** The links of the API have the port of the configuration, so that it can't be chosen by the server. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('Ctrl-C during the extraction stops the demo and its server cleanly', async () => {
  const demo = runDemo(['--leads', '5000'])
  await demo.waitForOutput('0 read')
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(demo.output())![0]
  demo.child.kill('SIGINT')
  expect(await demo.ended, demo.output()).toBe(0)
  expect(demo.output()).toMatch(/Stopped\.\n$/)
  await expect(fetch(`${address}/livez`)).rejects.toThrow('fetch failed')
})

test('a port in use is reported, with exit code 1', async () => {
  const other = createServer((_request, response) => response.end('{}'))
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  try {
    const demo = runDemo([], { PORT: String(port) })
    expect(await demo.ended).toBe(1)
    expect(demo.output()).toContain(`127.0.0.1:${port}`)
    expect(demo.output()).not.toContain('✓')
  } finally {
    other.close()
  }
})

test('an invalid option is reported with the usage, with exit code 1', async () => {
  const demo = runDemo(['--leads=0'])
  expect(await demo.ended).toBe(1)
  expect(demo.output()).toContain('a whole number from 1')
  expect(demo.output()).toContain('--data FILE')
})
