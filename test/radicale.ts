/** Radicale of Debian on loopback, for tests with a real CalDAV server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = '/usr/bin/radicale'

/** Null: it can run here. */
export const radicaleMissing = existsSync(program) ? null : 'Radicale of Debian is needed'

export interface Radicale {
  credentials: { url: string; username: string; password: string }
  /** The address of a new calendar. */
  createCalendar(name: string): Promise<string>
  /** A request of the person's own program. Throws if it is refused. */
  request(method: string, url: string, body?: string): Promise<string>
  close(): Promise<void>
}

export async function startRadicale(): Promise<Radicale> {
  const folder = mkdtempSync(join(tmpdir(), 'radicale-'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const [username, password] = ['ana', 'secret']
  writeFileSync(join(folder, 'users'), `${username}:${password}\n`)
  const file = join(folder, 'config')
  writeFileSync(file, formatConfiguration(folder, port))
  const server = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'exit')
  let log = ''
  server.stderr.on('data', chunk => {
    log += chunk
  })
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  await waitForServer(url, () => log)
  const request = async (method: string, target: string, body?: string) => {
    const reply = await fetch(target, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'text/calendar' } : {}) },
      ...(body ? { body } : {}),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${target}: ${reply.status} ${text}`)
    return text
  }
  return {
    credentials: { url, username, password },
    async createCalendar(name) {
      const target = `${url}/${username}/${name}/`
      await request('MKCALENDAR', target)
      return target
    },
    request,
    async close() {
      server.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const formatConfiguration = (folder: string, port: number) => `
[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${folder}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/collections
[logging]
level = warning
`

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function waitForServer(url: string, readLog: () => string): Promise<void> {
  const end = performance.now() + 20_000
  for (;;) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return
    if (performance.now() > end) throw new Error(`Radicale did not start: ${readLog()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
